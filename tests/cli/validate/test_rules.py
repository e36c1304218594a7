"""Every rule fires on its bad example and is silent on its good one; the registry knows them all."""

import importlib
import pkgutil
import re

import opgen
import pytest
from front import FILES, PARTS, ROOT, checked, files
from opgen import pipeline
from opgen.check.derivatives.registry import ASKED_CHECKS, CHECKS
from opgen.check.registry import FIRST_PROGRAM_CHECKS, FUNCTION_CHECKS, PROGRAM_CHECKS
from opgen.check.rules import RULES
from opgen.diagnostics import Rule, Severity
from opgen.parse import ignores, yaml_rules
from rule_examples import ASKED, codes


@pytest.mark.parametrize("rule", RULES, ids=lambda r: f"{r.code}-{r.name}")
def test_examples(rule):
    if rule not in (yaml_rules.TOO_LARGE, yaml_rules.TOO_MANY):  # see test_hostile_input.py
        assert rule.code in codes(rule, rule.bad)
    assert rule.code not in codes(rule, rule.good)


@pytest.mark.parametrize("rule", RULES, ids=lambda r: r.code)
def test_good_examples_have_no_fault_at_all(rule):
    assert codes(rule, rule.good) == set()


@pytest.mark.parametrize(
    "rule", [r for r in RULES if r.ignorable and r.severity is Severity.error], ids=lambda r: r.code
)
def test_a_library_of_what_was_ignored_ends_in_no_bug(rule, tmp_path):
    """With the fault ignored the library is generated, or another fault is reported."""
    for path, text in files(rule.bad).items():
        (tmp_path / FILES[path]).write_text(text)
    out = tmp_path / "out"
    request = pipeline.Request(tmp_path, out, "x", stubs=True, extend="aten", levels={rule.code: None})
    try:
        pipeline.generate(request, dry_run=True)
    except pipeline.Invalid as invalid:
        assert rule.code not in {d.code for d in invalid.report.diagnostics}


@pytest.mark.parametrize("rule", [r for r in RULES if r.ignorable], ids=lambda r: r.code)
def test_a_comment_at_the_place_of_the_fault_silences_it(rule):
    if rule.code in {r.code for r in ignores.RULES}:
        return  # rules about comments
    levels = {rule.code: rule.severity} if rule in ASKED else {}
    lines = {path: text.splitlines() for path, text in files(rule.bad).items()}
    for path, number in {d.span[:2] for d in checked(rule.bad, levels)[1] if d.code == rule.code}:
        lines[path][number - 1] += f" # opgen: ignore[{rule.code}] for a test"
    silenced = "".join(PARTS.get(path, "") + "\n".join([*text, ""]) for path, text in lines.items())
    assert silenced != rule.bad
    assert {rule.code, "OPG023"}.isdisjoint(d.code for d in checked(silenced, levels)[1])


def test_codes_and_names_are_unique():
    assert len({r.code for r in RULES}) == len({r.name for r in RULES}) == len(RULES)


def test_every_check_applies_rules():
    own = (*FUNCTION_CHECKS, *FIRST_PROGRAM_CHECKS, *PROGRAM_CHECKS)
    assert all(rules for _, rules in (*own, *CHECKS, *ASKED_CHECKS))


def test_every_rule_that_a_module_makes_is_in_the_one_list():
    made = set()
    for module in pkgutil.walk_packages(opgen.__path__, "opgen."):
        if not module.name.endswith("__main__"):
            values = vars(importlib.import_module(module.name)).values()
            made.update(value.code for value in values if isinstance(value, Rule))
    assert {code for code in made if code.startswith("OPG")} == {rule.code for rule in RULES}


def test_no_code_is_written_but_in_a_rule():
    """A code in another string would be one that `opgen explain` does not know."""
    known = {rule.code for rule in RULES}
    for file in (ROOT / "cli" / "opgen").rglob("*.py"):
        assert set(re.findall(r"\bOPG\d{3}\b", file.read_text(encoding="utf-8"))) <= known, file


def test_at_least_a_hundred_rules():
    assert len(RULES) >= 100
