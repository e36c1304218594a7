"""The rules of the format, applied to an expanded program.

Rules of the YAML and of the schema grammar are applied while reading (`opgen.parse`); `rules.RULES` lists
all of them.
"""

from __future__ import annotations

from dataclasses import replace

from opgen.check.registry import FIRST_PROGRAM_CHECKS, FUNCTION_CHECKS, PROGRAM_CHECKS
from opgen.diagnostics import Report, Severity
from opgen.model import Program


def check(program: Program, report: Report) -> None:
    """Adds the faults of `program` to `report`, including comments that ignore nothing.

    Rules that compare entries skip those with faults of their own: one fault should not cause others.
    """
    faulty = set(program.faulty)
    for function in program.functions:
        if function.is_generated:
            break
        for check_function, _ in FUNCTION_CHECKS:
            known = len(report.diagnostics)
            report.extend(check_function(function, program))
            if any(d.severity is Severity.error for d in report.diagnostics[known:]):
                faulty.add(function.root_name)
    sound = _without(program, faulty)
    known = len(report.diagnostics)
    for apply, _ in FIRST_PROGRAM_CHECKS:
        report.extend(apply(sound))
    errors = {d.span for d in report.diagnostics[known:] if d.severity is Severity.error}
    faulty.update(f.root_name for f in sound.functions if f.span in errors)
    sound = _without(sound, faulty)
    for apply, _ in PROGRAM_CHECKS:
        report.extend(apply(sound))
    _derivatives(sound, report)
    if report.ignores:
        from opgen.check.silence import comments

        comments(report, (f.span for f in program.functions if f.root_name in faulty))


def _derivatives(program: Program, report: Report) -> None:
    if program.derivatives is None and not report.levels:
        return
    from opgen.check.derivatives.registry import ASKED_CHECKS, CHECKS

    if program.derivatives is not None:
        for apply, _ in CHECKS:
            report.extend(apply(program))
    for apply, (rule,) in ASKED_CHECKS:
        if report.levels.get(rule.code) is not None:
            report.extend(apply(program))


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
