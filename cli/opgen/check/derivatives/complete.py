"""Derivatives: operators without one. Many rightly have no formula, and only their authors know which, so
these rules are applied only where a configuration enables them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from opgen.check import places
from opgen.check.derivatives.rules import rule
from opgen.diagnostics import Diagnostic, Related, Severity
from opgen.model import Function, Kind, Program

if TYPE_CHECKING:
    from opgen.model.derivatives import DerivativeEntry

_SAID = (
    "it can also be said to have no gradient: 'non_differentiable', or 'output_differentiability: [False]'"
)

NO_FORMULA = rule(
    "OPG978",
    "operator-without-formula",
    "An operator with kernels of its own has formulas, or an entry that says that it has no gradient; else"
    " backward fails when it gets there. Off unless the configuration gives this rule a severity.",
    "  output_differentiability: [True]\n",
    "  output_differentiability: [False]\n",
    severity=Severity.warning,
    ignorable=True,
)
NO_INPUT_FORMULA = rule(
    "OPG979",
    "input-without-formula",
    "Each tensor that an operator takes has a formula or is 'non_differentiable'; else the operator refuses"
    " one that requires a gradient. Off unless the configuration gives this rule a severity.",
    "  self: grad\n",
    "  self: grad\n  other: non_differentiable\n",
    severity=Severity.warning,
    ignorable=True,
)


def operators(program: Program) -> Iterator[Diagnostic]:
    """Yields one fault per family: a formula that its functional form lacks, the others lack, too."""
    for family in program.families:
        lacking = [f for f in family.functions if is_lacking(f, program)]
        if lacking:
            message = f"'{lacking[0].qualified_name}' has no derivative: backward fails when it gets there"
            yield NO_FORMULA.at(places.name(lacking[0]), message, _SAID)


def is_lacking(function: Function, program: Program) -> bool:
    """Whether a gradient can be requested, but there is no formula."""
    return _needs_formula(function) and not is_settled(function, program)


def _needs_formula(function: Function) -> bool:
    schema = function.schema
    out = function.is_generated or function.kind is Kind.out
    takes_tensors = any(a.type.is_tensor_like() for a in schema.arguments.non_out)
    gives_tensors = any(r.type.is_tensor_like() for r in schema.returns)
    return not out and function.is_abstract and takes_tensors and gives_tensors


def is_settled(function: Function, program: Program) -> bool:
    """Whether there is an entry with a formula, or one that says there is no derivative."""
    if program.derivatives is None:
        return False
    derivation = program.derivatives.of.get(function.qualified_name)
    if derivation is None:
        return False
    entry = derivation.entry
    return any(entry.formulas.values()) or (
        entry.differentiable is not None and not any(entry.differentiable)
    )


def inputs(program: Program) -> Iterator[Diagnostic]:
    declared = program.derivatives.declared if program.derivatives is not None else ()
    sound = {f.qualified_name for f in program.functions}
    for entry, function in declared:
        if entry.places is not None and function.qualified_name in sound:
            yield from _inputs(function, entry)


def _inputs(function: Function, entry: DerivativeEntry) -> Iterator[Diagnostic]:
    tensors = [a.name for a in function.schema.arguments.non_out if a.type.is_tensor_like()]
    for key, formulas in entry.formulas.items():
        named = {name for formula in formulas for name in formula.names}
        if not named.intersection(tensors):
            continue
        for name in tensors:
            if name not in named:
                message = f"'{function.qualified_name}' has no formula for '{name}'"
                related = (Related(places.argument(function, name), "declared here"),)
                help = f"give it one (under {key}), or say '{name}: non_differentiable'"
                assert entry.places is not None
                span = entry.places.key(*formulas[-1].path)
                yield NO_INPUT_FORMULA.at(span, message, help, related)
