"""Derivatives: the keys of formulas, which name arguments or results; these must have gradients."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.check import places
from opgen.check.derivatives import rules as rules
from opgen.check.derivatives.subject import OPTIONS, Subject
from opgen.diagnostics import Diagnostic, Related, did_you_mean
from opgen.model.derivatives import Formula
from opgen.parse.derivatives import FIELDS


def check(subject: Subject) -> Iterator[Diagnostic]:
    for formula in subject.formulas:
        known = [name for name in formula.names if name in subject.arguments or name in subject.outputs]
        if len(known) < len(formula.names):
            for name in formula.names:
                if name not in known:
                    yield _unknown(subject, formula, name)
            continue
        backward = [name for name in formula.names if name in subject.arguments]
        if backward and len(backward) < len(formula.names):
            message = f"'{formula.key}' names both arguments and results"
            yield rules.MIXED_KEY.at(subject.key_of(formula), message, "give each its own formula")
        for name in backward:
            type = subject.arguments[name]
            tensor = type is not None and type.is_tensor_like()
            if not tensor and not formula.is_non_differentiable:
                yield _not_tensor(subject, formula, name)
        if not backward and formula.is_non_differentiable:
            message = f"'{formula.key}' is a result, and results have no formula of this kind"
            yield rules.SILENT_RESULT.at(
                subject.whole(formula), message, "use 'output_differentiability: [False]'"
            )


def _not_tensor(subject: Subject, formula: Formula, name: str) -> Diagnostic:
    type = subject.arguments[name]
    message = f"'{name}' has no gradient: it is of type {type or 'TensorOptions'}"
    where = places.argument(subject.function, name if name != OPTIONS else "dtype")
    return rules.NOT_TENSOR.at(
        subject.key_of(formula, name), message, related=(Related(where, "declared here"),)
    )


def _unknown(subject: Subject, formula: Formula, name: str) -> Diagnostic:
    span = subject.key_of(formula, name)
    names = ", ".join(f"'{output}'" for output in subject.outputs) or "none"
    if name.rstrip("0123456789") == "result":
        message = f"'{subject.function.name}' has no result '{name}'"
        return rules.RESULT_NAME.at(span, message, f"its results are {names}")
    known = [*subject.arguments, *subject.outputs, *FIELDS]
    help = (
        did_you_mean(name, known)
        or f"its arguments are {', '.join(subject.arguments)}; its results are {names}"
    )
    message = f"'{subject.function.name}' has no argument or result '{name}'"
    return rules.UNKNOWN_KEY.at(span, message, help)
