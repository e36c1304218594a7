"""Rules of `opgen breaking` as text, and as other formats name them."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.breaking import allow
from opgen.breaking.finding import AUDIENCES, DEFAULT_AUDIENCES, EFFECTS, Bump, Effect, Rule
from opgen.breaking.reference import page
from opgen.breaking.registry import RULES
from opgen.diagnostics import Rule as CommentRule
from opgen.diagnostics import Severity
from opgen.report.text_format import printable

ALL: tuple[Rule | CommentRule, ...] = (*RULES, *allow.RULES)
CODES = [rule.code for rule in ALL]


def find(text: str) -> Rule | CommentRule | None:
    """Finds a rule by code, in any case, or by name."""
    return next((r for r in ALL if r.code == text.upper() or r.name == text), None)


def severity(rule: Rule | CommentRule) -> Severity:
    """Returns the severity of its findings when no audience was asked for and the operator is not private."""
    if isinstance(rule, CommentRule):
        return rule.severity
    asked = any(audience in DEFAULT_AUDIENCES for audience in rule.breaks)
    return Severity.error if asked else Severity.note


def one(text: str) -> str | None:
    """Returns the whole text of a rule; None when there is none of this code or name."""
    rule = find(text)
    if rule is None:
        return None
    parts = [f"{rule.code} {rule.name} ({severity(rule).name})\n\n{rule.summary}\n"]
    if isinstance(rule, CommentRule):
        return "\n".join((*parts, _example("Wrong", rule.bad), _example("Right", rule.good)))
    parts.append("".join(f"{line}\n" for line in _judgement(rule)))
    return "\n".join((*parts, _example("Before", rule.before), _example("After", rule.after)))


def all_rules() -> str:
    """Returns the reference page, in Markdown, with the rules about accepted breaks."""
    head = "\n## Accepted breaks\n\n| code | name | severity | what it asks for |\n|---|---|---|---|\n"
    rows = (f"| {r.code} | {r.name} | {r.severity.name} | {r.summary} |\n" for r in allow.RULES)
    return "".join((page(), head, *rows))


def _judgement(rule: Rule) -> Iterator[str]:
    if rule.silent:
        yield "Never reported: this difference is none to anybody."
        return
    for audience, effect in rule.effects.items():
        if effect is not Effect.none:
            yield f"{audience.value}: {EFFECTS[effect]} ({AUDIENCES[audience]})"
    if not rule.breaks:
        yield "It breaks nobody."
    if rule.bump is not Bump.none:
        yield f"It needs a {rule.bump.name} version."
    if rule.advice:
        yield f"Instead: {rule.advice}."
    yield f"Accepted by a comment on the entry: # opgen: allow[{rule.code}] reason"
    yield f'Given another level by the configuration: [breaking.rules] {rule.code} = "warning"'


def _example(title: str, text: str) -> str:
    return f"{title}:\n\n" + "".join(f"    {printable(line)}\n" for line in text.splitlines())
