"""Dropout."""

from __future__ import annotations

from ..._C import Tensor
from .. import functional as F
from ._arguments import ArgumentsModule
from .module import own

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return"

__all__ = ["AlphaDropout", "Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "FeatureAlphaDropout"]


class _DropoutNd(ArgumentsModule):
    _shown = "p={p}, inplace={inplace}"

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        if p < 0 or p > 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self._keep(locals())


class Dropout(_DropoutNd):
    """In training, sets elements to zero with the probability p, and divides the others by 1 - p."""

    def forward(self, input: Tensor) -> Tensor:
        p, training, inplace = own(self, "p", "training", "inplace")
        return F.dropout(input, p, training, inplace)


class Dropout1d(_DropoutNd):
    """Dropout of whole channels of [N, C, L] or [C, L]."""

    def forward(self, input: Tensor) -> Tensor:
        p, training, inplace = own(self, "p", "training", "inplace")
        return F.dropout1d(input, p, training, inplace)


class Dropout2d(_DropoutNd):
    """Dropout of whole channels of [N, C, H, W]."""

    def forward(self, input: Tensor) -> Tensor:
        p, training, inplace = own(self, "p", "training", "inplace")
        return F.dropout2d(input, p, training, inplace)


class Dropout3d(_DropoutNd):
    """Dropout of whole channels of [N, C, D, H, W] or [C, D, H, W]."""

    def forward(self, input: Tensor) -> Tensor:
        p, training, inplace = own(self, "p", "training", "inplace")
        return F.dropout3d(input, p, training, inplace)


class AlphaDropout(_DropoutNd):
    """Dropout for SELU, which preserves mean and variance."""

    def forward(self, input: Tensor) -> Tensor:
        return F.alpha_dropout(input, self.p, self.training)


class FeatureAlphaDropout(_DropoutNd):
    """AlphaDropout of whole channels."""

    def forward(self, input: Tensor) -> Tensor:
        return F.feature_alpha_dropout(input, self.p, self.training)
