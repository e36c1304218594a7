"""Every rule fires on its bad example and is silent on its good one; the registry knows them all."""

import pytest
from front import checked
from opgen.check import RULES
from opgen.check.registry import FUNCTION_CHECKS, PROGRAM_CHECKS
from opgen.diagnostics import Report, Rule
from opgen.parse import source, tags, yaml_rules, yaml_source

TAG_FILE = {rule.code for rule in tags.RULES}


def codes(rule: Rule, example: str) -> set[str]:
    if rule.code not in TAG_FILE:
        return {d.code for d in checked(example)[1]}
    report = Report()
    tags.read(yaml_source.items(source.decode("tags.yaml", example.encode(), report), report), report)
    return {d.code for d in report.diagnostics}


@pytest.mark.parametrize("rule", RULES, ids=lambda r: f"{r.code}-{r.name}")
def test_examples(rule):
    if rule is not yaml_rules.TOO_LARGE:
        assert rule.code in codes(rule, rule.bad)
    assert rule.code not in codes(rule, rule.good)


@pytest.mark.parametrize("rule", RULES, ids=lambda r: r.code)
def test_good_examples_have_no_fault_at_all(rule):
    assert codes(rule, rule.good) == set()


def test_codes_and_names_are_unique():
    assert len({r.code for r in RULES}) == len({r.name for r in RULES}) == len(RULES)


def test_every_check_applies_rules():
    assert all(rules for _, rules in (*FUNCTION_CHECKS, *PROGRAM_CHECKS))


def test_at_least_a_hundred_rules():
    assert len(RULES) >= 100
