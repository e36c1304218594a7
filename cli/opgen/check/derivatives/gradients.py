"""Derivatives: how backward formulas use the gradients of the results, and other rules for them."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.check.derivatives import formula_rules as rules
from opgen.check.derivatives.subject import Subject, is_part, text_at, variables
from opgen.diagnostics import Diagnostic, Related
from opgen.model import Kind
from opgen.model.derivatives import Formula
from opgen.parse.derivatives.text import Token, TokenKind, tokens


def check(subject: Subject) -> Iterator[Diagnostic]:
    for formula in subject.backward:
        if formula.is_auto:
            message = f"'{formula.text}' is no backward formula"
            help = f"it goes under a result: {', '.join(subject.outputs)}"
            yield rules.AUTO_BACKWARD.at(subject.whole(formula), message, help)
        else:
            yield from _gradients(subject, formula)
            yield from _members(subject, formula)
            yield from _mask(subject, formula)
            yield from _wrap(subject, formula)


def compared(subject: Subject) -> Iterator[Diagnostic]:
    """Compares every use of a gradient in the formulas of the key with the others."""
    uses = [(f, t) for f in subject.backward for t in variables(f) if _way(subject, t) is not None]
    if not uses:
        return
    first_formula, first = uses[0]
    for formula, token in uses[1:]:
        if _way(subject, token) != _way(subject, first):
            message = f"'{token}' and '{first}' are two ways to take a gradient"
            related = (Related(subject.at(first_formula, first), "the other one"),)
            yield rules.MIXED.at(subject.at(formula, token), message, "use one of them throughout", related)
            return
    if all(t.text == "grads" and _index(f, t) == 0 for f, t in uses):
        message = "no gradient but grads[0] is used"
        yield rules.ONLY_FIRST.at(subject.at(first_formula, first), message, "write 'grad'")


def _way(subject: Subject, token: Token) -> str | None:
    if token.text in ("grad", "grads"):
        return token.text if token.text not in subject.arguments else None
    return "named" if token.text in subject.named_gradients and token.text not in subject.arguments else None


def _results(count: int) -> str:
    return f"{count} differentiable result{'' if count == 1 else 's'}"


def _index(formula: Formula, token: Token) -> int | None:
    found = tokens(formula.text)
    i = found.index(token)
    subscript = found[i + 1 : i + 4]
    if [t.text for t in subscript[::2]] == ["[", "]"] and subscript[1].text.isdecimal():
        return int(subscript[1].text)
    return None


def _gradients(subject: Subject, formula: Formula) -> Iterator[Diagnostic]:
    count = sum(subject.differentiable)
    for token in variables(formula):
        index = _index(formula, token) if _way(subject, token) == "grads" else None
        if index is not None and index >= count:
            message = f"there is no grads[{index}]: '{subject.function.name}' has {_results(count)}"
            yield rules.INDEX.at(subject.at(formula, token), message)
        elif token.text in subject.silent_gradients:
            message = f"'{token}': the result '{subject.silent_gradients[token.text]}' has no gradient"
            yield rules.NO_GRADIENT.at(subject.at(formula, token), message)


def _members(subject: Subject, formula: Formula) -> Iterator[Diagnostic]:
    found = tokens(formula.text)
    for i, token in enumerate(found):
        if token.kind is not TokenKind.name or text_at(found, i - 1) not in (".", "->"):
            continue
        owner = text_at(found, i - 2)
        if token.text == "sym_strides" and not is_part(found, i - 2):
            yield from _strides(subject, formula, found[i - 2], owner)


def _strides(subject: Subject, formula: Formula, token: Token, owner: str) -> Iterator[Diagnostic]:
    if owner not in subject.arguments:
        return
    if formula.names != (owner,):
        message = f"the strides of '{owner}' are not there in the formula for '{formula.key}'"
        yield rules.STRIDES.at(subject.at(formula, token), message)
    elif owner == "self" and subject.function.kind is Kind.inplace:
        message = f"'{subject.function.name}' changes 'self' in place: its strides from before are gone"
        yield rules.STRIDES.at(subject.at(formula, token), message)


def _mask(subject: Subject, formula: Formula) -> Iterator[Diagnostic]:
    for token in variables(formula):
        index = _index(formula, token) if token.text == "grad_input_mask" else None
        if index is not None and index >= len(formula.names):
            count = len(formula.names)
            message = (
                f"this formula is for {count} argument{'' if count == 1 else 's'}: there is no flag {index}"
            )
            yield rules.MASK.at(subject.at(formula, token), message)


def _wrap(subject: Subject, formula: Formula) -> Iterator[Diagnostic]:
    found = tokens(formula.text)
    for i, token in enumerate(found):
        if token.text != "wrap_opt_if" or text_at(found, i + 1) != "(":
            continue
        depth, commas, end = 0, 0, i + 1
        for end in range(i + 1, len(found)):
            depth += (found[end].kind is TokenKind.open) - (found[end].kind is TokenKind.close)
            commas += depth == 1 and found[end].text == ","
            if depth == 0:
                break
        first = text_at(found, i + 2)
        known = first in subject.arguments or first in subject.results
        if commas != 1 or not known or text_at(found, i + 3) != ",":
            message = "wrap_opt_if takes an argument or result, and a condition"
            yield rules.WRAP.at(subject.at(formula, token, found[end]), message)
        elif any(t.text == "requires_grad" for t in found[i:end]):
            message = "in this condition, requires_grad() is not known"
            yield rules.WRAP.at(subject.at(formula, token, found[end]), message, "ask grad_input_mask[i]")
