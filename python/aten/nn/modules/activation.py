"""Activations."""

from __future__ import annotations

import warnings

from ... import _C
from ..._C import Tensor
from .. import functional as F
from ..init import constant_
from ..parameter import Parameter
from ._arguments import ArgumentsModule, InplaceModule, OnlyInplaceModule
from ._attention import MultiheadAttention as MultiheadAttention
from ._softmax import LogSoftmax as LogSoftmax
from ._softmax import Softmax as Softmax
from ._softmax import Softmax2d as Softmax2d
from ._softmax import Softmin as Softmin
from .module import Module, own

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,no-untyped-call,attr-defined"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

__all__ = (
    "CELU ELU GELU GLU Hardshrink Hardsigmoid Hardswish Hardtanh LeakyReLU LogSigmoid LogSoftmax "
    "Mish MultiheadAttention PReLU RReLU ReLU ReLU6 SELU SiLU Sigmoid Softmax Softmax2d Softmin "
    "Softplus Softshrink Softsign Tanh Tanhshrink Threshold"
).split()

_functions = _C._VariableFunctions


class Threshold(InplaceModule):
    """x where x > threshold, otherwise `value`."""

    _shown = "threshold={threshold}, value={value}"

    def __init__(self, threshold: float, value: float, inplace: bool = False) -> None:
        self._keep(locals())

    def forward(self, input: Tensor) -> Tensor:
        return F.threshold(input, self.threshold, self.value, self.inplace)


class ReLU(OnlyInplaceModule):
    """max(x, 0)."""

    def forward(self, input: Tensor) -> Tensor:
        return F.relu(input, own(self, "inplace"))


class RReLU(InplaceModule):
    """x where x >= 0, otherwise x times a slope: a random one from lower to upper, in evaluation their
    mean."""

    _shown = "lower={lower}, upper={upper}"

    def __init__(self, lower: float = 1.0 / 8, upper: float = 1.0 / 3, inplace: bool = False) -> None:
        self._keep(locals())

    def forward(self, input: Tensor) -> Tensor:
        return F.rrelu(input, self.lower, self.upper, self.training, self.inplace)


class Hardtanh(InplaceModule):
    """x limited to min_val .. max_val."""

    _shown = "min_val={min_val}, max_val={max_val}"

    def __init__(
        self,
        min_val: float = -1.0,
        max_val: float = 1.0,
        inplace: bool = False,
        min_value: float | None = None,
        max_value: float | None = None,
    ) -> None:
        for name, value in (("min", min_value), ("max", max_value)):
            if value is not None:
                warnings.warn(
                    f"keyword argument `{name}_value` is deprecated and renamed to `{name}_val`",
                    FutureWarning,
                    stacklevel=2,
                )
        min_val = min_val if min_value is None else min_value
        max_val = max_val if max_value is None else max_value
        if max_val <= min_val:
            raise AssertionError(f"max_val ({max_val}) must be greater than min_val ({min_val})")
        self._keep({"self": self, "min_val": min_val, "max_val": max_val, "inplace": inplace})

    def forward(self, input: Tensor) -> Tensor:
        return F.hardtanh(input, self.min_val, self.max_val, self.inplace)


class ReLU6(Hardtanh):
    """x limited to 0 .. 6."""

    _shown = ""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__(0.0, 6.0, inplace)


class Sigmoid(Module):
    """1 / (1 + exp(-x))."""

    def forward(self, input: Tensor) -> Tensor:
        return _functions.sigmoid(input)


class Hardsigmoid(OnlyInplaceModule):
    """x / 6 + 0.5, limited to 0 .. 1."""

    def forward(self, input: Tensor) -> Tensor:
        return F.hardsigmoid(input, self.inplace)

    def extra_repr(self) -> str:
        return ""


class Tanh(Module):
    """The hyperbolic tangent."""

    def forward(self, input: Tensor) -> Tensor:
        return _functions.tanh(input)


class SiLU(OnlyInplaceModule):
    """x * sigmoid(x)."""

    def forward(self, input: Tensor) -> Tensor:
        return F.silu(input, self.inplace)


class Mish(OnlyInplaceModule):
    """x * tanh(softplus(x))."""

    def forward(self, input: Tensor) -> Tensor:
        return F.mish(input, self.inplace)


