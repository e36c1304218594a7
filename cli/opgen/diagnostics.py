"""Faults of the input: where (Span), what (Diagnostic), and all of one run (Report).

Lines and columns count from 1; a column counts characters of the line. An end column is the first one
after the range.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple


class Span(NamedTuple):
    path: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"


class InputError(Exception):
    """A file that cannot be read or written at all; the command ends with the usage code."""


class Severity(enum.IntEnum):
    """In order of weight: only errors make a run fail."""

    error = 0
    warning = 1
    note = 2


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that the message speaks of ("first declared here")."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    code: str
    name: str
    severity: Severity
    span: Span
    message: str
    help: str | None = None
    related: tuple[Related, ...] = ()


@dataclass(slots=True)
class Report:
    """Collects diagnostics; `sources` gives a file's lines to whoever prints excerpts."""

    diagnostics: list[Diagnostic] = field(default_factory=list)
    sources: dict[str, Callable[[], list[str]]] = field(default_factory=dict)

    def add(self, diagnostic: Diagnostic) -> None:
        self.diagnostics.append(diagnostic)

    def sorted(self) -> list[Diagnostic]:
        """By place, each once."""
        unique = dict.fromkeys(self.diagnostics)
        return sorted(unique, key=lambda d: (d.span, d.severity, d.code, d.message))

    def count(self, severity: Severity) -> int:
        return sum(d.severity is severity for d in dict.fromkeys(self.diagnostics))

    @property
    def failed(self) -> bool:
        return any(d.severity is Severity.error for d in self.diagnostics)

    def line(self, path: str, number: int) -> str | None:
        """Line `number` of `path`, None when the file was not read in this run."""
        lines = self.sources.get(path, list)()
        return lines[number - 1] if 0 < number <= len(lines) else None


@dataclass(frozen=True, slots=True)
class Rule:
    """What `opgen explain CODE` prints; `bad` and `good` are whole files, which the tests run.

    `bad` gives exactly this fault (others may come with it); `good` gives none of this code.
    """

    code: str
    name: str
    severity: Severity
    summary: str
    bad: str
    good: str

    def at(
        self, span: Span, message: str, help: str | None = None, related: tuple[Related, ...] = ()
    ) -> Diagnostic:
        return Diagnostic(self.code, self.name, self.severity, span, message, help, related)


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    """The help text that names the closest of `known`, None when none is close."""
    import difflib

    known = list(known)
    folded = {k.lower(): k for k in known}
    if word.lower() in folded:
        return f"did you mean '{folded[word.lower()]}'?"
    close = difflib.get_close_matches(word[:80], known, n=1, cutoff=0.7)
    return f"did you mean '{close[0]}'?" if close else None
