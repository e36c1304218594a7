"""What of a version of the declarations could not be read."""

from __future__ import annotations

import re
from dataclasses import dataclass

from opgen.diagnostics import Diagnostic, Span

_NAME = re.compile(r"(?:\bfunc\s*:\s*)?['\"]?((?:\w+::)?\w+(?:\.\w+)?)\s*\(", re.ASCII)


@dataclass(frozen=True, slots=True)
class Unread:
    """The text of an entry that gave no function, its lines, and its first fault."""

    text: str
    fault: Diagnostic
    lines: range = range(0)

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


@dataclass(frozen=True, slots=True)
class FaultyPart:
    """A fault in something that was read apart from it: an entry, by its operator's name, or a comment or
    another file ("" then). `line` is the text of the fault's line.
    """

    name: str
    fault: Diagnostic
    line: str
