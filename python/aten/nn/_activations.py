"""Activation functions with PyTorch's signatures."""

from __future__ import annotations

from .. import _C
from .._C import Tensor

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

_functions = _C._VariableFunctions
_nn: Any = getattr(_C, "_nn", None)


def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """Elementwise max(x, 0)."""
    return _functions.relu_(input) if inplace else _functions.relu(input)


def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """Elementwise x * sigmoid(x)."""
    return _nn.silu_(input) if inplace else _nn.silu(input)


def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    """Elementwise x where it is positive, x * `negative_slope` elsewhere."""
    return _nn.leaky_relu_(input, negative_slope) if inplace else _nn.leaky_relu(input, negative_slope)


def hardtanh(input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Tensor:
    """Elementwise x, clamped to [min_val, max_val]. ValueError if min_val > max_val."""
    if min_val > max_val:
        raise ValueError(f"hardtanh(): min_val {min_val} is greater than max_val {max_val}")
    return _nn.hardtanh_(input, min_val, max_val) if inplace else _nn.hardtanh(input, min_val, max_val)


def threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Tensor:
    """Elementwise x where it is above `threshold`, `value` elsewhere."""
    function = _functions.threshold_ if inplace else _functions.threshold
    return function(input, threshold, value)


def logsigmoid(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of the logistic function."""
    return _nn.log_sigmoid(input, out=out)


def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """Elementwise x where it is positive, `alpha` * (exp(x) - 1) elsewhere."""
    return _nn.elu_(input, alpha) if inplace else _nn.elu(input, alpha)


def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """Elementwise x where it is positive, `alpha` * (exp(x / `alpha`) - 1) elsewhere."""
    return _functions.celu_(input, alpha) if inplace else _functions.celu(input, alpha)


def selu(input: Tensor, inplace: bool = False) -> Tensor:
    """Elementwise elu with the alpha and scale that preserve mean and variance."""
    return _functions.selu_(input) if inplace else _functions.selu(input)


def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """Elementwise x, clamped to [0, 6]."""
    return _nn.relu6_(input) if inplace else _nn.relu6(input)


def hardsigmoid(input: Tensor, inplace: bool = False) -> Tensor:
    """Elementwise x / 6 + 1/2, clamped to [0, 1]."""
    return _nn.hardsigmoid_(input) if inplace else _nn.hardsigmoid(input)


def hardswish(input: Tensor, inplace: bool = False) -> Tensor:
    """Elementwise x * hardsigmoid(x)."""
    return _nn.hardswish_(input) if inplace else _nn.hardswish(input)


def mish(input: Tensor, inplace: bool = False) -> Tensor:
    """Elementwise x * tanh(softplus(x))."""
    return _nn.mish_(input) if inplace else _nn.mish(input)


def hardshrink(input: Tensor, lambd: float = 0.5, *, out: Tensor | None = None) -> Tensor:
    """Elementwise x, except 0 within [-`lambd`, `lambd`]."""
    return _functions.hardshrink(input, lambd, out=out)


def softshrink(input: Tensor, lambd: float = 0.5, *, out: Tensor | None = None) -> Tensor:
    """Elementwise x shrunk towards zero by `lambd`, 0 within [-`lambd`, `lambd`]."""
    return _nn.softshrink(input, lambd, out=out)


def tanhshrink(input: Tensor) -> Tensor:
    """Elementwise x - tanh(x)."""
    return input - input.tanh()


def softsign(input: Tensor) -> Tensor:
    """Elementwise x / (1 + |x|)."""
    return input / (input.abs() + 1)


def glu(input: Tensor, dim: int = -1) -> Tensor:
    """The first half along `dim` times the logistic function of the second."""
    if input.dim() == 0:
        raise RuntimeError("glu does not support scalars because halving size must be even")
    return _nn.glu(input, dim)


def prelu(input: Tensor, weight: Tensor) -> Tensor:
    """Elementwise x where it is positive, x * `weight` elsewhere: one weight, or one for each channel."""
    return _functions.prelu(input, weight)


def rrelu(
    input: Tensor,
    lower: float = 1.0 / 8,
    upper: float = 1.0 / 3,
    training: bool = False,
    inplace: bool = False,
) -> Tensor:
    """Elementwise x where it is positive, elsewhere x times a slope: random in [`lower`, `upper`] while
    `training`, their mean otherwise.
    """
    function = _functions.rrelu_ if inplace else _functions.rrelu
    return function(input, lower, upper, training)


def rrelu_(input: Tensor, lower: float = 1.0 / 8, upper: float = 1.0 / 3, training: bool = False) -> Tensor:
    """The in-place form of rrelu."""
    return _functions.rrelu_(input, lower, upper, training)
