"""Convolutions, which PyTorch has here and at the top alike, and the windows that they see as columns."""

from __future__ import annotations

from .. import _C
from .._C import Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_CONVOLUTIONS = (
    "conv1d",
    "conv2d",
    "conv3d",
    "conv_transpose1d",
    "conv_transpose2d",
    "conv_transpose3d",
    "conv_tbc",
)
globals().update(
    {n: getattr(_C._VariableFunctions, n) for n in _CONVOLUTIONS if hasattr(_C._VariableFunctions, n)}
)


def unfold(
    input: Tensor,
    kernel_size: int | Sequence[int],
    dilation: int | Sequence[int] = 1,
    padding: int | Sequence[int] = 0,
    stride: int | Sequence[int] = 1,
) -> Tensor:
    """Windows of images (batch, channels, height, width) as columns: (batch, channels * taps, windows)."""
    return _C._nn.im2col(input, _pair(kernel_size), _pair(dilation), _pair(padding), _pair(stride))


def fold(
    input: Tensor,
    output_size: int | Sequence[int],
    kernel_size: int | Sequence[int],
    dilation: int | Sequence[int] = 1,
    padding: int | Sequence[int] = 0,
    stride: int | Sequence[int] = 1,
) -> Tensor:
    """Images of `output_size` made of columns as unfold gives them; where windows overlap they add up."""
    return _C._nn.col2im(
        input, _pair(output_size), _pair(kernel_size), _pair(dilation), _pair(padding), _pair(stride)
    )


def _pair(value: int | Sequence[int]) -> Sequence[int]:
    return (value, value) if isinstance(value, int) else value


__all__ = ["fold", "unfold", *(n for n in _CONVOLUTIONS if n in globals())]
