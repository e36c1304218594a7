"""Derivatives: forward formulas, in terms of primals (`x_p`) and tangents (`x_t`)."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.check.derivatives import formula_rules as rules
from opgen.check.derivatives.subject import Subject, variables
from opgen.diagnostics import Diagnostic
from opgen.model import TENSOR, Kind, ListType, OptionalType
from opgen.model.derivatives import AUTO_ELEMENT_WISE, AUTO_LINEAR, Formula
from opgen.parse.derivatives.text import words


def check(subject: Subject) -> Iterator[Diagnostic]:
    for formula in subject.forward:
        if formula.is_auto:
            yield from _auto(subject, formula)
        else:
            yield from _names(subject, formula)
            yield from _tangents(subject, formula)
            yield from _lists(subject, formula)


def _auto(subject: Subject, formula: Formula) -> Iterator[Diagnostic]:
    span, name = subject.whole(formula), subject.function.name
    if not subject.inputs:
        message = f"'{name}' has no argument with a backward formula to make this one of"
        yield rules.NO_INPUT.at(span, message)
        return
    several = len(subject.forward) > 1 or len(formula.names) > 1
    if formula.text == AUTO_LINEAR and several:
        message = "auto_linear is not for several results"
        yield rules.LINEAR.at(span, message, "write a formula for each")
    elif formula.text == AUTO_ELEMENT_WISE:
        why = None
        if subject.function.kind is Kind.inplace:
            why = f"'{name}' works in place"
        elif len(subject.inputs) != 1 or len(subject.backward) != 1:
            why = f"'{name}' has {len(subject.inputs)} differentiable inputs"
        elif several:
            why = f"'{name}' has several results with a forward formula"
        if why is not None:
            yield rules.ELEMENT_WISE.at(
                span, f"auto_element_wise does not fit: {why}", "write the formula out"
            )


def _names(subject: Subject, formula: Formula) -> Iterator[Diagnostic]:
    in_place = subject.function.kind is Kind.inplace
    for token in variables(formula):
        base, suffix = token.text[:-2], token.text[-2:]
        if token.text in subject.inputs and not subject.is_list(token.text):
            message = f"'{token}' does not say whether the value or the tangent is meant"
            help = f"write '{token}_p' for the value, '{token}_t' for the tangent"
            yield rules.BASE_NAME.at(subject.at(formula, token), message, help)
        elif in_place and token.text == "self_p":
            message = "'self' was written over when this formula is computed"
            help = "'result' is the value now, 'original_self_p' the one from before"
            yield rules.ORIGINAL.at(subject.at(formula, token), message, help)
        elif suffix in ("_p", "_t") and base in subject.arguments and _is_none(subject, token.text, base):
            message = f"'{base}' has no backward formula, so that there is no '{token}'"
            help = f"its value is '{base}'" if suffix == "_p" else f"give a formula for '{base}'"
            yield rules.NO_TANGENT.at(subject.at(formula, token), message, help)


def _is_none(subject: Subject, name: str, base: str) -> bool:
    """Whether `name`, the primal or tangent of `base`, is undefined here."""
    return name not in subject.arguments and base not in subject.inputs


def _tangents(subject: Subject, formula: Formula) -> Iterator[Diagnostic]:
    used = words(formula.text)
    if any(f"{name}_t" in used or f"original_{name}_t" in used for name in subject.inputs):
        return
    given = [name for name, type in subject.arguments.items() if type is not None and type.is_tensor_like()]
    if len(given) == 1 and subject.is_list(given[0]):
        return
    tangents = ", ".join(f"{name}_t" for name in sorted(subject.inputs)) or "none"
    message = f"the formula for '{formula.key}' takes no tangent"
    yield rules.CONSTANT.at(subject.whole(formula), message, f"the tangents are {tangents}")


def _lists(subject: Subject, formula: Formula) -> Iterator[Diagnostic]:
    returns = zip(subject.outputs, subject.function.schema.returns, strict=True)
    for name, type in ((name, r.type) for name, r in returns if name in formula.names):
        if isinstance(type, OptionalType) or (isinstance(type, ListType) and type.elem != TENSOR):
            message = f"'{name}' is {type}, which has no tangent"
            help = "without forward formulas, the operator refuses tangents"
            yield rules.LIST_RESULT.at(subject.key_of(formula, name), message, help)
        elif isinstance(type, ListType) and len(formula.names) > 1:
            message = f"'{name}' is a list, but the formula is for {len(formula.names)} results"
            yield rules.LIST_RESULT.at(subject.key_of(formula, name), message, "write a formula for each")


def missing(subject: Subject) -> Iterator[Diagnostic]:
    """Yields a fault for each result without a formula, where others have one."""
    if not subject.forward:
        return
    given = {name for formula in subject.forward for name in formula.names}
    outputs = zip(subject.outputs, subject.differentiable, strict=True)
    wanted = [name for name, flag in outputs if flag]
    if any("grad" in words(f.text) for f in subject.backward) and subject.entry.differentiable is None:
        wanted = wanted[:1]  # `grad` means that only the first result is differentiable
    lacking = [name for name in wanted if name not in given]
    if lacking:
        message = f"there is no forward formula for '{lacking[0]}', but one for '{', '.join(sorted(given))}'"
        yield rules.MISSING.at(subject.key_of(subject.forward[0]), message)
