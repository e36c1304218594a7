"""Which operators and which hand-written sources a library holds."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

from opgen.diagnostics import did_you_mean
from opgen.model.autocast import Autocast
from opgen.model.checks import Checks
from opgen.model.derivatives import Derivatives
from opgen.model.docs import Docs
from opgen.model.program import Program
from opgen.select.sources import close
from opgen.template_views import formulas, names
from opgen.template_views.autogen import view_of
from opgen.template_views.source import Source

BASE_FILE = "base.yaml"
_SYMBOLS = b"<ATen/TensorOperators.h>"
_Said = TypeVar("_Said", Autocast, Checks, Docs)


class UnknownOperators(Exception):
    """Names without a declaration; `names` in the order given, `known` the existing ones."""

    def __init__(self, names: Sequence[str], known: Iterable[str]):
        self.names = tuple(names)
        known = tuple(known)
        helps = {name: did_you_mean(name, known) for name in names}
        said = [f"'{name}' ({help})" if help else f"'{name}'" for name, help in helps.items()]
        super().__init__("no such operator: " + ", ".join(said))


def base_operators(schemas: Path) -> list[str]:
    """The operators that the runtime itself calls; every library has them."""
    lines = (schemas / BASE_FILE).read_text(encoding="utf-8").splitlines()
    return [line[2:].strip() for line in lines if line.startswith("- ")]


def merged(own: Program, shipped: Program) -> Program:
    """Returns `own` with those declarations of `shipped` that it doesn't have itself."""
    if own.path == shipped.path:
        return own
    mine = frozenset(f.qualified_name for f in own.functions)
    functions = (*own.functions, *(f for f in shipped.functions if f.qualified_name not in mine))
    groups = (
        *own.groups,
        *(g for g in shipped.groups if not any(f.qualified_name in mine for f in g.functions())),
    )
    schemas = {f.qualified_name: f.schema for f in own.functions}
    as_shipped = {n for n, f in shipped.by_name.items() if n not in mine or schemas[n] == f.schema}
    return dataclasses.replace(
        own,
        functions=functions,
        groups=groups,
        tags={**shipped.tags, **own.tags},
        by_name={**shipped.by_name, **own.by_name},
        group_of={**shipped.group_of, **own.group_of},
        derivatives=_merged_derivatives(own.derivatives, shipped.derivatives, mine),
        checks=_merged(own.checks or Checks(), shipped.checks or Checks(), as_shipped),
        docs=_merged(own.docs or Docs(), shipped.docs or Docs(), as_shipped),
        autocast=_merged(own.autocast or Autocast(), shipped.autocast or Autocast(), as_shipped),
        batching={**(shipped.batching or {}), **(own.batching or {})},
    )


def _merged_derivatives(
    own: Derivatives | None, shipped: Derivatives | None, mine: frozenset[str]
) -> Derivatives | None:
    """Merges derivatives. Shipped formulas are for shipped operators: those that the project declares have
    the formulas of its file.
    """
    if own is None or shipped is None:
        own, shipped = own or Derivatives(""), shipped or Derivatives("")
    of = {name: d for name, d in shipped.of.items() if name not in mine}
    return dataclasses.replace(own, declared=(*own.declared, *shipped.declared), of={**of, **own.of})


def _merged(own: _Said, shipped: _Said, as_shipped: Collection[str]) -> _Said:
    """Merges checks, docs or casts. Shipped ones also hold for operators that the project declares with the
    shipped schema, as their kernels are the same.
    """
    of = {name: said for name, said in shipped.of.items() if name in as_shipped}
    return dataclasses.replace(own, of={**of, **own.of})


def roots(program: Program, wanted: Iterable[str]) -> set[str]:
    """Returns the base names of operators given as `add`, `add.Tensor` or `add_`. Raises UnknownOperators."""
    by_name: dict[str, str] = {}
    for function in program.functions:
        by_name[function.qualified_name] = names.base(function)
        by_name[function.qualified_name.partition(".")[0]] = names.base(function)
        by_name[names.base(function)] = names.base(function)
    wanted = list(wanted)
    unknown = [name for name in wanted if name not in by_name]
    if unknown:
        raise UnknownOperators(unknown, by_name)
    return {by_name[name] for name in wanted}


@dataclasses.dataclass(frozen=True, slots=True)
class Selection:
    """The selected operators. `declared` are kernels that the library doesn't use but that are defined in
    files it contains: these need the declarations to compile. They are kernels of operators that were not
    selected, and those of a shipped entry that the user's own replaces.
    """

    program: Program
    declared: tuple[Program, ...]
    sources: list[Source]


def select(program: Program, shipped: Program, sources: Sequence[Source], wanted: Iterable[str]) -> Selection:
    """Selects the operators with the `wanted` base names, those that their kernels call, and the sources of
    all of these.

    An operator is selected with all its overloads: they share headers, and most share kernels.
    """
    known = frozenset(names.base(f) for f in program.functions)
    copied = [
        (names.base(f), names.base(v)) for f in program.functions if (v := view_of(f, program)) is not None
    ]
    called = formulas.Calls(program, sources)
    sources = [_with_symbols(source, called) for source in sources]
    operators, helpers, complete = frozenset(wanted), frozenset[str](), False
    while not complete:
        taken, closed = close(sources, operators, known, helpers)
        views = {view for copy, view in copied if copy in closed}  # generated kernels call these
        wider, helpers = closed | views | called.operators(closed), called.names(closed)
        complete, operators = wider == operators, wider
    defined = frozenset(name for source in taken for name in source.defines)
    declared = _part(program, defined & known - operators), _part(shipped, defined & operators)
    return Selection(_part(program, operators), declared, taken)


def _with_symbols(source: Source, called: formulas.Calls) -> Source:
    """Counts `a + b` as a call of add, in kernel files that include the header with these operators."""
    if not source.group or _SYMBOLS not in source.content:
        return source
    behind = called.behind_symbols(source.content.decode(errors="replace"))
    return dataclasses.replace(source, calls=source.calls | behind)


def _part(program: Program, bases: frozenset[str]) -> Program:
    functions = tuple(f for f in program.functions if names.base(f) in bases)
    groups = tuple(g for g in program.groups if names.base(g.out) in bases)
    return dataclasses.replace(program, functions=functions, groups=groups)
