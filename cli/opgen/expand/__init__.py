"""Program to program: fills in what entries leave implicit, and adds the forms that autogen names.

This finds no faults of the input: `check` reads the expanded program and reports them. Nothing here fails,
whatever the entries contain.
"""

from __future__ import annotations

from opgen.expand import autogen, defaults, groups
from opgen.model import Function, Program

__all__ = ["expand"]


def expand(program: Program, core_counts: bool = True, make_forms: bool = True) -> Program:
    """`core_counts` is False for files of PyTorch before 2.2, whose tag `core` had no influence on autogen.

    `make_forms` is False for files that only give kernels, for which no forms of operators are generated.
    """
    declared = tuple(defaults.fill(f, program.tags) for f in program.functions)
    families = groups.families(declared)
    generated: list[Function] = []
    if make_forms:
        generated = [made for family in families for made in autogen.missing_forms(family, core_counts)]
    families = groups.join(families, generated)
    functions = (*declared, *generated)
    by_name: dict[str, Function] = {}
    for function in functions:
        by_name.setdefault(function.qualified_name, function)
    found = groups.groups(families)
    return Program(
        path=program.path,
        functions=functions,
        tags=program.tags,
        groups=tuple(found),
        view_groups=tuple(groups.view_groups(functions)),
        families=tuple(families),
        faulty=program.faulty,
        unread=program.unread,
        by_name=by_name,
        group_of={f.qualified_name: g for g in found for f in g.functions()},
    )
