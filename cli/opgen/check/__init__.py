"""The rules of the format, applied to an expanded program.

Rules of the YAML and of the schema grammar are applied while reading (`opgen.parse`); `rules.RULES` lists
all of them.
"""

from __future__ import annotations

from dataclasses import replace

from opgen.check.registry import FIRST_PROGRAM_CHECKS, FUNCTION_CHECKS, PROGRAM_CHECKS
from opgen.check.unclear import Unclear
from opgen.diagnostics import Report
from opgen.model import Program


def check(program: Program, report: Report) -> None:
    """Adds the faults of `program` to `report`, including comments that ignore nothing.

    Rules that compare entries skip those with faults of their own: one fault should not cause others.
    """
    unclear = Unclear(program)
    for function in program.functions:
        if function.is_generated:
            break
        for check_function, _ in FUNCTION_CHECKS:
            known = len(report.diagnostics)
            report.extend(check_function(function, program))
            if len(report.diagnostics) > known:
                unclear.blame(function, report.diagnostics[known:])
    known = len(report.diagnostics)
    for apply, _ in FIRST_PROGRAM_CHECKS:
        report.extend(unclear.known(apply(program)))
    for fault in report.diagnostics[known:]:
        blamed = unclear.at(fault.span)
        if blamed is not None:
            unclear.blame(blamed, [fault])
    for apply, _ in PROGRAM_CHECKS:
        report.extend(unclear.known(apply(program)))
    report.unclear = unclear.compared()
    _derivatives(_without(program, unclear), report)
    if report.ignores:
        from opgen.check.silence import comments

        comments(report, (f.span for f in program.functions if f.root_name in unclear.names))


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


def _without(program: Program, unclear: Unclear) -> Program:
    if not unclear.functions:
        return program
    clear = tuple(f for f in program.functions if id(f) not in unclear.functions)
    return replace(program, functions=clear, faulty=frozenset(unclear.names))
