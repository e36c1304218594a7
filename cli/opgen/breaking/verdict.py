"""From findings to a verdict: which findings fail, are accepted, or were known before."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from opgen.breaking.allow import Accepted
from opgen.breaking.finding import DEFAULT_AUDIENCES, Audience, Bump, Finding
from opgen.breaking.version import Version
from opgen.diagnostics import Diagnostic, Severity


@dataclass(frozen=True, slots=True)
class Question:
    """For which audiences nothing may break. `levels` are the severities that a configuration gives to rules,
    by code, None for off; `known` the fingerprints of findings from before this change. With `versions`,
    breaks that the step between them allows don't fail.
    """

    audiences: Collection[Audience] = DEFAULT_AUDIENCES
    levels: Mapping[str, Severity | None] = field(default_factory=dict)
    accepted: Sequence[Accepted] = ()
    known: Collection[str] = ()
    versions: tuple[Version, Version] | None = None
    today: datetime.date = field(default_factory=datetime.date.today)

    @property
    def step(self) -> Bump | None:
        return None if self.versions is None else self.versions[0].step_to(self.versions[1])


@dataclass(frozen=True, slots=True)
class Judged:
    """A finding with its verdict. `accepted` is why it does not fail, None where it is not accepted; `needs`
    is the least version step that it requires. `announced`: it breaks users, and fails not because the step
    between the versions says so. `others` are equal findings of other operators.
    """

    finding: Finding
    severity: Severity
    needs: Bump
    accepted: str | None = None
    announced: bool = False
    others: tuple[Finding, ...] = ()

    @property
    def operators(self) -> tuple[str, ...]:
        return (self.finding.operator, *(f.operator for f in self.others))

    @property
    def message(self) -> str:
        if not self.others:
            return self.finding.message
        names = ", ".join(f"'{name}'" for name in self.operators[1 : 1 + _NAMED])
        more = len(self.others) - _NAMED
        return f"{self.finding.message}; so it is for {names}" + (f" and {more} more" if more > 0 else "")


_NAMED = 3  # operators in a message about many


@dataclass(frozen=True, slots=True)
class Verdict:
    """All judged findings. `comments`: faults of the comments that accept breaks."""

    judged: tuple[Judged, ...]
    comments: tuple[Diagnostic, ...] = ()

    @property
    def failed(self) -> bool:
        wrong = any(d.severity is Severity.error for d in self.comments)
        return wrong or any(j.severity is Severity.error for j in self.judged)

    @property
    def needs(self) -> Bump:
        return max((j.needs for j in self.judged), default=Bump.none)


def judge(findings: Sequence[Finding], question: Question, faults: Sequence[Diagnostic] = ()) -> Verdict:
    """Judges all findings. `faults` are those of comments that could not be read."""
    version = question.versions[1] if question.versions else None
    ended = [a for a in question.accepted if a.ended(question.today, version)]
    held: dict[str, list[Accepted]] = {}
    for accepted in question.accepted:
        if not accepted.ended(question.today, version):
            held.setdefault(accepted.code, []).append(accepted)
    used: set[int] = set()
    judged = []
    for found in findings:
        covering = [a for a in held.get(found.rule.code, ()) if a.covers(found)]
        used.update(map(id, covering))
        level = _level(found, question)
        if level is not None and found.fingerprint not in question.known:
            judged.append(_judged(found, level, covering, question.step))
    stale = [a.stale() for several in held.values() for a in several if id(a) not in used]
    return Verdict(tuple(_grouped(judged)), (*faults, *stale, *(a.expired() for a in ended)))


def _grouped(judged: Sequence[Judged]) -> Iterable[Judged]:
    """Returns the findings, those that are told as one as the first of them."""
    groups: dict[object, list[Judged]] = {}
    for j in judged:
        found = j.finding
        same = (found.message, found.private, j.severity, j.accepted) if found.rule.alike else id(j)
        groups.setdefault((found.rule.code, same), []).append(j)
    return (replace(first, others=tuple(j.finding for j in others)) for first, *others in groups.values())


def _judged(found: Finding, level: Severity, covering: Sequence[Accepted], step: Bump | None) -> Judged:
    """Judges one finding. If it breaks none of the audiences asked for, it requires a minor version at most;
    an accepted break requires the same step as if it were not accepted.
    """
    needs = found.bump if level is Severity.error else min(found.bump, Bump.minor)
    announced = step is not None and needs <= step and level is not Severity.note
    if step is not None:
        level = Severity.error if needs > step else Severity.note
    elif covering:
        level = Severity.note
    return Judged(found, level, needs, covering[0].reason if covering else None, announced)


def _level(found: Finding, question: Question) -> Severity | None:
    """Returns the severity. A level set for the rule holds whatever audiences were asked for; a private
    operator's level is one lower. A finding whose rule requires no version step is a note.
    """
    if found.rule.code not in question.levels:
        return Severity.note if found.rule.bump is Bump.none else found.severity(question.audiences)
    level = question.levels[found.rule.code]
    return Severity(min(level + 1, Severity.note)) if level is not None and found.private else level
