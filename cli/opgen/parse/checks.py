"""A checks file to entries: operators, and conditions on their arguments."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from opgen.diagnostics import Report, Rule, Severity, Span
from opgen.model.checks import (
    ANY,
    COMPARISONS,
    DEVICES,
    IN,
    MAY_BE,
    UNDEFINED,
    Check,
    CheckEntry,
    Range,
    RangeKind,
    Subject,
)
from opgen.model.dtypes import DTYPES
from opgen.parse import entries
from opgen.parse.nodes import Scalar, describe
from opgen.parse.source import Item

CHECKS_PART = "# checks.yaml\n"
_FUNCTION = "- func: f(Tensor self, int n) -> Tensor\n  dispatch:\n    CPU: f\n"
_GOOD = f"{_FUNCTION}{CHECKS_PART}- ops: [f]\n  checks: [n > 0]\n"

ENTRY = Rule(
    "OPG260",
    "checks-entry",
    Severity.error,
    "An entry of a checks file has 'ops', a list of operators, and 'checks', a list of conditions, or 'by',"
    " the operator that these call and that makes its own.",
    f"{_FUNCTION}{CHECKS_PART}- ops: [f]\n",
    _GOOD,
    ignorable=False,
)
CONDITION = Rule(
    "OPG261",
    "check-condition",
    Severity.error,
    "A condition is an argument, len(), dim(), dtype(), values() or device() of one, a relation and what it"
    " is compared with.",
    f"{_FUNCTION}{CHECKS_PART}- ops: [f]\n  checks: [n is positive]\n",
    _GOOD,
    ignorable=False,
)
RULES = (ENTRY, CONDITION)
T = TypeVar("T")

FIELDS = ("ops", "checks", "by")

_TOKEN = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*|-?[0-9]+|[<>!=]=|\S)")
_NUMBER = re.compile(r"-?[0-9]{1,18}", re.ASCII)
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_QUALIFIED = re.compile(r"(?:\w+::)?[A-Za-z_]\w*(?:\.\w+)?", re.ASCII)
_RIGHT = {
    Subject.value: "a number, 'in' with dims(T) or size(T, dim), 'may be undefined' or 'may be any'",
    Subject.length: "a number, or 'in' with some",
    Subject.rank: "a number, or 'in' with some",
    Subject.dtype: "'in' with dtypes",
    Subject.entries: "'in' with size(T, dim) or product(LIST)",
    Subject.device: "'may be' with cpu or any",
}


def read(items: Iterable[Item], report: Report) -> tuple[list[CheckEntry], frozenset[str]]:
    """Returns the entries in order, and the names in faulty entries, those of operators among them."""
    found = []
    faulty: set[str] = set()
    for item in items:
        known = len(report.diagnostics)
        entry = None if item.node is None else _entry(item, report)
        if entry is not None:
            found.append(entry)
        if item.node is None or len(report.diagnostics) > known:
            faulty.update(_QUALIFIED.findall(item.text))
    return found, frozenset(faulty)


def _entry(item: Item, report: Report) -> CheckEntry | None:
    node = entries.mapping(item, FIELDS, "'ops:' and 'checks:'", ENTRY, report)
    if node is None:
        return None
    by = node.values.get("by")
    if by is not None and not isinstance(by, Scalar):
        report.add(ENTRY.at(item.source.span(by), f"'by' must be an operator, but it is {describe(by)}"))
    made_by = (by.value, item.source.span(by)) if isinstance(by, Scalar) else None
    names = tuple((text.value, item.source.span(text)) for text in entries.texts(item, "ops", ENTRY, report))
    checks = tuple(_conditions(item, report)) if by is None or "checks" in node.values else ()
    return CheckEntry(names, checks, made_by) if names else None


def _conditions(item: Item, report: Report) -> Iterator[Check]:
    for text in entries.texts(item, "checks", ENTRY, report):
        try:
            yield _Reader(text.value).check(item.source.span(text))
        except _Unread as fault:
            span = item.source.inside(text, fault.start, max(fault.end, fault.start + 1))
            report.add(CONDITION.at(span, f"expected {fault.expected}, but got {fault.got}"))


class _Unread(Exception):
    def __init__(self, expected: str, got: str, start: int, end: int):
        self.expected, self.got, self.start, self.end = expected, got, start, end
        super().__init__(expected)


class _Reader:
    """The tokens of one condition."""

    def __init__(self, text: str):
        self._text, self._at = text, 0
        self._words = [(m[1], m.start(1), m.end(1)) for m in _TOKEN.finditer(text)]

    def check(self, span: Span) -> Check:
        subject, argument = self._subject()
        relation = self._relation(subject)
        check = Check(subject, argument, relation, **self._right(subject, relation), span=span)
        if self._peek():
            raise self._unread("the end")
        return check

    def _subject(self) -> tuple[Subject, str]:
        kind = next((s for s in Subject if s.value and self._follows(s.value, "(")), Subject.value)
        if kind is Subject.value:
            return kind, self._name("an argument")
        self._expect(kind.value)
        self._expect("(")
        name = self._name("an argument")
        self._expect(")")
        return kind, name

    def _relation(self, subject: Subject) -> str:
        if subject in (Subject.device, Subject.value) and self._follows("may", "be"):
            self._at += 2
            return MAY_BE
        only_in = subject in (Subject.dtype, Subject.entries)
        allowed = () if subject is Subject.device else (IN,) if only_in else (*COMPARISONS, IN)
        if self._peek() not in allowed:
            raise self._unread(_RIGHT[subject])
        return self._take()

    def _right(self, subject: Subject, relation: str) -> dict[str, Any]:
        if relation == MAY_BE:
            return {"words": (self._one_of(DEVICES if subject is Subject.device else (UNDEFINED, ANY)),)}
        if relation != IN:
            return {"numbers": (self._number(),)}
        if subject is Subject.dtype:
            return {"words": tuple(self._several(self._dtype))}
        if subject in (Subject.length, Subject.rank):
            return {"numbers": tuple(self._several(self._number))}
        return {"range": self._range(subject)}

    def _several(self, one: Callable[[], T]) -> Iterator[T]:
        yield one()
        while self._peek() == ",":
            self._take()
            yield one()

    def _range(self, subject: Subject) -> Range:
        wrapped = self._peek() == "wrapped"
        if wrapped:
            self._take()
        other = RangeKind.product if subject is Subject.entries else RangeKind.dims
        kind = RangeKind(self._one_of((other.value, RangeKind.size.value)))
        self._expect("(")
        of, dim, more = self._name("an argument"), None, 0
        if kind is RangeKind.size:
            self._expect(",")
            dim = self._number() if _NUMBER.fullmatch(self._peek()) else self._name("a dimension")
        self._expect(")")
        if kind is RangeKind.dims and self._peek() == "+":
            self._take()
            more = self._number()
        return Range(kind, of, dim, more, wrapped or kind is RangeKind.dims)

    def _dtype(self) -> str:
        if self._peek() not in DTYPES:
            raise self._unread("a dtype, such as Long")
        return self._take()

    def _number(self) -> int:
        if not _NUMBER.fullmatch(self._peek()):
            raise self._unread("a whole number of at most 18 digits")
        return int(self._take())

    def _name(self, what: str) -> str:
        if not _NAME.fullmatch(self._peek()):
            raise self._unread(what)
        return self._take()

    def _one_of(self, words: Iterable[str]) -> str:
        if self._peek() not in words:
            raise self._unread(" or ".join(words))
        return self._take()

    def _expect(self, word: str) -> None:
        if self._peek() != word:
            raise self._unread(f"'{word}'")
        self._take()

    def _follows(self, *words: str) -> bool:
        return [word for word, _, _ in self._words[self._at : self._at + len(words)]] == list(words)

    def _peek(self) -> str:
        return self._words[self._at][0] if self._at < len(self._words) else ""

    def _take(self) -> str:
        self._at += 1
        return self._words[self._at - 1][0]

    def _unread(self, expected: str) -> _Unread:
        if self._at < len(self._words):
            word, start, end = self._words[self._at]
            return _Unread(expected, f"'{word}'", start, end)
        return _Unread(expected, "the end", len(self._text), len(self._text))
