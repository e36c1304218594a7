"""Initial values of parameters. Each function fills a tensor in place, without a gradient, and returns it."""

from __future__ import annotations

import math
import warnings

from .. import _C
from .._C import Tensor
from ..autograd.grad_mode import no_grad

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,no-untyped-call"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .._C import Generator

_functions = _C._VariableFunctions
_linalg: Any = getattr(_C, "_linalg", None)

# The gain of each nonlinearity that has no parameter.
_GAINS = {
    **dict.fromkeys(("linear", *(f"conv{t}{n}d" for t in ("", "_transpose") for n in (1, 2, 3))), 1),
    "sigmoid": 1,
    "tanh": 5 / 3,
    "relu": math.sqrt(2.0),
    "selu": 3 / 4,
}


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """The recommended gain for a nonlinearity; `param` is the negative slope of "leaky_relu"."""
    if nonlinearity == "leaky_relu":
        if param is None:
            param = 0.01
        elif isinstance(param, bool) or not isinstance(param, (int, float)):
            raise ValueError(f"negative_slope {param} not a valid number")
        return math.sqrt(2.0 / (1 + param**2))
    if nonlinearity not in _GAINS:
        raise ValueError(f"Unsupported nonlinearity {nonlinearity}")
    return _GAINS[nonlinearity]


def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0, generator: Generator | None = None) -> Tensor:
    """Uniformly distributed values from a to b."""
    with no_grad():
        return tensor.uniform_(a, b, generator=generator)


def normal_(
    tensor: Tensor, mean: float = 0.0, std: float = 1.0, generator: Generator | None = None
) -> Tensor:
    """Normally distributed values."""
    with no_grad():
        return tensor.normal_(mean, std, generator=generator)


def trunc_normal_(
    tensor: Tensor,
    mean: float = 0.0,
    std: float = 1.0,
    a: float = -2.0,
    b: float = 2.0,
    generator: Generator | None = None,
) -> Tensor:
    """Normally distributed values, of which those outside of a to b are drawn again."""
    if tensor.is_meta:
        return tensor
    if mean < a - 2 * std or mean > b + 2 * std:
        warnings.warn(
            "mean is more than 2 std from [a, b] in nn.init.trunc_normal_. The distribution of values may be "
            "incorrect.",
            stacklevel=2,
        )
    low, high = ((bound - mean) / std for bound in (a, b))
    peak = min(max(0.0, low), high) ** 2
    likely = math.erf(high / math.sqrt(2)) - math.erf(low / math.sqrt(2)) > 0.6

    def draw() -> tuple[Tensor, Tensor]:
        """Values, and which of them to draw again: of normal ones those outside; where few are inside,
        uniform ones are kept with a probability of their density."""
        values = _functions.empty_like(tensor)
        if likely:
            values.normal_(mean, std, generator=generator)
            return values, (values < a) | (values > b)
        values.uniform_(a, b, generator=generator)
        chances = _functions.empty_like(tensor).uniform_(generator=generator)
        return values, chances.log() > (peak - ((values - mean) / std) ** 2) / 2

    with no_grad():
        values, again = draw()
        while again.any():
            others, refused = draw()
            values = _functions.where(again, others, values)
            again = again & refused
        return tensor.copy_(values)


def constant_(tensor: Tensor, val: float) -> Tensor:
    """The value everywhere."""
    with no_grad():
        return tensor.fill_(val)


def ones_(tensor: Tensor) -> Tensor:
    """Ones."""
    return constant_(tensor, 1.0)


def zeros_(tensor: Tensor) -> Tensor:
    """Zeros."""
    return constant_(tensor, 0.0)


def _check_matrix(tensor: Tensor) -> None:
    if tensor.dim() != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")


def eye_(tensor: Tensor) -> Tensor:
    """The identity matrix."""
    _check_matrix(tensor)
    with no_grad():
        return tensor.copy_(_functions.eye(*tensor.shape, dtype=tensor.dtype, device=tensor.device))


