"""Entries of a file that gave no function: which, and why."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterable
from dataclasses import dataclass

from opgen.diagnostics import Diagnostic, Report, Span
from opgen.model import Program

_NAME = re.compile(r"(?:\bfunc\s*:\s*)?['\"]?((?:\w+::)?\w+(?:\.\w+)?)\s*\(", re.ASCII)
_ITEM = re.compile(r"( *)-(?:\s|$)")


@dataclass(frozen=True, slots=True)
class Unread:
    """The text of an entry, and its first fault."""

    text: str
    fault: Diagnostic

    @property
    def name(self) -> str:
        """Returns the operator's name, as far as it is known; "" else."""
        found = _NAME.search(self.text)
        return found[1] if found else ""

    @property
    def span(self) -> Span:
        return self.fault.span

    @property
    def message(self) -> str:
        return self.fault.message


def entries(program: Program, report: Report) -> tuple[Unread, ...]:
    """Returns the entries of the functions file that gave no function, in order."""
    if not any(d.span.path == program.path for d in report.diagnostics):
        return ()
    lines = report.sources.get(program.path, list)()
    starts = _starts(lines)
    read = {_entry(starts, f.line) for f in program.functions if not f.is_generated}
    found: dict[int, Unread] = {}
    for d in report.sorted():
        at = _entry(starts, d.span.line)
        if d.span.path == program.path and at >= 0 and at not in read and at not in found:
            end = starts[at + 1] - 1 if at + 1 < len(starts) else len(lines)
            found[at] = Unread("\n".join(_bare(lines[starts[at] - 1 : end])), d)
    return tuple(found.values())


def _starts(lines: list[str]) -> list[int]:
    """Returns the line numbers on which the items of the top-level list begin."""
    first = next(filter(None, map(_ITEM.match, lines)), None)
    if first is None:
        return []
    begins = f"{first[1]}-"
    return [n for n, line in enumerate(lines, 1) if line.startswith(begins) and _ITEM.match(line)]


def _entry(starts: list[int], line: int) -> int:
    return bisect.bisect_right(starts, line) - 1


def _bare(lines: Iterable[str]) -> list[str]:
    """Returns the lines without blank and comment lines, which don't change an entry."""
    return [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
