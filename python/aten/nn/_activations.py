"""Activation functions with PyTorch's signatures."""

from __future__ import annotations

from .. import _C
from .._C import Tensor

__all__ = [
    "celu",
    "elu",
    "glu",
    "hardshrink",
    "hardsigmoid",
    "hardswish",
    "mish",
    "prelu",
    "relu6",
    "rrelu",
    "rrelu_",
    "selu",
    "softshrink",
    "softsign",
    "tanhshrink",
]

_functions = _C._VariableFunctions


def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """Elementwise x where it is positive, `alpha` * (exp(x) - 1) elsewhere."""
    return _C._nn.elu_(input, alpha) if inplace else _C._nn.elu(input, alpha)


def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """Elementwise x where it is positive, `alpha` * (exp(x / `alpha`) - 1) elsewhere."""
    return _functions.celu_(input, alpha) if inplace else _functions.celu(input, alpha)


def selu(input: Tensor, inplace: bool = False) -> Tensor:
    """Elementwise elu with the alpha and the scale that keep mean and variance."""
    return _functions.selu_(input) if inplace else _functions.selu(input)


def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """Elementwise x, kept within [0, 6]."""
    return _C._nn.relu6_(input) if inplace else _C._nn.relu6(input)


def hardsigmoid(input: Tensor, inplace: bool = False) -> Tensor:
    """Elementwise x / 6 + 1/2, kept within [0, 1]."""
    return _C._nn.hardsigmoid_(input) if inplace else _C._nn.hardsigmoid(input)


def hardswish(input: Tensor, inplace: bool = False) -> Tensor:
    """Elementwise x * hardsigmoid(x)."""
    return _C._nn.hardswish_(input) if inplace else _C._nn.hardswish(input)


def mish(input: Tensor, inplace: bool = False) -> Tensor:
    """Elementwise x * tanh(softplus(x))."""
    return _C._nn.mish_(input) if inplace else _C._nn.mish(input)


def hardshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    """Elementwise x, but 0 within [-`lambd`, `lambd`]."""
    return _functions.hardshrink(input, lambd)


def softshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    """Elementwise x less `lambd` towards zero, 0 within [-`lambd`, `lambd`]."""
    return _C._nn.softshrink(input, lambd)


def tanhshrink(input: Tensor) -> Tensor:
    """Elementwise x - tanh(x)."""
    return input - input.tanh()


def softsign(input: Tensor) -> Tensor:
    """Elementwise x / (1 + |x|)."""
    return input / (input.abs() + 1)


def glu(input: Tensor, dim: int = -1) -> Tensor:
    """The first half along `dim` by the logistic function of the second."""
    if input.dim() == 0:
        raise RuntimeError("glu does not support scalars because halving size must be even")
    return _C._nn.glu(input, dim)


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
    """Elementwise x where it is positive, elsewhere x by a slope: drawn from [`lower`, `upper`] while
    `training`, their mean otherwise."""
    function = _functions.rrelu_ if inplace else _functions.rrelu
    return function(input, lower, upper, training)


def rrelu_(input: Tensor, lower: float = 1.0 / 8, upper: float = 1.0 / 3, training: bool = False) -> Tensor:
    """The in-place form of rrelu."""
    return _functions.rrelu_(input, lower, upper, training)
