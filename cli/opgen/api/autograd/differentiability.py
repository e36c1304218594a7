"""The resolved derivatives of a function for one key: gradients, saved values, tangents."""

from __future__ import annotations

from dataclasses import dataclass

from opgen.api.autograd.forward import Forward
from opgen.api.autograd.saved import Saved
from opgen.api.signature import Param
from opgen.model import Function, Kind
from opgen.model.derivatives import Formula, return_names
from opgen.parse.derivatives.text import words


@dataclass(frozen=True, slots=True)
class Backward:
    """The formula for the gradients of the arguments `names`. `original` is the formula before saved values
    replaced arguments and results; `written` is where it comes from.
    """

    names: tuple[str, ...]
    formula: str
    original: str
    written: Formula
    saved_inputs: tuple[Saved, ...] = ()
    saved_outputs: tuple[Saved, ...] = ()
    named_gradients: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Differentiability:
    """The gradients, saved values and tangents of one function for one key. `node` is the name of the
    backward class, None without backward formulas; `function` is the one whose argument names the formulas
    use.
    """

    function: Function
    node: str | None
    inputs: tuple[Param, ...]
    backward: tuple[Backward, ...]
    forward: tuple[Forward, ...]
    saved_inputs: tuple[Saved, ...]
    saved_outputs: tuple[Saved, ...]
    non_differentiable: tuple[str, ...] = ()
    named_gradients: tuple[str, ...] = ()
    differentiable: tuple[bool, ...] | None = None
    condition: str | None = None

    @property
    def uses_single_gradient(self) -> bool:
        """Whether formulas use `grad` rather than `grads[i]`: only the first result has a gradient."""
        return any("grad" in words(one.formula) for one in self.backward)

    @property
    def retains_variables(self) -> bool:
        return any("retain_variables" in words(one.formula) for one in self.backward)

    def differentiable_outputs(self, function: Function) -> tuple[str, ...]:
        """Returns the C++ names of the results of `function` that have a gradient."""
        returns = list(zip(output_names(function), function.schema.returns, strict=True))
        if self.differentiable is not None:
            return tuple(name for (name, _), flag in zip(returns, self.differentiable, strict=False) if flag)
        found = [n for n, r in returns if r.type.is_tensor_like() and n not in self.non_differentiable]
        return tuple(found[:1] if self.uses_single_gradient else found)


def output_names(function: Function) -> tuple[str, ...]:
    """Returns the variables that hold results: arguments that are written to, else the names that formulas
    use.
    """
    if function.kind is Kind.inplace:
        return ("self",) * len(function.schema.returns)
    if function.schema.is_out():
        out = function.schema.arguments.out
        return tuple(a.name for a, _ in zip(out, function.schema.returns, strict=False))
    return return_names(function)
