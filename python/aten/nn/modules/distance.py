"""Distances."""

from __future__ import annotations

from ..._C import Tensor
from .. import functional as F
from ._arguments import ArgumentsModule

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return"

__all__ = ["CosineSimilarity", "PairwiseDistance"]


class PairwiseDistance(ArgumentsModule):
    """The p-norm of x1 - x2 + eps over the last dimension."""

    def __init__(self, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> None:
        self._keep({"self": self, "norm": p, "eps": eps, "keepdim": keepdim})

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        return F.pairwise_distance(x1, x2, self.norm, self.eps, self.keepdim)


class CosineSimilarity(ArgumentsModule):
    """x1 · x2 divided by the product of their lengths, along `dim`."""

    def __init__(self, dim: int = 1, eps: float = 1e-8) -> None:
        self._keep(locals())

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        return F.cosine_similarity(x1, x2, self.dim, self.eps)
