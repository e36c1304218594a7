"""All rules that any command applies, including those of reading and of generation."""

from __future__ import annotations

from opgen.check import generation_rules
from opgen.check.derivatives import registry as derivatives
from opgen.check.registry import FIRST_PROGRAM_CHECKS, FUNCTION_CHECKS, PROGRAM_CHECKS
from opgen.diagnostics import Rule
from opgen.parse import autocast, batching, checks, docs, entry_rules, ignores, schema_rules, tags, yaml_rules
from opgen.parse.derivatives import rules as derivatives_rules

READING_RULES: tuple[Rule, ...] = (
    *yaml_rules.RULES,
    *ignores.RULES,
    *schema_rules.RULES,
    *entry_rules.RULES,
    *tags.RULES,
    *checks.RULES,
    *docs.RULES,
    *autocast.RULES,
    *batching.RULES,
    *derivatives_rules.RULES,
)

_OWN_CHECKS = (*FUNCTION_CHECKS, *FIRST_PROGRAM_CHECKS, *PROGRAM_CHECKS)
_CHECKS = (*_OWN_CHECKS, *derivatives.CHECKS, *derivatives.ASKED_CHECKS)

RULES: tuple[Rule, ...] = (
    *READING_RULES,
    *(rule for _, rules in _CHECKS for rule in rules),
    *generation_rules.RULES,
)
