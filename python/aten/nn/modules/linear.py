"""Linear and bilinear layers."""

from __future__ import annotations

import math

from ... import _C
from ..._C import Tensor
from .. import functional as F
from ..init import kaiming_uniform_, uniform_
from ..parameter import Parameter, UninitializedParameter
from .lazy import LazyModuleMixin
from .module import Module, own

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,no-untyped-call,attr-defined,misc"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Bilinear", "Identity", "LazyLinear", "Linear", "NonDynamicallyQuantizableLinear"]

_functions = _C._VariableFunctions


def add_parameters(module: Module, weight: Any, bias: Any, device: Any, dtype: Any) -> None:
    """Registers uninitialised parameters of the shapes; None for no parameter."""
    for name, shape in (("weight", weight), ("bias", bias)):
        made = None if shape is None else Parameter(_functions.empty(shape, device=device, dtype=dtype))
        module.register_parameter(name, made)


def reset_as_linear(module: Any) -> None:
    """The initial values of Linear and of convolutions: uniform, with the bound 1 / sqrt(fan_in)."""
    kaiming_uniform_(module.weight, a=math.sqrt(5))
    if module.bias is not None:
        inputs = math.prod(module.weight.shape[1:])
        bound = 1 / math.sqrt(inputs) if inputs > 0 else 0
        uniform_(module.bias, -bound, bound)


class Identity(Module):
    """Returns its input; arguments are ignored."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def forward(self, input: Tensor) -> Tensor:
        return input


class Linear(Module):
    """x @ weight.T + bias: [..., in_features] -> [..., out_features]."""

    def __init__(
        self, in_features: int, out_features: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        add_parameters(self, (out_features, in_features), (out_features,) if bias else None, device, dtype)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draws initial values."""
        reset_as_linear(self)

    def forward(self, input: Tensor) -> Tensor:
        weight, bias = own(self, "weight", "bias")
        return F.linear(input, weight, bias)

    def extra_repr(self) -> str:
        return (
            f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"
        )


class NonDynamicallyQuantizableLinear(Linear):
    """The output projection of MultiheadAttention."""


class Bilinear(Module):
    """x1 @ weight[k] @ x2 + bias[k] for each output feature k."""

    def __init__(
        self,
        in1_features: int,
        in2_features: int,
        out_features: int,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        if in1_features <= 0:
            raise ValueError(f"in1_features must be > 0, but got (in1_features={in1_features})")
        super().__init__()
        self.in1_features, self.in2_features, self.out_features = in1_features, in2_features, out_features
        shape = (out_features, in1_features, in2_features)
        add_parameters(self, shape, (out_features,) if bias else None, device, dtype)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draws initial values."""
        bound = 1 / math.sqrt(self.weight.shape[1])
        uniform_(self.weight, -bound, bound)
        if self.bias is not None:
            uniform_(self.bias, -bound, bound)

    def forward(self, input1: Tensor, input2: Tensor) -> Tensor:
        return F.bilinear(input1, input2, *own(self, "weight", "bias"))

    def extra_repr(self) -> str:
        return (
            f"in1_features={self.in1_features}, in2_features={self.in2_features}, "
            f"out_features={self.out_features}, bias={self.bias is not None}"
        )


class LazyLinear(LazyModuleMixin, Linear):
    """A Linear whose in_features is the last size of the first input."""

    cls_to_become = Linear

    def __init__(self, out_features: int, bias: bool = True, device: Any = None, dtype: Any = None) -> None:
        super().__init__(0, 0, False)
        self.out_features = out_features
        self.weight = UninitializedParameter(device=device, dtype=dtype)
        if bias:
            self.bias = UninitializedParameter(device=device, dtype=dtype)

    def reset_parameters(self) -> None:
        if not self.has_uninitialized_params() and self.in_features != 0:
            super().reset_parameters()

    def initialize_parameters(self, input: Tensor) -> None:
        """Makes the parameters for the input's number of features."""
        features = input.shape[-1]
        if self.has_uninitialized_params():
            self.in_features = features
            self.weight.materialize((self.out_features, features))
            if self.bias is not None:
                self.bias.materialize((self.out_features,))
            self.reset_parameters()
        elif self.in_features == 0:
            if features != self.weight.shape[-1]:
                raise AssertionError(
                    f"The in_features inferred from input: {features} is not equal to in_features from "
                    f"self.weight: {self.weight.shape[-1]}"
                )
            self.in_features = features
