"""Breaks that are accepted: by `[[breaking.allow]]` in the configuration, or by a comment
`# opgen: allow[OPB###] reason` on the entry. Both may end: `expires`, a date or a version.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from opgen import config
from opgen.breaking import finding
from opgen.breaking.version import Version
from opgen.config import Config
from opgen.diagnostics import Diagnostic, Report, Rule, Severity, Span, did_you_mean, shown

_ENTRY = "- func: f(Tensor self, int k=0) -> Tensor"
_GOOD = f"{_ENTRY}  # opgen: allow[OPB201] the old name was misleading\n"
_LIKE_DATE = re.compile(r"\d{4}-")
_UNTIL = re.compile(r"\bexpires=(\S+)\s*")


def _rule(code: str, name: str, severity: Severity, summary: str, bad: str) -> Rule:
    return Rule(code, name, severity, summary, f"{_ENTRY}  # opgen: {bad}\n", _GOOD, ignorable=False)


STALE = _rule(
    "OPB011",
    "allow-stale",
    Severity.warning,
    "What is accepted breaks something; when it no longer does (the baseline has it by now), it is deleted.",
    "allow[OPB201] the old name was misleading",
)
EXPIRED = _rule(
    "OPB012",
    "allow-expired",
    Severity.warning,
    "A break is accepted until the date or version that `expires` says; after that it is one again.",
    "allow[OPB201] expires=2020-01-31 the old name was misleading",
)
UNKNOWN = _rule(
    "OPB013",
    "allow-unknown-rule",
    Severity.error,
    "A comment names the rules that it accepts by their codes.",
    "allow[OPB2011] the old name was misleading",
)
MALFORMED_END = _rule(
    "OPB014",
    "allow-malformed-end",
    Severity.error,
    "`expires` is a date, as in 2027-01-31, or a version, as in 2.1.",
    "allow[OPB201] expires=soon the old name was misleading",
)
RULES = (STALE, EXPIRED, UNKNOWN, MALFORMED_END)

End = datetime.date | Version | None


@dataclass(frozen=True, slots=True)
class Accepted:
    """An accepted break: findings of `code` for `operator`, or, if that is None, in the entry on the lines
    `entry` of a file.
    """

    code: str
    reason: str
    span: Span
    operator: str | None = None
    entry: range = range(0)
    end: End = None

    def covers(self, found: finding.Finding) -> bool:
        if found.rule.code != self.code:
            return False
        if self.operator is not None:
            return found.operator == self.operator
        here = not found.in_baseline and found.span.path == self.span.path
        return here and found.span.line in self.entry

    def ended(self, today: datetime.date, version: Version | None) -> bool:
        """Whether it has expired. Without a `version`, those that expire with one are accepted."""
        if isinstance(self.end, Version):
            return version is not None and version >= self.end
        return self.end is not None and today > self.end

    def stale(self) -> Diagnostic:
        what = f"{self.code} finds nothing " + (f"of '{self.operator}' any more" if self.operator else "here")
        return STALE.at(self.span, f"this accepted break is none: {what}", "delete it")

    def expired(self) -> Diagnostic:
        message = f"this break was accepted until {self.end}"
        return EXPIRED.at(self.span, message, "fix it, or accept it again")


def of_configuration(found: Config, rules: Sequence[finding.Rule]) -> list[Accepted]:
    """Returns the breaks accepted by a configuration. Raises InputError for unknown rules, and for an
    `expires` that is neither date nor version.
    """
    by_name = {r.name: r.code for r in rules} | {r.code: r.code for r in rules}
    accepted: list[Accepted] = []
    faults: list[str] = []
    for number, entry in enumerate(found.breaking.get("allow", ())):
        key = f"breaking.allow.{number}"
        code = by_name.get(entry["rule"])
        if code is None:
            help = did_you_mean(entry["rule"], by_name) or "`opgen explain --breaking-rules` lists them"
            faults.append(f"{found.place(f'{key}.rule')}: there is no rule '{entry['rule']}'; {help}")
            continue
        try:
            end = end_of(entry.get("expires"))
        except ValueError as error:
            faults.append(f"{found.place(f'{key}.expires')}: {error}")
            continue
        line = int(found.place(key).rpartition(":")[2])
        span = Span(shown(str(found.path)), line, 1, line, 2)
        accepted.append(Accepted(code, entry["reason"], span, entry["item"], end=end))
    config.fail(faults)
    return accepted


def of_comments(report: Report, rules: Iterable[finding.Rule]) -> tuple[list[Accepted], list[Diagnostic]]:
    """Returns the breaks accepted by comments, and the faults of these comments."""
    known = {rule.code: rule for rule in rules}
    accepted: list[Accepted] = []
    faults: list[Diagnostic] = []
    for comment in report.ignores:
        named = [(code, span) for code, span in comment.codes if code.startswith("OPB")]
        faults += _unknown(named, known)
        until = _UNTIL.search(comment.reason)
        try:
            end = end_of(until[1]) if until else None
        except ValueError as error:
            faults.append(MALFORMED_END.at(comment.span, str(error)))
            continue
        reason = _UNTIL.sub("", comment.reason).strip()
        here = [(code, span) for code, span in named if code in known]
        accepted += [Accepted(code, reason, span, entry=comment.entry, end=end) for code, span in here]
    return accepted, faults


def end_of(given: object) -> End:
    """Parses `expires`. Raises ValueError unless it is a date or a version."""
    if given is None or isinstance(given, datetime.date):
        return given
    text = str(given)
    if not _LIKE_DATE.match(text):
        end = Version.parse(text)
        if end is not None:
            return end
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise ValueError(f"'{text}' is neither a date, as in 2027-01-31, nor a version") from None


def _unknown(named: Sequence[tuple[str, Span]], known: Mapping[str, finding.Rule]) -> Iterator[Diagnostic]:
    for code, span in named:
        if code not in known:
            yield UNKNOWN.at(span, f"there is no rule '{code}'", did_you_mean(code, known))
