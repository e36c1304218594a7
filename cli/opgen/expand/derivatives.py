"""Assigns formulas to functions: each entry to the function that it names, and from there to the other forms.

In-place and out forms take the formulas of their functional form unless they have their own; a `_copy` twin
takes those of its view, and a `_foreach_` operator those of the operator that it applies to every tensor.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from opgen.expand import signature
from opgen.model import Function, Kind, ListType, OptionalType, Program
from opgen.model.derivatives import DEFAULT_KEY, Derivation, DerivativeEntry, Derivatives, Origin

FOREACH = "_foreach_"
# These lack the `alpha` of the operator that they are an alias of.
_FEWER_ARGUMENTS = frozenset(
    f"_foreach_{name}{inplace}.{overload}"
    for name in ("add", "sub")
    for inplace in ("", "_")
    for overload in ("Scalar", "ScalarList")
)
# autogen generates PyTorch's `zero`; only `zero_` has an entry.
_OF_INPLACE = "_foreach_zero_"


def match(
    program: Program, path: str, entries: Iterable[DerivativeEntry], faulty: frozenset[str] = frozenset()
) -> Derivatives:
    """Returns the entries with the functions they apply to. An entry matches by name even if its schema
    differs: `check` reports the difference.
    """
    entries = tuple(entries)
    declared = []
    for entry in entries:
        function = program.function(entry.qualified_name)
        if function is not None:
            declared.append((entry, function))
    index = _Index(program)
    for entry, function in declared:
        index.add(Derivation(function, entry, function, Origin.own))
    index.add_view_copies()
    found = {}
    for function in program.functions:
        derivation = index.find(function)
        if derivation is not None:
            found[function.qualified_name] = derivation
    return Derivatives(path, entries, tuple(declared), found, faulty)


@dataclass(slots=True)
class _Index:
    """The functions that have their own formulas (or those of their view), by name and by signature."""

    program: Program
    own: dict[str, Derivation] = field(default_factory=dict)
    functional: dict[object, Derivation] = field(default_factory=dict)
    other: dict[object, Derivation] = field(default_factory=dict)
    by_root: dict[str, list[Derivation]] = field(default_factory=dict)

    def add(self, derivation: Derivation) -> None:
        function = derivation.function
        if function.qualified_name in self.own:
            return
        self.own[function.qualified_name] = derivation
        by_signature = self.functional if function.kind is Kind.functional else self.other
        by_signature[_key(function)] = derivation
        self.by_root.setdefault(function.root_name, []).append(derivation)

    def add_view_copies(self) -> None:
        for group in self.program.view_groups:
            view = self.own.get(group.view.qualified_name)
            if view is not None and group.copy is not None:
                self.add(Derivation(group.copy, view.entry, group.copy, Origin.view_copy))

    def find(self, function: Function) -> Derivation | None:
        if function.is_generated and function.kind is Kind.out:
            return None
        own = self.own.get(function.qualified_name)
        if own is not None:
            return own
        if function.root_name.startswith(FOREACH):
            return self._foreach(function)
        if function.root_name not in self.by_root:
            return None
        key = _key(function)
        functional = self.functional.get(key)
        if functional is not None:
            return Derivation(function, functional.entry, functional.written, Origin.inherited)
        other = self.other.get(key) if function.is_generated else None
        return None if other is None else Derivation(function, other.entry, other.written, Origin.mutable)

    def _foreach(self, function: Function) -> Derivation | None:
        candidates = self.by_root.get(function.root_name.rpartition(FOREACH)[2], ())
        of_inplace = str(function.name) == _OF_INPLACE
        for derivation in candidates:
            written = derivation.written
            fits = written.kind is Kind.functional or (of_inplace and written.kind is Kind.inplace)
            if fits and DEFAULT_KEY in derivation.entry.formulas and _applies(function, written):
                return Derivation(function, derivation.entry, written, Origin.foreach)
        return None


def _key(function: Function) -> object:
    return function.namespace, signature.key_without_defaults(function.schema)


def _applies(foreach: Function, single: Function) -> bool:
    """Whether `foreach` applies `single` to the items of lists."""
    ours, theirs = foreach.schema.arguments.non_out, single.schema.arguments.without_options().non_out
    if len(ours) != len(theirs) and str(foreach.name) not in _FEWER_ARGUMENTS:
        return False
    for our, their in zip(ours, theirs, strict=False):
        item = our.type.elem if isinstance(our.type, (ListType, OptionalType)) else None
        if their.type not in (our.type, item):
            return False
    return True
