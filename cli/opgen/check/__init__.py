"""The rules of the format, applied to an expanded program.

Rules of the YAML and of the schema grammar are applied while reading (`opgen.parse`); `RULES` lists them all.
"""

from __future__ import annotations

from dataclasses import replace

from opgen.check.registry import FUNCTION_CHECKS, PROGRAM_CHECKS, RULES
from opgen.diagnostics import Report, Severity
from opgen.model import Program

__all__ = ["RULES", "check"]


def check(program: Program, report: Report) -> None:
    """Adds what is wrong with `program` to `report`.

    Rules that compare entries are applied to those without faults of their own: one fault brings no others
    along.
    """
    faulty = set(program.faulty)
    for function in program.functions:
        if function.is_generated:
            break
        for apply, _ in FUNCTION_CHECKS:
            found = list(apply(function, program))
            if found:
                report.diagnostics += found
                if any(d.severity is Severity.error for d in found):
                    faulty.add(function.root_name)
    sound = _without(program, faulty)
    for apply, _ in PROGRAM_CHECKS:
        report.diagnostics += apply(sound)


def _without(program: Program, faulty: set[str]) -> Program:
    if not faulty:
        return program
    return replace(
        program,
        functions=tuple(f for f in program.functions if f.root_name not in faulty),
        families=tuple(f for f in program.families if f.functions[0].root_name not in faulty),
        groups=tuple(g for g in program.groups if g.root_name not in faulty),
        view_groups=tuple(g for g in program.view_groups if g.view.root_name not in faulty),
    )
