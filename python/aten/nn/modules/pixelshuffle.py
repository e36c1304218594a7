"""Channels to pixels and back."""

from __future__ import annotations

from ..._C import Tensor
from .. import functional as F
from ._arguments import ArgumentsModule

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return"

__all__ = ["PixelShuffle", "PixelUnshuffle"]


class PixelShuffle(ArgumentsModule):
    """[..., C * r * r, H, W] -> [..., C, H * r, W * r], r being upscale_factor."""

    _shown = "upscale_factor={upscale_factor}"

    def __init__(self, upscale_factor: int) -> None:
        self._keep(locals())

    def forward(self, input: Tensor) -> Tensor:
        return F.pixel_shuffle(input, self.upscale_factor)


class PixelUnshuffle(ArgumentsModule):
    """[..., C, H * r, W * r] -> [..., C * r * r, H, W], r being downscale_factor."""

    _shown = "downscale_factor={downscale_factor}"

    def __init__(self, downscale_factor: int) -> None:
        self._keep(locals())

    def forward(self, input: Tensor) -> Tensor:
        return F.pixel_unshuffle(input, self.downscale_factor)
