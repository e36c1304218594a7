"""Derivatives: `output_differentiability` against the operator's results."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.check import places
from opgen.check.derivatives import rules as rules
from opgen.diagnostics import Diagnostic, Related, Span
from opgen.model import Function, Kind
from opgen.model.derivatives import DerivativeEntry


def check(entry: DerivativeEntry, function: Function) -> Iterator[Diagnostic]:
    returns, flags = function.schema.returns, entry.differentiable
    if entry.condition is not None and len(returns) != 1:
        message = f"a condition is for one result, but '{function.name}' has {len(returns)}"
        yield rules.CONDITION.at(_span(entry), message)
    elif flags is not None and len(flags) != len(returns):
        message = f"'{function.name}' has {len(returns)} results, but this speaks of {len(flags)}"
        help = "uses of gradients are not checked before this is right"
        yield rules.LENGTH.at(
            _span(entry), message, help, (Related(places.returns(function), "the results"),)
        )
    elif flags is not None:
        yield from _flags(entry, function, flags)
    writes = function.kind is Kind.inplace and "inplace_view" not in function.tags
    if writes and flags is not None and False in flags:
        message = f"'{function.name}' changes its argument in place, and that stays differentiable"
        yield rules.NOT_IN_PLACE.at(_span(entry, flags.index(False)), message)


def _flags(entry: DerivativeEntry, function: Function, flags: tuple[bool, ...]) -> Iterator[Diagnostic]:
    returns = function.schema.returns
    for i, (flag, r) in enumerate(zip(flags, returns, strict=True)):
        if flag and not r.type.is_tensor_like():
            related = (Related(places.returned(function, i), "declared here"),)
            message = f"result {i} is of type {r.type}: it cannot be differentiable"
            yield rules.RESULT_TYPE.at(_span(entry, i), message, related=related)
    backward = _backward_paths(entry, function)
    if not any(flags) and backward:
        message = "no result is differentiable, so that this formula is never used"
        span = entry.places.key(*backward[0]) if entry.places is not None else entry.span
        yield rules.IGNORED.at(span, message, related=(Related(_span(entry), "said here"),))


def _backward_paths(entry: DerivativeEntry, function: Function) -> list[tuple[str, ...]]:
    arguments = {a.name for a in function.schema.arguments.all}
    given = [f for formulas in entry.formulas.values() for f in formulas]
    return [f.path for f in given if f.names[0] in arguments and not f.is_non_differentiable]


def _span(entry: DerivativeEntry, index: int | None = None) -> Span:
    if entry.places is None:
        return entry.span
    if index is None:
        return entry.places.value("output_differentiability")
    return entry.places.value("output_differentiability", index)
