"""Forward-mode formulas: those of the file, those that `auto_linear` and `auto_element_wise` stand for, and
their adaptation to in-place operators.

In them `x_p` is the primal of the argument `x` and `x_t` its tangent.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from opgen.api import cpp
from opgen.api.autograd.saved import replace_word
from opgen.api.signature import Param
from opgen.model import Function, Type, Variant
from opgen.model.derivatives import AUTO_ELEMENT_WISE, AUTO_LINEAR, Formula
from opgen.parse.derivatives.text import words


@dataclass(frozen=True, slots=True)
class Forward:
    """The formula for the tangents of the results `names`; it uses the tangents of the arguments `tangents`
    and the primals of `primals`. `written` is where it comes from.
    """

    names: tuple[str, ...]
    types: tuple[Type, ...]
    formula: str
    tangents: tuple[str, ...]
    primals: tuple[str, ...]
    written: Formula
    needs_original_self: bool = False
    reuses_functional: bool = False


def forward(
    function: Function, written: Formula, backward: Sequence[Formula], inputs: Sequence[Param]
) -> Forward:
    """Returns the formula `written`, resolved; `inputs` are the arguments that have a backward formula."""
    takers = [p.name for p in inputs if _is_taken(function, p)]
    text = written.text
    tangents = _used(text, takers, "_t")
    if text == AUTO_ELEMENT_WISE and inputs and backward:
        text, tangents = _element_wise(backward[0].text, inputs[0].name), (inputs[0].name,)
    elif text == AUTO_LINEAR and inputs:
        text, tangents = _linear(function, inputs), tuple(p.name for p in inputs)
    primals = _used(text, takers, "_p")
    return Forward(written.names, _types(function, written.names), text, tangents, primals, written)


def _is_taken(function: Function, param: Param) -> bool:
    """Whether the formula takes the tangent of `param`. Functions of lists get the whole list and inspect it
    themselves.
    """
    return str(param.ctype.value) not in (
        "at::TensorList",
        "at::ITensorListRef",
    ) or function.root_name.startswith("_foreach_")


def _used(text: str, names: Sequence[str], suffix: str) -> tuple[str, ...]:
    known = words(text)
    return tuple(name for name in names if name + suffix in known)


def _element_wise(backward: str, name: str) -> str:
    """Returns the forward formula of an element-wise operator: its Jacobian is diagonal, so the transpose
    differs only by conjugation.
    """
    text = replace_word(replace_word(backward, "grad", f"{name}_t.conj()"), name, f"{name}_p")
    return f"({text}).conj()"


def _linear(function: Function, inputs: Sequence[Param]) -> str:
    """Returns the forward formula of a linear operator, which is its own derivative."""
    tangents = {p.name for p in inputs}
    arguments = [p.name for p in cpp.params(function, symint=True)]
    arguments = [f"{name}_t" if name in tangents else name for name in arguments]
    symint = "_symint" if function.schema.has_symint() else ""
    called = f"{function.name.name}{symint}"
    if Variant.function in function.variants:
        namespace = "at" if function.namespace == "aten" else function.namespace
        return f"{namespace}::{called}({', '.join(arguments)})"
    return f"{arguments[0]}.{called}({', '.join(arguments[1:])})"


def _types(function: Function, names: Sequence[str]) -> tuple[Type, ...]:
    returns = function.schema.returns
    named = tuple(r.type for r in returns if r.name in names and r.name is not None)
    if named or not returns:
        return named
    if names == ("result",):
        return (returns[0].type,)
    indices = [int(name[6:]) for name in names if re.fullmatch(r"result\d+", name)]
    return tuple(returns[i].type for i in indices if i < len(returns))


def in_place(written: Forward, name: str, own: bool) -> Forward:
    """Returns the formula for an in-place form, whose result is `self`: there `self_p` is the result, and the
    value before is `original_self_p`. With a formula of the functional form (`own` is False) the tangent is
    changed in place, as the value is. `name` is the operator's.
    """
    text = written.formula
    if not own and "self_p" in words(text):
        text = replace_word(replace_word(text, "self_p", "original_self_p"), "self_t", "original_self_t")
    text = replace_word(text, "result", "self_p")
    primals = (*written.primals, "self") if "self_p" in words(text) else written.primals
    if not own:
        text = f"self_t_raw.defined() ? {_in_place_call(text, name)} : {text}"
    return replace(
        written,
        names=("self",),
        formula=text,
        primals=primals,
        needs_original_self=bool({"original_self_p", "original_self_t"} & words(text)),
        reuses_functional=not own,
    )


def _in_place_call(text: str, name: str) -> str:
    """Returns the formula with the tangent updated in place: `self_t.f(x)` of the operator `f` itself becomes
    an in-place call; the result of any other formula is copied into the tangent.
    """
    match = re.fullmatch(r"self_t\.(\w*)\((.*)\)", text)
    if match is not None and match[1] == name and _closes_last(match[2]):
        return f"self_t_raw.{name}_({match[2]})"
    return f"self_t_raw.copy_({text})"


def _closes_last(arguments: str) -> bool:
    """Whether the last bracket closes the call."""
    level = 1
    for character in arguments:
        level += (character == "(") - (character == ")")
        if level == 0:
            return False
    return True
