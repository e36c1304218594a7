"""Maps comparison functions to the rules that they find. A test fails when a rule is in no row."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from opgen.breaking import (
    alias_changes,
    argument_changes,
    binding_changes,
    check_changes,
    default_changes,
    deprecated_changes,
    derivative_changes,
    dispatch_changes,
    operator_changes,
    order_changes,
    return_changes,
    signature_changes,
    structured_changes,
    tag_changes,
    type_changes,
    unread_changes,
)
from opgen.breaking.finding import Finding, Rule
from opgen.breaking.pair import Pair

PairComparison = Callable[[Pair], Iterable[Finding]]

# Comparisons of operators whose schemas differ.
SCHEMA_COMPARISONS: tuple[tuple[PairComparison, tuple[Rule, ...]], ...] = (
    (argument_changes.compare, argument_changes.RULES),
    (order_changes.compare, order_changes.RULES),
    (default_changes.compare, default_changes.RULES),
    (type_changes.compare, type_changes.RULES),
    (return_changes.compare, return_changes.RULES),
    (alias_changes.compare, alias_changes.RULES),
)

# Comparisons of all operators that both versions have.
ENTRY_COMPARISONS: tuple[tuple[PairComparison, tuple[Rule, ...]], ...] = (
    (default_changes.cpp_defaults, default_changes.CPP_RULES),
    (binding_changes.compare, binding_changes.RULES),
    (dispatch_changes.compare, dispatch_changes.RULES),
    (structured_changes.compare, structured_changes.RULES),
    (tag_changes.compare, tag_changes.RULES),
    (derivative_changes.compare, derivative_changes.RULES),
    (check_changes.compare, check_changes.RULES),
)

RULES: tuple[Rule, ...] = (
    *unread_changes.RULES,
    *operator_changes.RULES,
    *(rule for _, rules in (*SCHEMA_COMPARISONS, *ENTRY_COMPARISONS) for rule in rules),
    *signature_changes.RULES,
    *deprecated_changes.RULES,
)
