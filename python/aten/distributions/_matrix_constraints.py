"""Constraints of matrices."""

from __future__ import annotations

from .. import _C
from .._C import Tensor
from .._dtype_info import finfo
from ._constraint import Constraint

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,attr-defined,misc"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

_functions: Any = _C._VariableFunctions


class _Matrix(Constraint):
    event_dim = 2


class _LowerTriangular(_Matrix):
    def check(self, value: Tensor) -> Tensor:
        return (value.tril() == value).flatten(-2).all(-1)


class _LowerCholesky(_LowerTriangular):
    """Lower triangular matrices with a positive diagonal."""

    def check(self, value: Tensor) -> Tensor:
        return super().check(value) & (value.diagonal(dim1=-2, dim2=-1) > 0).all(-1)


class _CorrCholesky(_LowerCholesky):
    """Cholesky factors of correlation matrices: of which each row has length 1."""

    def check(self, value: Tensor) -> Tensor:
        tolerance = finfo(value.dtype).eps * value.size(-1) * 10
        lengths = value.detach().square().sum(-1).sqrt()
        return super().check(value) & ((lengths - 1).abs() <= tolerance).all(-1)


class _Square(_Matrix):
    def check(self, value: Tensor) -> Tensor:
        is_square = value.shape[-2] == value.shape[-1]
        return _functions.full(value.shape[:-2], is_square, dtype=_C.bool, device=value.device)


class _Symmetric(_Square):
    def check(self, value: Tensor) -> Tensor:
        square = super().check(value)
        if value.shape[-2] != value.shape[-1]:
            return square
        return _functions.isclose(value, value.mT, atol=1e-6).all(-2).all(-1)


class _Definite(_Symmetric):
    """Symmetric matrices that satisfy `_is_definite` too, which is asked if all are symmetric."""

    def check(self, value: Tensor) -> Tensor:
        symmetric = super().check(value)
        return self._is_definite(value) if symmetric.all() else symmetric

    def _is_definite(self, value: Tensor) -> Tensor:
        raise NotImplementedError(f"{type(self).__name__} has no _is_definite()")


class _PositiveSemidefinite(_Definite):
    def _is_definite(self, value: Tensor) -> Tensor:
        return _C._linalg.linalg_eigvalsh(value).ge(0).all(-1)


class _PositiveDefinite(_Definite):
    def _is_definite(self, value: Tensor) -> Tensor:
        return _C._linalg.linalg_cholesky_ex(value)[1].eq(0)
