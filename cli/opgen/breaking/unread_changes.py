"""Entries that could not be read: what changed in their operators is unknown, and reported as such."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from opgen.breaking import examples as ex
from opgen.breaking.finding import EVERYONE, NOBODY, NOTHING, Bump, Finding, Rule, Shown, Unread

BASELINE = Rule(
    "OPB001",
    "baseline-unparseable",
    "An entry of the baseline cannot be read: nothing can be said of its operator.",
    NOBODY,
    Bump.none,
    ex.F + ex.func("g(Gone self) -> Tensor"),
    ex.F + ex.func("g(Tensor self) -> Tensor"),
)
NEW = Rule(
    "OPB002",
    "entry-unparseable",
    "An entry of the new file cannot be read: nobody can call its operator.",
    EVERYONE,
    Bump.major,
    ex.F + ex.func("g(Tensor self) -> Tensor"),
    ex.F + ex.func("g(Tensr self) -> Tensor"),
    "fix the entry; `opgen validate` says what is wrong with it",
)
RULES = (BASELINE, NEW)


def compare(base: Iterable[Unread], new: Iterable[Unread]) -> Iterator[Finding]:
    for entry in base:
        message = f"the baseline's entry of {_operator(entry)} cannot be read: {entry.message}"
        yield _finding(BASELINE, entry, message, in_baseline=True)
    for entry in new:
        yield _finding(NEW, entry, f"the entry of {_operator(entry)} cannot be read: {entry.message}")


def _operator(entry: Unread) -> str:
    return f"'{entry.name}'" if entry.name else "an operator without a name"


def _finding(rule: Rule, entry: Unread, message: str, in_baseline: bool = False) -> Finding:
    text = " ".join(entry.text.split())
    shown = Shown(text, ((0, len(text)),) if text else ())
    return Finding(
        rule,
        entry.name,
        message,
        entry.span,
        shown if in_baseline else NOTHING,
        NOTHING if in_baseline else shown,
        in_baseline,
        help=rule.advice,
        breaks=rule.breaks,
        private=entry.name.startswith("_") and not entry.name.startswith("__"),
    )
