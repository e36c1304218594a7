"""Dropout of elements and of whole channels."""

from __future__ import annotations

from .. import _C
from .._C import Tensor

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return"
_functions = _C._VariableFunctions


def _check(name: str, p: float) -> None:
    if p < 0.0 or p > 1.0:
        raise ValueError(f"{name}(): probability has to be between 0 and 1, got {p}")


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Zeroes elements with probability `p` and scales the others by 1/(1-p); the identity unless `training`.
    ValueError for a p outside of [0, 1]."""
    _check("dropout", p)
    return _functions.dropout_(input, p, training) if inplace else _functions.dropout(input, p, training)


def alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Tensor:
    """Dropout that preserves mean 0 and variance 1, for use after selu."""
    _check("alpha_dropout", p)
    function = _functions.alpha_dropout_ if inplace else _functions.alpha_dropout
    return function(input, p, training)


def feature_alpha_dropout(
    input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False
) -> Tensor:
    """alpha_dropout of whole channels: of all dimensions after the first two."""
    _check("feature_alpha_dropout", p)
    function = _functions.feature_alpha_dropout_ if inplace else _functions.feature_alpha_dropout
    return function(input, p, training)


def dropout1d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Zeroes whole channels of [N, C, L] or [C, L]."""
    _check("dropout1d", p)
    if input.dim() not in (2, 3):
        raise RuntimeError(f"dropout1d(): expected an input of 2 or 3 dimensions, got {input.dim()}")
    if input.dim() == 3:
        return _drop(input, p, training, inplace)
    single = input.unsqueeze_(0) if inplace else input.unsqueeze(0)
    result = _drop(single, p, training, inplace)
    return result.squeeze_(0) if inplace else result.squeeze(0)


def dropout2d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Zeroes whole channels of [N, C, H, W]."""
    _check("dropout2d", p)
    return _drop(input, p, training, inplace)


def dropout3d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Zeroes whole channels of [N, C, D, H, W] or [C, D, H, W]."""
    _check("dropout3d", p)
    if input.dim() != 4:
        return _drop(input, p, training, inplace)
    single = input.unsqueeze_(0) if inplace else input.unsqueeze(0)
    result = _drop(single, p, training, inplace)
    return result.squeeze_(0) if inplace else result.squeeze(0)


def _drop(input: Tensor, p: float, training: bool, inplace: bool) -> Tensor:
    function = _functions.feature_dropout_ if inplace else _functions.feature_dropout
    return function(input, p, training)
