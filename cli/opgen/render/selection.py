"""Which operators and which hand-written sources a library holds."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence

from opgen.model.function import Function
from opgen.model.program import Program
from opgen.render.sources import Source, close


class UnknownOperators(Exception):
    """Names that no declaration has; `names` in the order given."""

    def __init__(self, names: Sequence[str]):
        self.names = tuple(names)
        super().__init__("no such operator: " + ", ".join(names))


def merged(own: Program, shipped: Program) -> Program:
    """`own` with the declarations of `shipped` that it doesn't have itself."""
    if own.path == shipped.path:
        return own
    mine = {f.qualified_name for f in own.functions}
    functions = (*own.functions, *(f for f in shipped.functions if f.qualified_name not in mine))
    groups = (*own.groups, *(g for g in shipped.groups if not any(f.qualified_name in mine for f in g.functions())))
    return dataclasses.replace(
        own,
        functions=functions,
        groups=groups,
        tags={**shipped.tags, **own.tags},
        by_name={**shipped.by_name, **own.by_name},
        group_of={**shipped.group_of, **own.group_of},
    )


def roots(program: Program, names: Iterable[str]) -> set[str]:
    """The base names of operators given as `add`, `add.Tensor` or `add_`. Raises UnknownOperators."""
    by_name: dict[str, str] = {}
    for function in program.functions:
        by_name[function.qualified_name] = header_name(function)
        by_name[function.qualified_name.partition(".")[0]] = header_name(function)
        by_name[header_name(function)] = header_name(function)
    names = list(names)
    unknown = [name for name in names if name not in by_name]
    if unknown:
        raise UnknownOperators(unknown)
    return {by_name[name] for name in names}


def header_name(function: Function) -> str:
    """The stem of the headers that an operator's declarations stand in."""
    root = function.root_name
    return root if function.namespace == "aten" else f"{function.namespace}_{root}"


def select(
    program: Program, sources: Sequence[Source], wanted: Iterable[str]
) -> tuple[Program, list[Source]]:
    """The operators with the `wanted` base names, whatever their kernels call, and the sources of all of these.

    An operator comes with all its overloads: they share headers, and most share kernels.
    """
    known = frozenset(header_name(f) for f in program.functions)
    taken, operators = close(sources, wanted, known)
    functions = tuple(f for f in program.functions if header_name(f) in operators)
    kept = {f.qualified_name for f in functions}
    groups = tuple(g for g in program.groups if g.out.qualified_name in kept)
    return dataclasses.replace(program, functions=functions, groups=groups), taken
