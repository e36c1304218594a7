"""Rules as text: what `opgen explain CODE` prints, and the reference page of all of them."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.check.derivatives.registry import ASKED_CHECKS
from opgen.check.rules import RULES
from opgen.diagnostics import Rule, did_you_mean, shown
from opgen.report.text_format import printable

_ASKED = frozenset(rule.code for _, rules in ASKED_CHECKS for rule in rules)
_MAX_EXAMPLE = 2000

_GROUPS = (
    ("OPG0", "The file, and comments to opgen"),
    ("OPG1", "The grammar of schemas"),
    ("OPG2", "Fields of an entry, and the tags, checks and docs files"),
    ("OPG3", "Names, arguments, variants and bindings"),
    ("OPG4", "Aliasing and mutation"),
    ("OPG5", "Kernels"),
    ("OPG6", "Structured operators"),
    ("OPG7", "Forms of one operation, autogen and views"),
    ("OPG8", "Tags, checks of arguments, and docs"),
    ("OPG9", "Derivatives, and what only generating finds"),
)

_TABLE = "| code | name | severity | what it asks for | |\n|---|---|---|---|---|\n"
_HEAD = """\
# Rules

The rules of `opgen validate`, `generate` and `build`. `opgen explain CODE` prints a rule with a wrong and a
right example. This page is written by `opgen explain --rules -o docs/reference/rules.md`.

*fix*: `opgen validate --fix` fixes the fault if there is only one way to. *fixed level*: the fault leaves
part of the file unread, or makes it impossible to generate a library, so it can't be ignored.
[Validating declarations](../validate.md) describes both.
"""


def find(text: str) -> Rule | None:
    """Finds a rule by code, in any case, or by name."""
    return next((r for r in RULES if r.code == text.upper() or r.name == text), None)


def alike(text: str) -> str | None:
    """Returns the help that names the rule whose code or name is closest to `text`."""
    from opgen.report import breaking_rule_text

    rules = (*RULES, *breaking_rule_text.ALL)
    return did_you_mean(text, [*(r.code for r in rules), *(r.name for r in rules)])


def unknown(text: str) -> str:
    listed = "--breaking-rules" if text.upper().startswith("OPB") else "--rules"
    return f"there is no rule '{shown(text)}'; {alike(text) or f'`opgen explain {listed}` lists them'}"


def one(rule: Rule) -> str:
    parts = [f"{rule.code} {rule.name} ({_severity(rule)})\n\n{rule.summary}\n", _remedies(rule)]
    for title, example in (("Wrong", rule.bad), ("Right", rule.good)):
        if example and len(example) < _MAX_EXAMPLE:
            shown = "".join(f"    {printable(line)}\n" for line in example.splitlines())
            parts.append(f"{title}:\n\n{shown}")
    return "\n".join(parts)


def all_rules() -> str:
    """Returns the reference page, in Markdown."""
    parts = [_HEAD]
    for prefix, title in _GROUPS:
        parts.append(f"\n## {title}\n\n{_TABLE}")
        parts += [_row(rule) for rule in sorted(RULES, key=lambda r: r.code) if rule.code.startswith(prefix)]
    return "".join(parts)


def _row(rule: Rule) -> str:
    summary = rule.summary.replace("|", "\\|")
    marks = ", ".join(["fix"] * rule.fixable + ["fixed level"] * (not rule.ignorable))
    return f"| {rule.code} | {rule.name} | {_severity(rule)} | {summary} | {marks} |\n"


def _severity(rule: Rule) -> str:
    return f"{rule.severity.name}, off by default" if rule.code in _ASKED else rule.severity.name


def _remedies(rule: Rule) -> str:
    return "".join(f"{line}\n" for line in _remedy_lines(rule))


def _remedy_lines(rule: Rule) -> Iterator[str]:
    if rule.code in _ASKED:
        setting = f'[rules] {rule.code} = "{rule.severity.name}"'
        yield f"Applied only where a configuration gives it a level: {setting}."
    if rule.fixable:
        yield "`opgen validate --fix` fixes it where there is only one way to."
    if rule.ignorable:
        yield f"Ignored by a comment: # opgen: ignore[{rule.code}] reason"
    else:
        yield "It cannot be ignored or given another level."
