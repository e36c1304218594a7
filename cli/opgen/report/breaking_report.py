"""The findings of `opgen breaking` as diagnostics, the input of all formats."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from opgen.baseline import Version
from opgen.breaking.finding import Effect, Finding
from opgen.breaking.verdict import Judged, Verdict
from opgen.breaking.version import Version as Number
from opgen.diagnostics import Diagnostic, Related, Report, Severity, Span

_HOW = {Effect.error: "", Effect.silent: " (without an error)", Effect.some: " (some)"}


@dataclass(frozen=True, slots=True)
class Comparison:
    """Everything that a format may show. `notes`: also changes that break none of the audiences asked for,
    and accepted breaks.
    """

    base: Version
    new: Version
    verdict: Verdict
    notes: bool = False
    versions: tuple[Number, Number] | None = None

    @property
    def told(self) -> Sequence[Judged]:
        """Returns the findings to show, by place."""
        shown = (j for j in self.verdict.judged if self.notes or j.severity is not Severity.note)
        return sorted(shown, key=lambda j: (j.finding.in_baseline, j.finding.span, j.finding.rule.code))

    def count(self, severity: Severity) -> int:
        comments = sum(d.severity is severity for d in self.verdict.comments)
        return comments + sum(j.severity is severity for j in self.verdict.judged)


def said(judged: Judged) -> str:
    """Returns the message, with the operator's name in front unless it contains it, or is unknown."""
    found = judged.finding
    if not found.operator or f"'{found.operator}'" in found.message:
        return judged.message
    return f"{found.operator}: {judged.message}"


def who(found: Finding) -> str:
    """Returns whom it breaks, as in `cpp, python (without an error)`."""
    return ", ".join(f"{a.value}{_HOW.get(found.rule.effects[a], '')}" for a in found.breaks)


def who_not(found: Finding) -> str:
    return ", ".join(a.value for a in found.keeps)


def records(compared: Comparison) -> Report:
    """Returns the report for our own JSON: every finding, at its place in either version."""
    return _report(compared, (_record(j) for j in compared.verdict.judged))


def for_tools(compared: Comparison) -> Report:
    """Returns the report for tools that show the new file: findings in the baseline only are placed where the
    line was.
    """
    places = _Places(compared.base, compared.new)
    return _report(compared, (_annotation(j, places) for j in compared.told))


def _report(compared: Comparison, diagnostics: Iterable[Diagnostic]) -> Report:
    sources = {**compared.base.report.sources, **compared.new.report.sources}
    return Report([*diagnostics, *compared.verdict.comments], sources)


def _record(judged: Judged) -> Diagnostic:
    found = judged.finding
    facts = {
        "breaks": tuple(a.value for a in found.breaks),
        "bump": found.bump.name,
        "operator": found.operator,
        "operators": judged.operators,
        "before": str(found.before),
        "after": str(found.after),
        "worked": found.worked,
        "fails": found.fails,
        "accepted": judged.accepted,
        "fingerprint": found.fingerprint,
    }
    return _diagnostic(judged, found.span, judged.message, found.related, tuple(facts.items()))


def _annotation(judged: Judged, places: _Places) -> Diagnostic:
    found = judged.finding
    breaks = f"; breaks {who(found)}" if found.breaks else ""
    before = f"; before: {found.before}" if found.before.text else ""
    message = f"{said(judged)}{breaks}{before}"
    return _diagnostic(judged, places.of(found), message, places.related(found.related))


def _diagnostic(
    judged: Judged,
    span: Span,
    message: str,
    related: tuple[Related, ...],
    facts: tuple[tuple[str, object], ...] = (),
) -> Diagnostic:
    found = judged.finding
    return Diagnostic(
        found.rule.code,
        found.rule.name,
        judged.severity,
        span,
        message,
        found.help,
        related,
        fingerprint=found.fingerprint,
        facts=facts,
    )


class _Places:
    """Places in the files of the checkout, for findings in either version."""

    def __init__(self, base: Version, new: Version):
        self.base, self.new = base, new
        self.declared = [f for f in base.program.functions if not f.is_generated]
        self.lines = [f.line for f in self.declared]

    def of(self, found: Finding) -> Span:
        if not found.in_baseline:
            return self._in_checkout(found.span)
        line = self._line(found.operator) or self._stood(found.span) or 1
        return self._in_checkout(Span(self.new.program.path, line, 1, line, 2))

    def related(self, related: Iterable[Related]) -> tuple[Related, ...]:
        """Returns what lies in files: a place in the baseline's commit is none in the file of today."""
        committed = self.base.in_checkout.keys() - self.new.in_checkout.keys()
        return tuple(
            Related(self._in_checkout(r.span), r.message) for r in related if r.span.path not in committed
        )

    def _in_checkout(self, span: Span) -> Span:
        """Returns the place in the checkout's file of the same path, for a place in a commit's file."""
        for version in (self.new, self.base):
            path = version.in_checkout.get(span.path)
            if path is not None:
                return span._replace(path=path)
        return span

    def _line(self, operator: str) -> int | None:
        kept = self.new.program.function(operator)
        return None if kept is None or kept.is_generated else kept.line

    def _stood(self, span: Span) -> int | None:
        """Returns where the line was: the line of the last entry before it that the new file still has."""
        if span.path != self.base.program.path:
            return None
        before = self.declared[: max(0, bisect.bisect_right(self.lines, span.line) - 1)]
        return next(filter(None, (self._line(f.qualified_name) for f in reversed(before))), None)
