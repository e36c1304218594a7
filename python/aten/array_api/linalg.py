"""Linear algebra, with the standard's names, arguments and results."""

from __future__ import annotations

from ._arguments import accumulated, aten, dims, promoted, record
from ._shapes import broadcast_arrays
from ._shapes import matmul as matmul
from ._shapes import matrix_transpose as matrix_transpose
from ._shapes import tensordot as tensordot
from ._shapes import vecdot as vecdot

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any


EigResult = record("EigResult", "What eig() returns.", "eigenvalues", "eigenvectors")


EighResult = record("EighResult", "What eigh() returns.", "eigenvalues", "eigenvectors")


QRResult = record("QRResult", "What qr() returns.", "Q", "R")


SlogdetResult = record("SlogdetResult", "What slogdet() returns.", "sign", "logabsdet")


SVDResult = record("SVDResult", "What svd() returns.", "U", "S", "Vh")


def cholesky(x: Any, /, *, upper: bool = False) -> Any:
    """The triangular factor of positive definite matrices."""
    return aten.linalg.cholesky(x, upper=upper)


def cross(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    """The cross product of vectors of 3 elements along `axis`."""
    return aten.linalg.cross(*broadcast_arrays(*promoted(x1, x2)), dim=axis)


def det(x: Any, /) -> Any:
    """The determinants."""
    return aten.linalg.det(x)


def diagonal(x: Any, /, *, offset: int = 0) -> Any:
    """A view of the diagonals of matrices."""
    return aten.diagonal(x, offset, -2, -1)


def eig(x: Any, /) -> Any:
    """The eigenvalues and right eigenvectors of matrices."""
    return EigResult(*aten.linalg.eig(x))


def eigh(x: Any, /) -> Any:
    """The eigenvalues and eigenvectors of Hermitian matrices."""
    return EighResult(*aten.linalg.eigh(x))


def eigvals(x: Any, /) -> Any:
    """The eigenvalues of matrices."""
    return aten.linalg.eigvals(x)


def eigvalsh(x: Any, /) -> Any:
    """The eigenvalues of Hermitian matrices."""
    return aten.linalg.eigvalsh(x)


def inv(x: Any, /) -> Any:
    """The inverse matrices."""
    return aten.linalg.inv(x)


def matrix_norm(x: Any, /, *, keepdims: bool = False, ord: Any = "fro") -> Any:
    """The norms of matrices."""
    return aten.linalg.matrix_norm(x, ord, (-2, -1), keepdims)


def matrix_power(x: Any, n: int, /) -> Any:
    """The n-th power of square matrices."""
    return aten.linalg.matrix_power(x, n)


def matrix_rank(x: Any, /, *, rtol: Any = None) -> Any:
    """How many singular values are larger than `rtol` times the largest."""
    return aten.linalg.matrix_rank(x, rtol=rtol)


def outer(x1: Any, x2: Any, /) -> Any:
    """The products of each element of one vector with each of the other."""
    return aten.outer(*promoted(x1, x2))


def pinv(x: Any, /, *, rtol: Any = None) -> Any:
    """The pseudo-inverse matrices."""
    return aten.linalg.pinv(x, rtol=rtol)


def qr(x: Any, /, *, mode: str = "reduced") -> Any:
    """The QR decompositions."""
    return QRResult(*aten.linalg.qr(x, mode))


def slogdet(x: Any, /) -> Any:
    """The signs of determinants, and the logarithms of their magnitudes."""
    return SlogdetResult(*aten.linalg.slogdet(x))


def solve(x1: Any, x2: Any, /) -> Any:
    """The solutions of x1 @ x = x2; x2 is a vector only if it has one dimension."""
    x1, x2 = promoted(x1, x2)
    if x2.ndim == 1:
        return aten.linalg.solve(x1, x2.unsqueeze(-1)).squeeze(-1)
    batch = aten.broadcast_shapes(x1.shape[:-2], x2.shape[:-2])
    return aten.linalg.solve(x1.expand((*batch, *x1.shape[-2:])), x2.expand((*batch, *x2.shape[-2:])))


def svd(x: Any, /, *, full_matrices: bool = True) -> Any:
    """The singular value decompositions."""
    return SVDResult(*aten.linalg.svd(x, full_matrices=full_matrices))


def svdvals(x: Any, /) -> Any:
    """The singular values."""
    return aten.linalg.svdvals(x)


def trace(x: Any, /, *, offset: int = 0, dtype: Any = None) -> Any:
    """The sums of the diagonals of matrices."""
    return accumulated(aten.diagonal(x, offset, -2, -1), dtype, lambda t: t.sum(-1))


def vector_norm(x: Any, /, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Any:
    """The norms of vectors along the dimensions `axis`, or of all elements."""
    if axis == ():
        return (x != 0).to(x.real.dtype) if ord == 0 else aten.abs(x)
    return aten.linalg.vector_norm(x, ord, dims(x, axis), keepdims)


__all__ = (
    "cholesky cross det diagonal eig eigh eigvals eigvalsh inv matmul matrix_norm matrix_power matrix_rank "
    "matrix_transpose outer pinv qr slogdet solve svd svdvals tensordot trace vecdot vector_norm"
).split()
