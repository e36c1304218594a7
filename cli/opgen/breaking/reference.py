"""The reference page of all rules, in Markdown."""

from __future__ import annotations

from opgen.breaking.finding import AUDIENCES, EFFECTS, Audience, Effect, Rule
from opgen.breaking.registry import RULES

_GROUPS = (
    ("OPB0", "Entries that cannot be read"),
    ("OPB1", "Operators and overloads"),
    ("OPB2", "Arguments"),
    ("OPB3", "Defaults"),
    ("OPB4", "Types of arguments"),
    ("OPB5", "Results"),
    ("OPB6", "Aliasing and mutation"),
    ("OPB7", "Bindings"),
    ("OPB8", "Kernels"),
    ("OPB9", "Tags, derivatives, checks, deprecated signatures"),
)

_HEAD = """\
# Breaking rules

The rules of `opgen breaking`. `opgen explain OPB201` prints a rule with an example before and after;
`tests/breaking/findings.txt` has the findings for all examples and for similar changes that break nobody.
[Breaking changes](../breaking.md) describes the command.
"""

_TAIL = """
`step` is the version step that the change needs. Findings of operators whose names begin with `_` are one
level lower.
"""


def page() -> str:
    parts = [_HEAD, _legend()]
    for prefix, title in _GROUPS:
        rules = [rule for rule in RULES if rule.code.startswith(prefix)]
        parts.append(f"\n## {title}\n\n{_table(sorted(rules, key=lambda rule: rule.code))}")
    return "".join(parts)


def _legend() -> str:
    audiences = "".join(f"| `{a.value}` | {who} |\n" for a, who in AUDIENCES.items())
    effects = "".join(f"| {e.value} | {what} |\n" for e, what in EFFECTS.items() if e is not Effect.none)
    return f"\n| column | who |\n|---|---|\n{audiences}\n| mark | the change |\n|---|---|\n{effects}{_TAIL}"


def _table(rules: list[Rule]) -> str:
    columns = ["code", "name", "what changed", *(a.value for a in Audience), "step", "what breaks nobody"]
    head = f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}\n"
    return head + "".join(map(_row, rules))


def _row(rule: Rule) -> str:
    marks = ["" if effect is Effect.none else effect.value for effect in rule.effects.values()]
    advice = "never reported" if rule.silent else rule.advice or ""
    cells = [rule.code, rule.name, rule.summary, *marks, rule.bump.name, advice]
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |\n"
