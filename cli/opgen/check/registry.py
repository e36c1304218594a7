"""Maps checks to the rules that they apply; derivatives have a registry of their own. A test fails when a
rule is in no row, or a row's function is not called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from opgen.check import (
    aliasing,
    arguments,
    autocast,
    bindings,
    collisions,
    conditions,
    declarations,
    dispatch,
    docs,
    families,
    hidden_writes,
    names,
    partial_words,
    returned_aliases,
    structured,
    structured_groups,
    tags,
    ufuncs,
    views,
)
from opgen.diagnostics import Diagnostic, Rule
from opgen.model import Function, Program

FunctionCheck = Callable[[Function, Program], Iterable[Diagnostic]]
ProgramCheck = Callable[[Program], Iterable[Diagnostic]]

FUNCTION_CHECKS: tuple[tuple[FunctionCheck, tuple[Rule, ...]], ...] = (
    (arguments.names_and_order, arguments.RULES),
    (names.reserved, names.RESERVED_RULES),
    (partial_words.partial_words, partial_words.RULES),
    (aliasing.in_place, aliasing.IN_PLACE_RULES),
    (aliasing.out, aliasing.OUT_RULES),
    (returned_aliases.returns, returned_aliases.RETURN_RULES),
    (hidden_writes.hidden_writes, hidden_writes.RULES),
    (bindings.variants, bindings.VARIANT_RULES),
    (bindings.fields, bindings.FIELD_RULES),
    (dispatch.kernels, dispatch.RULES),
    (structured.fields, structured.FIELD_RULES),
    (ufuncs.loops, ufuncs.RULES),
    (tags.of_function, tags.FUNCTION_RULES),
)

# The other checks of the program rely on these: operators that fail here are excluded from them.
FIRST_PROGRAM_CHECKS: tuple[tuple[ProgramCheck, tuple[Rule, ...]], ...] = (
    (structured_groups.delegates, structured_groups.DELEGATE_RULES),
)
PROGRAM_CHECKS: tuple[tuple[ProgramCheck, tuple[Rule, ...]], ...] = (
    (collisions.unique, collisions.UNIQUE_RULES),
    (declarations.conflicts, declarations.RULES),
    (structured_groups.groups, structured_groups.GROUP_RULES),
    (families.forms, families.FORM_RULES),
    (families.autogen, families.AUTOGEN_RULES),
    (views.twins, views.RULES),
    (tags.in_place_views, tags.VIEW_RULES),
    (conditions.check, conditions.RULES),
    (docs.check, docs.RULES),
    (autocast.check, autocast.RULES),
)

# Faults of these rules change nothing that others compare: kind, arguments, returns, composite kernels.
LOCAL: frozenset[str] = frozenset(
    rule.code
    for rule in (
        *tags.FUNCTION_RULES,
        *bindings.VARIANT_RULES,
        *bindings.FIELD_RULES,
        *(dispatch.FACTORY, dispatch.MANUAL, dispatch.DELEGATED, dispatch.UFUNC_KERNEL),
        *(structured.NEEDS_GUARD, structured.PRECOMPUTED_ARGUMENT, structured.PRECOMPUTED_UPPER),
        *(aliasing.OUT_DEFAULT, aliasing.OUT_CONST_REF, aliasing.FUNCTIONAL_OVERLOAD),
    )
)

# Rules that something is missing: perhaps it is there, in an entry with a fault.
ABSENCE: frozenset[str] = frozenset(
    rule.code
    for rule in (
        *(structured_groups.DELEGATE_MISSING, structured_groups.NO_FUNCTIONAL, families.NO_FUNCTIONAL),
        *(*families.AUTOGEN_RULES, tags.VIEW_BASE),
    )
)
