"""The parametrization of orthogonal and unitary matrices. Maps are of tall matrices [..., n, k], n >= k."""

from __future__ import annotations

from ... import _C
from ..._C import Tensor
from ..._dtype_info import finfo
from ...autograd.grad_mode import no_grad
from ..modules.module import Module

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,no-untyped-call,attr-defined"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_functions = _C._VariableFunctions
_linalg: Any = getattr(_C, "_linalg", None)


def _skew(x: Tensor) -> Tensor:
    """The skew-symmetric n by n matrix whose first columns have the lower triangle of x."""
    n, k = x.shape[-2:]
    lower = x.tril()
    if n != k:
        zeros = x.new_zeros((n, n - k)).expand((*x.shape[:-2], n, n - k))
        lower = _functions.cat([lower, zeros], -1)
    return lower - lower.mH


def _matrix_exp(x: Tensor) -> Tensor:
    return _functions.matrix_exp(_skew(x))[..., : x.shape[-1]]


def _cayley(x: Tensor) -> Tensor:
    """(I + A / 2) times the inverse of (I - A / 2)."""
    skew = _skew(x)
    one = _functions.eye(skew.shape[-1], dtype=x.dtype, device=x.device)
    return _linalg.linalg_solve(one - skew / 2, one + skew / 2)[..., : x.shape[-1]]


def _householder(x: Tensor) -> Tensor:
    """The product of the reflections below the diagonal, with columns of the signs on it."""
    reflectors = x.tril(-1)
    tau = 2.0 / (1.0 + (reflectors * reflectors).sum(-2))
    signs = x.diagonal(0, -2, -1).int().unsqueeze(-2)  # not differentiated
    return _linalg.linalg_householder_product(reflectors, tau) * signs


MAPS: dict[str, Callable[[Tensor], Tensor]] = {
    "matrix_exp": _matrix_exp,
    "cayley": _cayley,
    "householder": _householder,
}


def _is_orthogonal(q: Tensor) -> bool:
    n, k = q.shape[-2:]
    one = _functions.eye(k, dtype=q.dtype, device=q.device)
    return _functions.allclose(q.mH @ q, one, atol=10.0 * n * finfo(q.dtype).eps)


def _made_orthogonal(matrix: Tensor) -> Tensor:
    """The Q of matrix = QR where the diagonal of R is not negative."""
    packed, tau = _functions.geqrf(matrix)
    q = _linalg.linalg_householder_product(packed, tau)
    return q * packed.diagonal(0, -2, -1).sgn().unsqueeze(-2)


class _Orthogonal(Module):
    base: Tensor

    def __init__(self, weight: Tensor, orthogonal_map: str, *, use_trivialization: bool = True) -> None:
        super().__init__()
        if weight.is_complex() and orthogonal_map == "householder":
            raise ValueError("The householder parametrization does not support complex tensors.")
        self.shape = weight.shape
        self.orthogonal_map = orthogonal_map
        if use_trivialization:
            self.register_buffer("base", None)

    def forward(self, x: Tensor) -> Tensor:
        wide = x.shape[-2] < x.shape[-1]
        q = MAPS[self.orthogonal_map](x.mT if wide else x)
        if hasattr(self, "base"):
            q = self.base @ q
        return q.mT if wide else q

    @no_grad()
    def right_inverse(self, q: Tensor) -> Tensor:
        """The original for which forward() gives q, made orthogonal."""
        if q.shape != self.shape:
            raise ValueError(
                f"Expected a matrix or batch of matrices of shape {self.shape}. Got a tensor of shape "
                f"{q.shape}."
            )
        wide = q.shape[-2] < q.shape[-1]
        tall = q.mT if wide else q
        if not hasattr(self, "base"):
            if self.orthogonal_map != "householder":
                raise NotImplementedError(
                    "It is not possible to assign to the matrix exponential or the Cayley parametrizations "
                    "when use_trivialization=False."
                )
            packed = _reflectors(tall)
            return packed.mT if wide else packed
        self.base = _base(tall)
        # Minus one on the diagonal is the original for which each map gives the identity.
        original = _functions.zeros_like(q)
        original.diagonal(0, -2, -1).fill_(-1.0)
        return original


def _reflectors(q: Tensor) -> Tensor:
    """The original that the householder map takes to q, made orthogonal."""
    packed, tau = _functions.geqrf(q)
    signs = packed.diagonal(0, -2, -1)
    signs.sign_()
    signs[tau == 0.0] *= -1  # for LAPACK, a tau of zero is no reflection
    return packed


def _base(q: Tensor) -> Tensor:
    """A square orthogonal matrix whose first columns are q, made orthogonal."""
    n, k = q.shape[-2:]
    if n != k:
        others = _functions.randn((*q.shape[:-2], n, n - k), dtype=q.dtype, device=q.device)
        return _made_orthogonal(_functions.cat([q, others], -1))
    return q.clone() if _is_orthogonal(q) else _made_orthogonal(q)
