"""Changes of what is differentiable."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from opgen.breaking import calls
from opgen.breaking import examples as ex
from opgen.breaking.finding import Bump, Finding, Rule, effects
from opgen.breaking.pair import Pair, Witness
from opgen.breaking.written import field_shown
from opgen.model.derivatives import DEFAULT_KEY, NOT_IMPLEMENTED, Derivation, return_names

_S = "f(Tensor self, Tensor other) -> Tensor"
_BEFORE = ex.entry(_S, "dispatch: {CPU: f_cpu}") + ex.DERIVATIVES + f"- name: {_S}\n  self: grad * other\n"

LOST = Rule(
    "OPB903",
    "derivative-lost",
    "There is no gradient any more: for the operator, one of its arguments, or one of its results.",
    effects(cpp="S", python="X", graph_bc="X"),
    Bump.major,
    _BEFORE + "  other: grad * self\n",
    _BEFORE + "  other: not_implemented('f')\n",
    "keep the formula",
)
RULES = (LOST,)


def compare(pair: Pair) -> Iterator[Finding]:
    if pair.base.derivatives is None or pair.program.derivatives is None or pair.old.is_generated:
        return
    old = pair.base.derivatives.of.get(pair.old.qualified_name)
    new = pair.program.derivatives.of.get(pair.new.qualified_name)
    if old is None or old is new or pair.new.has_kernel("CompositeImplicitAutograd"):
        return
    if pair.new.is_form_of(pair.program.derivatives.faulty):
        return
    if new is None:
        formulas = _gradients(old)
        if formulas:
            was = ", ".join(formulas), next(iter(formulas.values()))
            message = "there are no gradients of the operator any more"
            yield _lost(pair, old, None, message, "operator", was, (was[0], ""))
        return
    if old.entry.formulas == new.entry.formulas and old.entry.differentiable == new.entry.differentiable:
        return
    yield from _arguments(pair, old, new)
    yield from _results(pair, old, new)


def _gradients(derivation: Derivation) -> dict[str, str]:
    """Returns the arguments with a gradient, and their formulas."""
    formulas = derivation.entry.formulas.get(DEFAULT_KEY, ())
    results = {"result", *return_names(derivation.written)}
    return {
        name: formula.text
        for formula in formulas
        if not formula.is_non_differentiable and not formula.text.startswith(NOT_IMPLEMENTED)
        for name in formula.names
        if name not in results
    }


def _arguments(pair: Pair, old: Derivation, new: Derivation) -> Iterator[Finding]:
    before, after = _gradients(old), _gradients(new)
    names = _new_names(pair, old, new)
    for name in before:
        if names.get(name) is not None and names[name] not in after:
            message = f"there is no gradient for the argument '{names[name]}' any more"
            was, now = (name, before[name]), (names[name], _formula(new, names[name]))
            yield _lost(pair, old, new, message, f"argument {name}", was, now)


def _new_names(pair: Pair, old: Derivation, new: Derivation) -> Mapping[str, str]:
    """Returns the new names of renamed arguments: formulas use the names of the form that has the entry."""
    renamed = {k.old.name: k.new.name for k in pair.arguments.kept}
    known = {a.name for a in new.written.schema.arguments.all}
    names = {a.name: renamed.get(a.name, a.name) for a in old.written.schema.arguments.all}
    return {name: now for name, now in names.items() if now in known}


def _results(pair: Pair, old: Derivation, new: Derivation) -> Iterator[Finding]:
    count = len(pair.old.schema.returns)
    if count != len(pair.new.schema.returns):
        return
    before = old.entry.differentiable or (True,) * count
    after = new.entry.differentiable or (True,) * count
    texts = tuple(
        ("output_differentiability", f"[{', '.join(map(str, flags))}]") for flags in (before, after)
    )
    for i, (was, now) in enumerate(zip(before, after, strict=False)):
        if was and not now:
            message = f"result {i + 1} is not differentiable any more"
            yield _lost(pair, old, new, message, f"result {i}", *texts)


def _lost(
    pair: Pair,
    old: Derivation,
    new: Derivation | None,
    message: str,
    subject: str,
    before: tuple[str, str],
    after: tuple[str, str],
) -> Finding:
    """Returns the finding of a lost derivative. `before` and `after`: a key of the entry, with its value."""
    call = f"{calls.python(pair.old)}.sum().backward()"
    return pair.finding(
        LOST,
        message,
        (field_shown(*before), old.entry.span),
        (field_shown(*after), pair.new.span if new is None else new.entry.span),
        f"derivative: {subject}",
        Witness(call, "RuntimeError, or no gradient: there is no formula"),
    )


def _formula(derivation: Derivation, name: str) -> str:
    formulas = derivation.entry.formulas.get(DEFAULT_KEY, ())
    return next((f.text for f in formulas if name in f.names), "")