def dirac_(tensor: Tensor, groups: int = 1) -> Tensor:
    """The weight of a convolution that preserves as many channels of each group as it can."""
    if tensor.dim() not in (3, 4, 5):
        raise ValueError("Only tensors with 3, 4, or 5 dimensions are supported")
    outputs, inputs, *kernel = tensor.shape
    if outputs % groups != 0:
        raise ValueError("dim 0 must be divisible by groups")
    if tensor.is_meta:
        return tensor
    middle = [n // 2 for n in kernel]
    with no_grad():
        tensor.zero_()
        for first in range(0, outputs, outputs // groups):
            for d in range(min(outputs // groups, inputs)):
                place = (first + d, d, *middle)
                tensor[place] = 1
    return tensor


def _calculate_fan_in_and_fan_out(tensor: Tensor) -> tuple[int, int]:
    """How many inputs each output depends on, and how many outputs each input is used for."""
    if tensor.dim() < 2:
        raise ValueError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
    outputs, inputs, *kernel = tensor.shape
    return inputs * math.prod(kernel), outputs * math.prod(kernel)


def xavier_uniform_(tensor: Tensor, gain: float = 1.0, generator: Generator | None = None) -> Tensor:
    """Uniform values of the standard deviation gain * sqrt(2 / (fan_in + fan_out))."""
    bound = gain * math.sqrt(6.0 / sum(_calculate_fan_in_and_fan_out(tensor)))
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor: Tensor, gain: float = 1.0, generator: Generator | None = None) -> Tensor:
    """Normal values of the standard deviation gain * sqrt(2 / (fan_in + fan_out))."""
    std = gain * math.sqrt(2.0 / sum(_calculate_fan_in_and_fan_out(tensor)))
    return normal_(tensor, 0.0, std, generator)


def _calculate_correct_fan(tensor: Tensor, mode: str) -> int:
    modes = ["fan_in", "fan_out"]
    if mode.lower() not in modes:
        raise ValueError(f"Mode {mode.lower()} not supported, please use one of {modes}")
    return _calculate_fan_in_and_fan_out(tensor)[modes.index(mode.lower())]


def _kaiming_std(tensor: Tensor, a: float, mode: str, nonlinearity: str) -> float | None:
    """gain / sqrt(fan); None for a tensor without elements."""
    if 0 in tensor.shape:
        warnings.warn("Initializing zero-element tensors is a no-op", stacklevel=3)
        return None
    return calculate_gain(nonlinearity, a) / math.sqrt(_calculate_correct_fan(tensor, mode))


def kaiming_uniform_(
    tensor: Tensor,
    a: float = 0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Generator | None = None,
) -> Tensor:
    """Uniform values of the standard deviation gain / sqrt(fan); `a` is the slope of leaky_relu."""
    std = _kaiming_std(tensor, a, mode, nonlinearity)
    return tensor if std is None else uniform_(tensor, -math.sqrt(3.0) * std, math.sqrt(3.0) * std, generator)


def kaiming_normal_(
    tensor: Tensor,
    a: float = 0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Generator | None = None,
) -> Tensor:
    """Normal values of the standard deviation gain / sqrt(fan); `a` is the slope of leaky_relu."""
    std = _kaiming_std(tensor, a, mode, nonlinearity)
    return tensor if std is None else normal_(tensor, 0.0, std, generator)


def orthogonal_(tensor: Tensor, gain: float = 1, generator: Generator | None = None) -> Tensor:
    """An orthogonal matrix times gain; dimensions after the first are taken as one."""
    if tensor.dim() < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    if tensor.numel() == 0 or tensor.is_meta:
        return tensor
    with no_grad():
        random = tensor.new_empty((tensor.shape[0], tensor.numel() // tensor.shape[0]))
        random.normal_(0, 1, generator=generator)
        wide = random.shape[0] < random.shape[1]
        q, r = _linalg.linalg_qr(random.t() if wide else random)
        q *= r.diagonal().sign()  # makes the distribution uniform
        return tensor.copy_((q.t() if wide else q).reshape(tensor.shape)).mul_(gain)


def sparse_(tensor: Tensor, sparsity: float, std: float = 0.01, generator: Generator | None = None) -> Tensor:
    """Normal values, of which in each column the fraction `sparsity` is set to zero."""
    _check_matrix(tensor)
    if tensor.is_meta:
        return tensor
    rows, columns = tensor.shape
    with no_grad():
        tensor.normal_(0, std, generator=generator)
        for column in range(columns):
            tensor[_functions.randperm(rows)[: math.ceil(sparsity * rows)], column] = 0
    return tensor


def _deprecated(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    def old(*args: Any, **kwargs: Any) -> Tensor:
        warnings.warn(
            f"`nn.init.{old.__name__}` is now deprecated in favor of `nn.init.{function.__name__}`.",
            FutureWarning,
            stacklevel=2,
        )
        return function(*args, **kwargs)

    old.__name__ = function.__name__[:-1]
    old.__doc__ = f"The old name of {function.__name__}."
    return old


for _function in (
    uniform_,
    normal_,
    constant_,
    eye_,
    dirac_,
    xavier_uniform_,
    xavier_normal_,
    kaiming_uniform_,
    kaiming_normal_,
    orthogonal_,
    sparse_,
):
    globals()[_function.__name__[:-1]] = _deprecated(_function)
