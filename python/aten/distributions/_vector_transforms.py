"""Transforms of vectors to the simplex, and to matrices."""

from __future__ import annotations

import math

from .. import _C
from .._C import Size, Tensor
from .._dtype_info import finfo
from . import constraints
from ._reshaping import _check_dims
from ._transform import _Fixed
from .utils import tril_matrix_to_vec, vec_to_tril_matrix

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,attr-defined,misc"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

_functions: Any = _C._VariableFunctions
_softplus: Any = _C._nn.softplus
_pad: Any = _functions.constant_pad_nd


def _within(probs: Tensor) -> Tensor:
    """Returns the probabilities in [smallest normal number, 1 - eps]."""
    info = finfo(probs.dtype)
    return probs.clamp(min=info.tiny, max=1 - info.eps)


def _log_tanh_slope(x: Tensor) -> Tensor:
    """log(1 - tanh(x)²), without cancellation."""
    return 2 * (math.log(2) - x - _softplus(-2 * x))


class CorrCholeskyTransform(_Fixed):
    """Vectors of D (D - 1) / 2 numbers to Cholesky factors of D x D correlation matrices: the numbers, by
    rows below the diagonal, are squashed by tanh; each is the fraction of what its row's length has left."""

    domain = constraints.real_vector
    codomain = constraints.corr_cholesky
    bijective = True

    def _call(self, x: Tensor) -> Tensor:
        eps = finfo(x.dtype).eps
        r = vec_to_tril_matrix(x.tanh().clamp(min=-1 + eps, max=1 - eps), diag=-1)
        left = (1 - r.square()).sqrt().cumprod(-1)
        r = r + _functions.eye(r.shape[-1], dtype=r.dtype, device=r.device)
        return r * _pad(left[..., :-1], [1, 0], 1)

    def _inverse(self, y: Tensor) -> Tensor:
        left = _pad(1 - y.square().cumsum(-1)[..., :-1], [1, 0], 1)
        t = tril_matrix_to_vec(y, diag=-1) / tril_matrix_to_vec(left, diag=-1).sqrt()
        return (t.log1p() - t.neg().log1p()) / 2

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        """That of x to the elements of y below the diagonal."""
        left = tril_matrix_to_vec(1 - y.square().cumsum(-1), diag=-2)
        return 0.5 * left.log().sum(-1) + _log_tanh_slope(x).sum(-1)

    def forward_shape(self, shape: Sequence[int]) -> Any:
        _check_dims(shape, 1)
        n = shape[-1]
        d = round((0.25 + 2 * n) ** 0.5 + 0.5)
        if d * (d - 1) // 2 != n:
            raise ValueError("Input is not a flattened lower-diagonal number")
        return Size((*shape[:-1], d, d))

    def inverse_shape(self, shape: Sequence[int]) -> Any:
        _check_dims(shape, 2)
        if shape[-2] != shape[-1]:
            raise ValueError("Input is not square")
        return Size((*shape[:-2], shape[-1] * (shape[-1] - 1) // 2))


class SoftmaxTransform(_Fixed):
    """y = softmax(x) along the last dimension. It is not bijective: its inverse is log(y)."""

    domain = constraints.real_vector
    codomain = constraints.simplex

    def _call(self, x: Tensor) -> Tensor:
        return x.softmax(-1)

    def _inverse(self, y: Tensor) -> Tensor:
        return y.log()

    def forward_shape(self, shape: Sequence[int]) -> Any:
        _check_dims(shape, 1)
        return shape

    inverse_shape = forward_shape


class StickBreakingTransform(_Fixed):
    """Vectors to the simplex of one dimension more: each number gives, by a sigmoid, the fraction of what is
    left of 1. Zeros give equal parts."""

    domain = constraints.real_vector
    codomain = constraints.simplex
    bijective = True

    def _offset(self, x: Tensor) -> Tensor:
        """Returns log(n), ..., log(1) for vectors of n numbers."""
        n = x.shape[-1]
        return (n + 1 - x.new_ones(n).cumsum(-1)).log()

    def _call(self, x: Tensor) -> Tensor:
        z = _within((x - self._offset(x)).sigmoid())
        return _pad(z, [0, 1], 1) * _pad((1 - z).cumprod(-1), [1, 0], 1)

    def _inverse(self, y: Tensor) -> Tensor:
        used = y[..., :-1]
        # Rounding may make what is left negative.
        left = (1 - used.cumsum(-1)).clamp(min=finfo(y.dtype).tiny)
        return used.log() - left.log() + self._offset(used)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        x = x - self._offset(x)
        return (-x - _softplus(-x) + y[..., :-1].log()).sum(-1)

    def forward_shape(self, shape: Sequence[int]) -> Any:
        _check_dims(shape, 1)
        return Size((*shape[:-1], shape[-1] + 1))

    def inverse_shape(self, shape: Sequence[int]) -> Any:
        _check_dims(shape, 1)
        return Size((*shape[:-1], shape[-1] - 1))


class LowerCholeskyTransform(_Fixed):
    """Square matrices to lower triangular ones with a positive diagonal: its exponential."""

    domain = constraints.independent(constraints.real, 2)
    codomain = constraints.lower_cholesky

    def _call(self, x: Tensor) -> Tensor:
        return x.tril(-1) + x.diagonal(dim1=-2, dim2=-1).exp().diag_embed()

    def _inverse(self, y: Tensor) -> Tensor:
        return y.tril(-1) + y.diagonal(dim1=-2, dim2=-1).log().diag_embed()


class PositiveDefiniteTransform(_Fixed):
    """Square matrices to positive definite ones, by their Cholesky factors."""

    domain = constraints.independent(constraints.real, 2)
    codomain = constraints.positive_definite

    def _call(self, x: Tensor) -> Tensor:
        factor = LowerCholeskyTransform()(x)
        return factor @ factor.mT

    def _inverse(self, y: Tensor) -> Tensor:
        return LowerCholeskyTransform().inv(_C._linalg.linalg_cholesky(y))
