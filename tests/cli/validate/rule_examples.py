"""What is found in the examples of rules."""

from __future__ import annotations

import tempfile
from pathlib import Path

from front import checked
from opgen import pipeline
from opgen.check import generation_rules
from opgen.check.derivatives.registry import ASKED_CHECKS
from opgen.diagnostics import Report, Rule
from opgen.parse import source, tags, yaml_source

ASKED = [rule for _, (rule,) in ASKED_CHECKS]
TAG_FILE = {rule.code for rule in tags.RULES}


def codes(rule: Rule, example: str) -> set[str]:
    if rule in generation_rules.RULES:
        return generated(example, extend=None if rule is generation_rules.CALLED_OTHERWISE else "aten")
    if rule.code not in TAG_FILE:
        levels = {rule.code: rule.severity} if rule in ASKED else {}
        return {d.code for d in checked(example, levels)[1]}
    report = Report()
    tags.read(yaml_source.items(source.decode("tags.yaml", example.encode(), report), report), report)
    return {d.code for d in report.diagnostics}


def generated(example: str, extend: str | None) -> set[str]:
    """Returns the faults found when a library, or an extension, of the example is generated."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "native_functions.yaml"
        file.write_text(example)
        out = Path(folder) / "out"
        request = pipeline.Request(file, out, "x", stubs=True, extend=extend)
        try:
            pipeline.generate(request, dry_run=True)
        except pipeline.Invalid as invalid:
            return {d.code for d in invalid.report.diagnostics}
    return set()
