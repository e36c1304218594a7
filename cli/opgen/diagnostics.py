"""Faults of the input: where (Span), what (Diagnostic), and all of one run (Report).

Lines and columns count from 1; a column counts characters of the line. An end column is the first one
after the range.
"""

from __future__ import annotations

import enum
import functools
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple


class Span(NamedTuple):
    path: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"


# Control and formatting characters, and line separators that editors don't show as such.
UNSEEN = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
_OBEYED = re.compile(f"[{UNSEEN}]|\r(?!\n)")


def shown(text: str) -> str:
    """Returns `text`, a name or user input, with characters escaped that a terminal would not print as they
    are.
    """
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def visible(text: str) -> str:
    """Like shown(), for text of any number of lines."""
    return _OBEYED.sub(lambda found: shown(found[0]), text)


class InputError(Exception):
    """A file that can't be read or written at all; the command exits with the usage code."""


MAX_FAULTS = 2000  # a file with more is the wrong file
MAX_NOTES = 6000  # the same for a lenient report: two for each of the 2,700 entries of PyTorch's file


class TooManyFaults(Exception):
    """Ends the run: finding more faults would take time and help nobody."""


class Severity(enum.IntEnum):
    """In order of weight: only errors make a run fail."""

    error = 0
    warning = 1
    note = 2


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that the message mentions ("first declared here")."""

    span: Span
    message: str


class Edit(NamedTuple):
    """Replaces `span` with `text`; an insertion where the span is empty."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """`fix`: edits that fix it and change nothing else. What is not `ignorable` can't be silenced by
    comments or configuration. `facts` are further fields of its record; `fingerprint` is computed on output
    where there is none.
    """

    code: str
    name: str
    severity: Severity
    span: Span
    message: str
    help: str | None = None
    related: tuple[Related, ...] = ()
    fix: tuple[Edit, ...] = ()
    ignorable: bool = True
    fingerprint: str | None = None
    facts: tuple[tuple[str, object], ...] = ()


@dataclass(frozen=True, slots=True)
class Ignore:
    """A comment that silences `codes` (each with its place) on `lines`; `entry` are the lines of the entry
    that contains it. `reason` is its remaining text.
    """

    span: Span
    codes: tuple[tuple[str, Span], ...]
    lines: range
    entry: range
    reason: str = ""

    def covers(self, diagnostic: Diagnostic) -> bool:
        return (
            diagnostic.span.line in self.lines
            and diagnostic.span.path == self.span.path
            and any(code == diagnostic.code for code, _ in self.codes)
        )


@dataclass(slots=True)
class Report:
    """Collects diagnostics; `sources` has the files' lines for excerpts.

    `ignores` are the comments that silence some, and `used` those that did, with the code. `levels` are the
    severities that a configuration gives to rules, by code, None for off. `edited` texts are read in place of
    their files. `unclear` are the operations that were not compared with others, because of their faults. A
    `lenient` report is of files that need not be sound: faults are notes, there may be more of them, and the
    readers read on after each. `given_up` are the faults of files that could not be read at all.
    """

    diagnostics: list[Diagnostic] = field(default_factory=list)
    sources: dict[str, Callable[[], list[str]]] = field(default_factory=dict)
    ignores: list[Ignore] = field(default_factory=list)
    used: set[tuple[Ignore, str]] = field(default_factory=set)
    levels: Mapping[str, Severity | None] = field(default_factory=dict)
    edited: Mapping[str, bytes] = field(default_factory=dict)
    unclear: list[str] = field(default_factory=list)
    lenient: bool = False
    given_up: list[Diagnostic] = field(default_factory=list)

    def add(self, diagnostic: Diagnostic) -> None:
        """Adds a diagnostic, unless a comment or the configuration silences it. Raises TooManyFaults at the
        limit.
        """
        if diagnostic.ignorable and (self.ignores or self.levels):
            ignoring = [ignore for ignore in self.ignores if ignore.covers(diagnostic)]
            self.used.update((ignore, diagnostic.code) for ignore in ignoring)
            severity = self.levels.get(diagnostic.code, diagnostic.severity)
            if ignoring or severity is None:
                return
            diagnostic = replace(diagnostic, severity=severity)
        if self.lenient:
            diagnostic = replace(diagnostic, severity=Severity.note)
        self.diagnostics.append(diagnostic)
        if len(self.diagnostics) == (MAX_NOTES if self.lenient else MAX_FAULTS):
            raise TooManyFaults

    def give_up(self, diagnostic: Diagnostic) -> None:
        """Adds the fault for which nothing of its file is read."""
        self.given_up.append(diagnostic)
        self.add(diagnostic)

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        for diagnostic in diagnostics:
            self.add(diagnostic)

    def sorted(self) -> list[Diagnostic]:
        """Returns the diagnostics by place, without duplicates."""
        unique = dict.fromkeys(self.diagnostics)
        return sorted(unique, key=lambda d: (d.span, d.severity, d.code, d.message))

    def count(self, severity: Severity) -> int:
        return sum(d.severity is severity for d in dict.fromkeys(self.diagnostics))

    @property
    def failed(self) -> bool:
        return any(d.severity is Severity.error for d in self.diagnostics)

    def failed_since(self, known: int) -> bool:
        """Whether there is an error after the first `known` diagnostics."""
        return any(d.severity is Severity.error for d in self.diagnostics[known:])

    def line(self, path: str, number: int) -> str | None:
        """Returns line `number` of `path`; None when the file was not read in this run."""
        lines = self.sources.get(path, list)()
        return lines[number - 1] if 0 < number <= len(lines) else None


@dataclass(frozen=True, slots=True)
class Rule:
    """What `opgen explain CODE` prints; `bad` and `good` are whole files, which the tests run.

    `bad` gives exactly this fault (others may come with it); `good` gives none of this code. `fixable`: some
    of its faults, that of `bad` among them, are fixed by --fix. If a rule is not `ignorable`, its faults
    leave part of the file unread or make a library impossible: neither comments nor configuration silence it.
    """

    code: str
    name: str
    severity: Severity
    summary: str
    bad: str
    good: str
    fixable: bool = False
    ignorable: bool = True

    def at(
        self,
        span: Span,
        message: str,
        help: str | None = None,
        related: tuple[Related, ...] = (),
        fix: tuple[Edit, ...] = (),
    ) -> Diagnostic:
        return Diagnostic(
            self.code, self.name, self.severity, span, message, help, related, fix, self.ignorable
        )


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    """Returns the help text that names the closest of `known`, None when none is close."""
    close = _closest(word, tuple(known))
    return None if close is None else f"did you mean '{close}'?"


@functools.lru_cache(256)  # one typo is often repeated many times
def _closest(word: str, known: tuple[str, ...]) -> str | None:
    import difflib

    folded = {k.lower(): k for k in known}
    if word.lower() in folded:
        return folded[word.lower()]
    close = difflib.get_close_matches(word[:80], known, n=1, cutoff=0.7)
    return close[0] if close else None
