"""Dropout of features, and functions made of softmax and norms."""

from __future__ import annotations

from .. import _C
from .._C import Tensor
from .._C import dtype as _dtype

# What the compiled module holds has its types in the stubs of the package only.
# mypy: disable-error-code="no-any-return"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

_functions: Any = _C._VariableFunctions
__all__ = (
    "alpha_dropout",
    "dropout1d",
    "dropout2d",
    "dropout3d",
    "feature_alpha_dropout",
    "gumbel_softmax",
    "softmin",
)
if not hasattr(_functions, "norm"):
    __all__ += ("normalize",)


def _check(name: str, p: float) -> None:
    if p < 0.0 or p > 1.0:
        raise ValueError(f"{name}(): probability has to be between 0 and 1, got {p}")


def alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Tensor:
    """Dropout that keeps the mean 0 and variance 1 of what SELU gives."""
    _check("alpha_dropout", p)
    function = _functions.alpha_dropout_ if inplace else _functions.alpha_dropout
    return function(input, p, training)


def feature_alpha_dropout(
    input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False
) -> Tensor:
    """alpha_dropout of whole features: what lies behind the first two dimensions."""
    _check("feature_alpha_dropout", p)
    function = _functions.feature_alpha_dropout_ if inplace else _functions.feature_alpha_dropout
    return function(input, p, training)


def _drop(input: Tensor, p: float, training: bool, inplace: bool) -> Tensor:
    function = _functions.feature_dropout_ if inplace else _functions.feature_dropout
    return function(input, p, training)


def dropout1d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Zeroes whole channels of (batch, channels, length) or (channels, length)."""
    _check("dropout1d", p)
    if input.dim() not in (2, 3):
        raise RuntimeError(f"dropout1d(): expected an input of 2 or 3 dimensions, got {input.dim()}")
    if input.dim() == 3:
        return _drop(input, p, training, inplace)
    single = input.unsqueeze_(0) if inplace else input.unsqueeze(0)
    result = _drop(single, p, training, inplace)
    return result.squeeze_(0) if inplace else result.squeeze(0)


def dropout2d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Zeroes whole channels of (batch, channels, height, width)."""
    _check("dropout2d", p)
    return _drop(input, p, training, inplace)


def dropout3d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Zeroes whole channels of (batch, channels, depth, height, width) or of one such without a batch."""
    _check("dropout3d", p)
    if input.dim() not in (4, 5):
        return _drop(input, p, training, inplace)
    if input.dim() == 5:
        return _drop(input, p, training, inplace)
    single = input.unsqueeze_(0) if inplace else input.unsqueeze(0)
    result = _drop(single, p, training, inplace)
    return result.squeeze_(0) if inplace else result.squeeze(0)


def implicit_dim(input: Tensor, dim: int | None) -> int:
    """`dim`, or where it isn't given what PyTorch takes by the number of dimensions."""
    if dim is not None:
        return dim
    return 0 if input.dim() in (0, 1, 3) else 1


def softmin(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: _dtype | None = None
) -> Tensor:
    """softmax of -input. Without `dim` it is 0 for 0, 1 and 3 dimensions, 1 otherwise."""
    dim, negative = implicit_dim(input, dim), -input
    return (
        _functions.softmax(negative, dim) if dtype is None else _functions.softmax(negative, dim, dtype=dtype)
    )


def gumbel_softmax(
    logits: Tensor, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1
) -> Tensor:
    """A random choice of a class by softmax(logits / tau), softened so that it has a gradient;
    `hard` gives it as zeros and a one, with the same gradient. `eps` is not used."""
    noise = -_functions.empty_like(logits).uniform_().neg().log1p().neg().log()
    soft = _functions.softmax((logits + noise) / tau, dim)
    if not hard:
        return soft
    index = soft.argmax(dim, keepdim=True)
    return _functions.scatter(_functions.zeros_like(logits), dim, index, 1.0) - soft.detach() + soft


def normalize(
    input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12, out: Tensor | None = None
) -> Tensor:
    """input over its p-norm along `dim`, which is taken as `eps` at least."""
    last = input.transpose(dim, -1)
    length = _functions.pairwise_distance(last, _functions.zeros_like(last), p, 0.0, True)
    length = length.transpose(dim, -1).clamp(min=eps).expand_as(input)
    return input / length if out is None else _functions.div(input, length, out=out)
