"""Conditions to functions: those of each entry to all forms of the operators that it names, and those that
schemas imply.
"""

from __future__ import annotations

from collections.abc import Iterable

from opgen.model import Function, Program
from opgen.model.checks import IN, Check, CheckEntry, Checks, Range, RangeKind, Subject
from opgen.model.types import TENSOR, Base

# Arguments that name dimensions of `self`, unless a checks file says otherwise.
DIMS = frozenset({"dim", "dims", "dim0", "dim1", "dim2", "dims_self", "start_dim", "end_dim"})


def match(program: Program, path: str, entries: Iterable[CheckEntry]) -> Checks:
    entries = tuple(entries)
    found: dict[str, tuple[Check, ...]] = {}
    forms = {f.qualified_name: family.functions for family in program.families for f in family.functions}
    for entry in entries:
        for name, _ in entry.ops:
            for function in forms.get(name, ()):
                found[function.qualified_name] = (*found.get(function.qualified_name, ()), *entry.checks)
    for function in program.functions:
        written = found.get(function.qualified_name, ())
        implied = tuple(c for c in _implied(function) if not _is_said(c, written))
        if written or implied:
            found[function.qualified_name] = (*written, *implied)
    return Checks(path, entries, found)


def _implied(function: Function) -> Iterable[Check]:
    arguments = function.schema.arguments
    if arguments.self_arg is None or arguments.self_arg.type != TENSOR:
        return
    for a in arguments.positional:
        if a.name in DIMS and a.type.is_like(Base.int):
            yield Check(Subject.value, a.name, IN, range=Range(RangeKind.dims, "self", wrapped=True))


def _is_said(check: Check, written: Iterable[Check]) -> bool:
    """Is there something about the same of the same argument?"""
    return any(c.subject is check.subject and c.argument == check.argument for c in written)
