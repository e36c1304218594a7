"""The message and place of each fault: the rules' own wrong examples, and those of fault_examples.py.

`UPDATE_SNAPSHOT=1 pytest tests/cli/validate/test_fault_snapshot.py` rewrites faults.txt: read the diff before
committing.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from fault_examples import EXAMPLES
from front import checked, files
from opgen.check.rules import RULES
from opgen.diagnostics import Diagnostic, Severity, Span
from opgen.parse import yaml_rules
from rule_examples import ASKED, TAG_FILE

SNAPSHOT = Path(__file__).with_name("faults.txt")
LONGEST = 200
# Rules whose examples only describe files of megabytes.
DESCRIBED = {yaml_rules.TOO_LARGE.code, yaml_rules.TOO_MANY.code}


def examples() -> Iterator[tuple[str, str, dict[str, Severity]]]:
    """Yields name, text, and the level that enables a rule which is off by default."""
    for rule in RULES:
        if rule.code not in DESCRIBED | TAG_FILE:
            yield f"{rule.code} {rule.name}", rule.bad, {rule.code: rule.severity} if rule in ASKED else {}
    yield from ((name, text, {}) for name, text in EXAMPLES.items())


def shown(found: Diagnostic, texts: dict[str, str]) -> Iterator[str]:
    yield f"{place(found.span)}: {found.severity.name} {found.code}"
    yield f"    {found.message}"
    yield f"    | {marked(found, texts)[:LONGEST]}"
    if found.help:
        yield f"    help: {found.help}"
    for related in found.related:
        yield f"    {related.message}: {place(related.span)}"
    for edit in found.fix:
        yield f"    edit: {place(edit.span)} {edit.text!r}"


def place(span: Span) -> str:
    return f"{span}-{span.end_line}:{span.end_column}"


def marked(found: Diagnostic, texts: dict[str, str]) -> str:
    """Returns the line with « and » around the place; up to the line's end, where the place is longer."""
    span = found.span
    line = texts[span.path].splitlines()[span.line - 1]
    start, end = span.column - 1, span.end_column - 1 if span.line == span.end_line else len(line)
    return f"{line[:start]}«{line[start:end]}»{line[end:]}"


def printable(text: str) -> str:
    return "".join(c if c.isprintable() or c == "\n" else f"\\u{ord(c):04x}" for c in text)


def test_what_is_said_of_each_fault():
    lines = []
    for name, example, levels in examples():
        texts = files(example)
        lines.append(f"== {name}")
        for found in checked(example, levels)[1]:
            lines += shown(found, texts)
    text = printable("\n".join([*lines, ""]))
    if os.environ.get("UPDATE_SNAPSHOT"):
        SNAPSHOT.write_text(text, encoding="utf-8")
    assert text == SNAPSHOT.read_text(encoding="utf-8")
