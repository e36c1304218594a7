"""Dropout of elements and of whole features."""

from __future__ import annotations

from .. import _C
from .._C import Tensor

# What the compiled module holds has its types in the stubs of the package only.
# mypy: disable-error-code="no-any-return"
_functions = _C._VariableFunctions


def _check(name: str, p: float) -> None:
    if p < 0.0 or p > 1.0:
        raise ValueError(f"{name}(): probability has to be between 0 and 1, got {p}")


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Elements are zeroed with probability `p`, the others scaled by 1/(1-p); nothing happens unless
    `training`.
    ValueError for a p outside [0, 1]."""
    _check("dropout", p)
    return _functions.dropout_(input, p, training) if inplace else _functions.dropout(input, p, training)


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
    if input.dim() != 4:
        return _drop(input, p, training, inplace)
    single = input.unsqueeze_(0) if inplace else input.unsqueeze(0)
    result = _drop(single, p, training, inplace)
    return result.squeeze_(0) if inplace else result.squeeze(0)


def _drop(input: Tensor, p: float, training: bool, inplace: bool) -> Tensor:
    function = _functions.feature_dropout_ if inplace else _functions.feature_dropout
    return function(input, p, training)
