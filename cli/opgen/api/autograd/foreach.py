"""Formulas for single tensors turned into formulas for each tensor of a list: `self` becomes `self[i]`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from opgen.api import cpp, ctype
from opgen.api.autograd.differentiability import Backward, Differentiability
from opgen.api.autograd.forward import Forward
from opgen.api.autograd.saved import Saved, replace_word, union
from opgen.api.signature import Param
from opgen.model import Argument, Function, ListType


def over_list(function: Function, single: Differentiability) -> Differentiability:
    """Returns `single` adapted to the list operator `function`, which has the same order of arguments."""
    theirs = single.function.schema.arguments.without_options().non_out
    ours = {their.name: our for our, their in zip(function.schema.arguments.non_out, theirs, strict=False)}
    params = {p.name: p for p in cpp.params(function, symint=False)}
    backward = tuple(_backward(one, ours, params) for one in single.backward)
    names = {name for one in backward for name in one.names}
    return replace(
        single,
        function=function,
        node=f"Foreach{single.node}{function.name.overload}",
        inputs=tuple(p for p in params.values() if p.name in names),
        backward=backward,
        forward=tuple(_forward(one, ours) for one in single.forward),
        saved_inputs=union(one.saved_inputs for one in backward),
        saved_outputs=union(one.saved_outputs for one in backward),
        non_differentiable=(),
        named_gradients=(),
        differentiable=None,
        condition=None,
    )


def _backward(one: Backward, ours: Mapping[str, Argument], params: Mapping[str, Param]) -> Backward:
    text = replace_word(replace_word(one.formula, "grad", "grads[i]"), "result", "result[i]")
    saved_inputs = []
    # By way of marks: an expression may contain the name of another saved value.
    marks = {saved.name: f"_mark{k}" for k, saved in enumerate(one.saved_inputs)}
    for name, mark in marks.items():
        text = replace_word(text, name, mark)
    for saved in one.saved_inputs:
        our = ours[saved.of]
        item = f"{our.name}[i]" if isinstance(our.type, ListType) else our.name
        # Nothing is precomputed: whole lists are saved.
        text = replace_word(text, marks[saved.name], replace_word(saved.expr, saved.of, item))
        saved_inputs.append(Saved(our.name, params[our.name].ctype.value, our.name, our.name))
    results = [Saved("result", ctype.TENSOR_LIST, "result", "result")] if one.saved_outputs else []
    return replace(
        one,
        names=tuple(ours[name].name for name in one.names),
        formula=text,
        original=one.formula,
        saved_inputs=union([tuple(saved_inputs)]),
        saved_outputs=tuple(results),
        named_gradients=(),
    )


def _forward(one: Forward, ours: Mapping[str, Argument]) -> Forward:
    text = replace_word(one.formula, "result", "result[i]")
    renamed = {name: our.name for name, our in ours.items()}
    for name, our in ours.items():
        if our.type.is_tensor_like():
            text = re.sub(rf"\b{name}(_[pt])\b", rf"{our.name}\1", text)
        else:
            text = replace_word(text, name, f"{our.name}[i]" if isinstance(our.type, ListType) else our.name)
    return replace(
        one,
        names=tuple(renamed.get(name, name) for name in one.names),
        formula=text,
        tangents=tuple(renamed.get(name, name) for name in one.tangents),
        primals=tuple(renamed.get(name, name) for name in one.primals),
    )
