"""Which operators and which hand-written sources a library holds."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from pathlib import Path

from opgen.model.checks import Checks
from opgen.model.derivatives import Derivatives
from opgen.model.program import Program
from opgen.render.sources import close
from opgen.views import formulas, names
from opgen.views.autogen import view_of
from opgen.views.source import Source

BASE_FILE = "base.yaml"


class UnknownOperators(Exception):
    """Names that no declaration has; `names` in the order given."""

    def __init__(self, names: Sequence[str]):
        self.names = tuple(names)
        super().__init__("no such operator: " + ", ".join(names))


def base_operators(schemas: Path) -> list[str]:
    """The operators that the runtime itself calls; every library has them."""
    lines = (schemas / BASE_FILE).read_text(encoding="utf-8").splitlines()
    return [line[2:].strip() for line in lines if line.startswith("- ")]


def merged(own: Program, shipped: Program) -> Program:
    """`own` with the declarations of `shipped` that it doesn't have itself."""
    if own.path == shipped.path:
        return own
    mine = frozenset(f.qualified_name for f in own.functions)
    functions = (*own.functions, *(f for f in shipped.functions if f.qualified_name not in mine))
    groups = (
        *own.groups,
        *(g for g in shipped.groups if not any(f.qualified_name in mine for f in g.functions())),
    )
    return dataclasses.replace(
        own,
        functions=functions,
        groups=groups,
        tags={**shipped.tags, **own.tags},
        by_name={**shipped.by_name, **own.by_name},
        group_of={**shipped.group_of, **own.group_of},
        derivatives=_merged_derivatives(own.derivatives, shipped.derivatives, mine),
        checks=_merged_checks(own, shipped),
    )


def _merged_derivatives(
    own: Derivatives | None, shipped: Derivatives | None, mine: frozenset[str]
) -> Derivatives | None:
    """Shipped formulas are for shipped operators: what the project declares itself has those of its file."""
    if own is None or shipped is None:
        own, shipped = own or Derivatives(""), shipped or Derivatives("")
    of = {name: d for name, d in shipped.of.items() if name not in mine}
    return dataclasses.replace(own, declared=(*own.declared, *shipped.declared), of={**of, **own.of})


def _merged_checks(own: Program, shipped: Program) -> Checks:
    """Shipped checks are also of operators that the project declares as they are shipped, for kernels rely on
    them.
    """
    theirs, ours = shipped.checks or Checks(), own.checks or Checks()
    mine = {f.qualified_name: f.schema for f in own.functions}
    of = {
        name: checks
        for name, checks in theirs.of.items()
        if name not in mine or mine[name] == shipped.by_name[name].schema
    }
    return dataclasses.replace(ours, of={**of, **ours.of})


def roots(program: Program, wanted: Iterable[str]) -> set[str]:
    """The base names of operators given as `add`, `add.Tensor` or `add_`. Raises UnknownOperators."""
    by_name: dict[str, str] = {}
    for function in program.functions:
        by_name[function.qualified_name] = names.base(function)
        by_name[function.qualified_name.partition(".")[0]] = names.base(function)
        by_name[names.base(function)] = names.base(function)
    wanted = list(wanted)
    unknown = [name for name in wanted if name not in by_name]
    if unknown:
        raise UnknownOperators(unknown)
    return {by_name[name] for name in wanted}


@dataclasses.dataclass(frozen=True, slots=True)
class Selection:
    """`declared` are kernels that the library has no use for, but that stand in files that it takes: those
    need the declarations to compile. Kernels of operators that were not selected, and those that the shipped
    entry of an operator names where the user's own takes its place."""

    program: Program
    declared: tuple[Program, ...]
    sources: list[Source]


def select(program: Program, shipped: Program, sources: Sequence[Source], wanted: Iterable[str]) -> Selection:
    """The operators with the `wanted` base names, whatever their kernels call, and the sources of all of
    these.

    An operator comes with all its overloads: they share headers, and most share kernels.
    """
    known = frozenset(names.base(f) for f in program.functions)
    copied = [
        (names.base(f), names.base(v)) for f in program.functions if (v := view_of(f, program)) is not None
    ]
    called = formulas.Calls(program, sources)
    operators, helpers, complete = frozenset(wanted), frozenset[str](), False
    while not complete:
        taken, closed = close(sources, operators, known, helpers)
        views = {view for copy, view in copied if copy in closed}  # which generated kernels call
        wider, helpers = closed | views | called.operators(closed), called.names(closed)
        complete, operators = wider == operators, wider
    defined = frozenset(name for source in taken for name in source.defines)
    declared = _part(program, defined & known - operators), _part(shipped, defined & operators)
    return Selection(_part(program, operators), declared, taken)


def _part(program: Program, bases: frozenset[str]) -> Program:
    functions = tuple(f for f in program.functions if names.base(f) in bases)
    groups = tuple(g for g in program.groups if names.base(g.out) in bases)
    return dataclasses.replace(program, functions=functions, groups=groups)
