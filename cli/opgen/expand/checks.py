"""Assigns conditions to functions: those of an entry to all forms of the operators that it names, and those
that schemas imply.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from opgen.model import Function, Program
from opgen.model.checks import IN, NUMBERS, Check, CheckEntry, Checks, Range, RangeKind, Subject
from opgen.model.types import TENSOR, Base, Type

# Arguments that name dimensions of `self`, unless a checks file says otherwise.
DIMS = frozenset({"dim", "dims", "dim0", "dim1", "dim2", "dims_self", "start_dim", "end_dim"})


def match(
    program: Program, path: str, entries: Iterable[CheckEntry], faulty: frozenset[str] = frozenset()
) -> Checks:
    entries = tuple(entries)
    written = _Written(program, entries)
    found = {}
    for function in program.functions:
        said = written.of(function)
        implied = tuple(c for c in _implied(function) if not _is_said(c, said))
        if said or implied:
            found[function.qualified_name] = (*said, *implied)
    return Checks(path, entries, found, faulty)


class _Written:
    """The file's content by the name of a form: conditions, and operators whose conditions it inherits."""

    def __init__(self, program: Program, entries: Iterable[CheckEntry]):
        self._program = program
        self._own: dict[str, list[Check]] = {}
        self._by: dict[str, str] = {}
        forms = {f.qualified_name: family.functions for family in program.families for f in family.functions}
        for entry in entries:
            for name, _ in entry.ops:
                for function in forms.get(name, ()):
                    self._own.setdefault(function.qualified_name, []).extend(entry.checks)
                    if entry.by is not None:
                        self._by[function.qualified_name] = entry.by[0]

    def of(self, function: Function, seen: frozenset[str] = frozenset()) -> tuple[Check, ...]:
        name = function.qualified_name
        own = self._own.get(name, [])
        other = self._program.function(self._by.get(name, ""))
        if other is None or name in seen:
            return tuple(own)
        alike = {name for name, _ in _kinds(function).items() & _kinds(other).items()}
        theirs = [c for c in self.of(other, seen | {name}) if alike.issuperset(c.names) and c not in own]
        return (*own, *(replace(c, by=other.qualified_name) for c in theirs))


def _kinds(function: Function) -> dict[str, str]:
    """Returns the kinds of the arguments, for a condition: tensors, numbers, or other types."""
    return {
        a.name: "Tensor" if a.type.is_tensor_like() else "number" if _is_number(a.type) else str(a.type)
        for a in function.schema.arguments.all
    }


def _is_number(kind: Type) -> bool:
    return any(kind.is_like(base) for base in NUMBERS)


def _implied(function: Function) -> Iterable[Check]:
    arguments = function.schema.arguments
    if arguments.self_arg is None or arguments.self_arg.type != TENSOR:
        return
    for a in arguments.positional:
        if a.name in DIMS and a.type.is_like(Base.int):
            yield Check(Subject.value, a.name, IN, range=Range(RangeKind.dims, "self", wrapped=True))


def _is_said(check: Check, written: Iterable[Check]) -> bool:
    """Whether there is a condition on the same property of the same argument."""
    return any(c.subject is check.subject and c.argument == check.argument for c in written)
