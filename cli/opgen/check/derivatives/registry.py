"""The checks of derivatives and their rules; a module of its own, as most files have no derivatives."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from opgen.check.derivatives import complete, entries, formula_rules, lost, rules
from opgen.diagnostics import Diagnostic, Rule
from opgen.model import Program

ProgramCheck = Callable[[Program], Iterable[Diagnostic]]

CHECKS: tuple[tuple[ProgramCheck, tuple[Rule, ...]], ...] = (
    (
        entries.check,
        (
            *rules.ENTRY_RULES,
            *rules.KEY_RULES,
            *rules.OUTPUT_RULES,
            *formula_rules.NAME_RULES,
            *formula_rules.GRADIENT_RULES,
            *formula_rules.FORWARD_RULES,
        ),
    ),
    (lost.check, lost.RULES),
)

# Applied only where a configuration gives the rule a severity.
ASKED_CHECKS: tuple[tuple[ProgramCheck, tuple[Rule]], ...] = (
    (complete.operators, (complete.NO_FORMULA,)),
    (complete.inputs, (complete.NO_INPUT_FORMULA,)),
)