class Hardswish(OnlyInplaceModule):
    """x * hardsigmoid(x)."""

    def forward(self, input: Tensor) -> Tensor:
        return F.hardswish(input, self.inplace)

    def extra_repr(self) -> str:
        return ""


class _Alpha(InplaceModule):
    _shown = "alpha={alpha}"

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        self._keep(locals())


class ELU(_Alpha):
    """x where x > 0, otherwise alpha * (exp(x) - 1)."""

    def forward(self, input: Tensor) -> Tensor:
        return F.elu(input, self.alpha, self.inplace)


class CELU(_Alpha):
    """x where x > 0, otherwise alpha * (exp(x / alpha) - 1)."""

    def forward(self, input: Tensor) -> Tensor:
        return F.celu(input, self.alpha, self.inplace)


class SELU(OnlyInplaceModule):
    """The scaled ELU of self-normalising networks."""

    def forward(self, input: Tensor) -> Tensor:
        return F.selu(input, self.inplace)


class GLU(ArgumentsModule):
    """a * sigmoid(b) of the halves a and b along `dim`."""

    _shown = "dim={dim}"

    def __init__(self, dim: int = -1) -> None:
        self._keep(locals())

    def forward(self, input: Tensor) -> Tensor:
        return F.glu(input, self.dim)


class GELU(ArgumentsModule):
    """x times the normal distribution's probability below x; `approximate` is "none" or "tanh"."""

    _shown = "approximate={approximate!r}"

    def __init__(self, approximate: str = "none") -> None:
        self._keep(locals())

    def forward(self, input: Tensor) -> Tensor:
        return F.gelu(input, approximate=self.approximate)


class _Lambd(ArgumentsModule):
    _shown = "{lambd}"

    def __init__(self, lambd: float = 0.5) -> None:
        self._keep(locals())


class Hardshrink(_Lambd):
    """x where abs(x) > lambd, otherwise 0."""

    def forward(self, input: Tensor) -> Tensor:
        return F.hardshrink(input, self.lambd)


class LeakyReLU(InplaceModule):
    """x where x >= 0, otherwise x * negative_slope."""

    _shown = "negative_slope={negative_slope}"

    def __init__(self, negative_slope: float = 0.01, inplace: bool = False) -> None:
        self._keep(locals())

    def forward(self, input: Tensor) -> Tensor:
        return F.leaky_relu(input, self.negative_slope, self.inplace)


class LogSigmoid(Module):
    """log(sigmoid(x))."""

    def forward(self, input: Tensor) -> Tensor:
        return F.logsigmoid(input)


class Softplus(ArgumentsModule):
    """log(1 + exp(beta * x)) / beta; x where beta * x > threshold."""

    _shown = "beta={beta}, threshold={threshold}"

    def __init__(self, beta: float = 1.0, threshold: float = 20.0) -> None:
        self._keep(locals())

    def forward(self, input: Tensor) -> Tensor:
        return F.softplus(input, self.beta, self.threshold)


class Softshrink(_Lambd):
    """x moved towards 0 by lambd."""

    def forward(self, input: Tensor) -> Tensor:
        return F.softshrink(input, self.lambd)


class PReLU(ArgumentsModule):
    """x where x >= 0, otherwise x times a parameter: one, or one for each channel (dimension 1)."""

    _shown = "num_parameters={num_parameters}"

    def __init__(
        self, num_parameters: int = 1, init: float = 0.25, device: Any = None, dtype: Any = None
    ) -> None:
        self._keep({"self": self, "num_parameters": num_parameters, "init": init})
        self.weight = Parameter(_functions.empty(num_parameters, device=device, dtype=dtype))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Sets the slopes to `init`."""
        constant_(self.weight, self.init)

    def forward(self, input: Tensor) -> Tensor:
        return F.prelu(input, own(self, "weight"))


class Softsign(Module):
    """x / (1 + abs(x))."""

    def forward(self, input: Tensor) -> Tensor:
        return F.softsign(input)


class Tanhshrink(Module):
    """x - tanh(x)."""

    def forward(self, input: Tensor) -> Tensor:
        return F.tanhshrink(input)
