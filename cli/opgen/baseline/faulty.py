"""Faults of a version, apart from the entries that gave no function: in parts of entries, in comments, and in
the files beside the functions file.
"""

from __future__ import annotations

import bisect

from opgen.diagnostics import Diagnostic, Report
from opgen.model import FaultyPart, Program


def parts(program: Program, report: Report) -> tuple[FaultyPart, ...]:
    """Returns the faults that lie in none of the entries that gave no function."""
    lines = {line for entry in program.unread for line in entry.lines}
    found = [d for d in report.sorted() if d.span.path != program.path or d.span.line not in lines]
    if not found:
        return ()
    declared = [f for f in program.functions if not f.is_generated]
    starts = [f.line for f in declared]

    def name(fault: Diagnostic) -> str:
        at = bisect.bisect_right(starts, fault.span.line) - 1
        return declared[at].qualified_name if fault.span.path == program.path and at >= 0 else ""

    return tuple(FaultyPart(name(d), d, report.line(d.span.path, d.span.line) or "") for d in found)
