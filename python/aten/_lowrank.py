"""Decompositions of low rank by random projections, and the old spelling of LU."""

from __future__ import annotations

from . import _C
from ._C import Tensor

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

_functions: Any = _C._VariableFunctions


def _adjoint(t: Tensor) -> Tensor:
    return t.conj().mT if t.is_complex() else t.mT


def _basis(matrix: Tensor, rank: int, rounds: int) -> Tensor:
    """An orthonormal basis of about what the largest singular vectors span."""
    qr: Any = _C._linalg.linalg_qr
    probes = _functions.randn(matrix.shape[-1], rank, dtype=matrix.dtype, device=matrix.device)
    basis = qr(matrix @ probes)[0]
    for _ in range(rounds):
        basis = qr(matrix @ qr(_adjoint(matrix) @ basis)[0])[0]
    return basis


def svd_lowrank(A: Tensor, q: int | None = 6, niter: int | None = 2, M: Tensor | None = None) -> Any:
    """U, S and V of A, or of A - M, with U @ diag(S) @ V^H close to it: the `q` largest singular values, by
    random projections that are refined `niter` times."""
    given = (A,) if M is None else (A, M)
    if _C._any_torch_function(*given):
        return _C._handle_torch_function(svd_lowrank, given, (A,), {"q": q, "niter": niter, "M": M})
    matrix = A if M is None else A - M
    wide = matrix.shape[-2] < matrix.shape[-1]
    if wide:
        matrix = _adjoint(matrix)
    basis = _basis(matrix, 6 if q is None else q, 2 if niter is None else niter)
    left, values, right = _C._linalg.linalg_svd(_adjoint(basis) @ matrix, full_matrices=False)
    u, v = basis @ left, _adjoint(right)
    return (v, values, u) if wide else (u, values, v)


def pca_lowrank(A: Tensor, q: int | None = None, center: bool = True, niter: int = 2) -> Any:
    """svd_lowrank() of the rows of A, less their mean with `center`: the columns of V are the principal
    directions. Without `q`, 6 or as many as there are."""
    if _C._any_torch_function(A):
        keywords = {"q": q, "center": center, "niter": niter}
        return _C._handle_torch_function(pca_lowrank, (A,), (A,), keywords)
    most = min(A.shape[-2:])
    rank = min(6, most) if q is None else q
    if not 0 <= rank <= most:
        raise ValueError(f"q(={rank}) must be non-negative integer and not greater than min(m, n)={most}")
    if niter < 0:
        raise ValueError(f"niter(={niter}) must be non-negative integer")
    return svd_lowrank(A - A.mean(-2, keepdim=True) if center else A, rank, niter)


def lu(A: Tensor, pivot: bool = True, get_infos: bool = False, out: Any = None) -> Any:
    """The LU factors of matrices in one tensor and the pivots, the old spelling of linalg.lu_factor(); with
    `get_infos` also which factor is 0, instead of an error."""
    if _C._any_torch_function(A):
        return _C._handle_torch_function(lu, (A,), (A,), {"pivot": pivot, "get_infos": get_infos, "out": out})
    found = _C._linalg.linalg_lu_factor_ex(A, pivot=pivot, check_errors=not get_infos)
    asked = tuple(found) if get_infos else tuple(found)[:2]
    if out is None:
        return asked
    for target, result in zip(out, asked, strict=True):
        target.resize_as_(result).copy_(result)
    return tuple(out)
