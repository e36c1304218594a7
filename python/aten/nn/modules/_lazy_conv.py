"""Convolutions whose in_channels are those of the first input."""

from __future__ import annotations

from ..._C import Tensor
from ..parameter import UninitializedParameter
from . import _conv
from .lazy import LazyModuleMixin

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-untyped-call,attr-defined,misc"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any


class _LazyConvNd(LazyModuleMixin):
    def _make_lazy(self, out_channels: int, bias: bool, device: Any, dtype: Any) -> None:
        self.out_channels = out_channels
        self.weight = UninitializedParameter(device=device, dtype=dtype)
        if bias:
            self.bias = UninitializedParameter(device=device, dtype=dtype)

    def reset_parameters(self) -> None:
        if not self.has_uninitialized_params() and self.in_channels != 0:
            super().reset_parameters()

    def initialize_parameters(self, input: Tensor, *args: Any, **kwargs: Any) -> None:
        """Makes the parameters for the input's number of channels."""
        if not self.has_uninitialized_params():
            return
        batched = self._dimensions + 2
        if input.dim() not in (batched - 1, batched):
            raise RuntimeError(
                f"Expected {batched - 1}D (unbatched) or {batched}D (batched) input to "
                f"{type(self).__name__}, but got input of size: {input.shape}"
            )
        self.in_channels = input.shape[input.dim() - batched + 1]
        if self.in_channels % self.groups != 0:
            raise ValueError("in_channels must be divisible by groups")
        self.weight.materialize(self._weight_shape())
        if self.bias is not None:
            self.bias.materialize((self.out_channels,))
        self.reset_parameters()


class _LazyConv(_LazyConvNd):
    def __init__(
        self,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(0, 0, kernel_size, stride, padding, dilation, groups, False, padding_mode)
        self._make_lazy(out_channels, bias, device, dtype)


class _LazyConvTranspose(_LazyConvNd):
    def __init__(
        self,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Any = 1,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(
            0, 0, kernel_size, stride, padding, output_padding, groups, False, dilation, padding_mode
        )
        self._make_lazy(out_channels, bias, device, dtype)


class LazyConv1d(_LazyConv, _conv.Conv1d):
    """A Conv1d whose in_channels are those of the first input."""

    cls_to_become = _conv.Conv1d


class LazyConv2d(_LazyConv, _conv.Conv2d):
    """A Conv2d whose in_channels are those of the first input."""

    cls_to_become = _conv.Conv2d


class LazyConv3d(_LazyConv, _conv.Conv3d):
    """A Conv3d whose in_channels are those of the first input."""

    cls_to_become = _conv.Conv3d


class LazyConvTranspose1d(_LazyConvTranspose, _conv.ConvTranspose1d):
    """A ConvTranspose1d whose in_channels are those of the first input."""

    cls_to_become = _conv.ConvTranspose1d


class LazyConvTranspose2d(_LazyConvTranspose, _conv.ConvTranspose2d):
    """A ConvTranspose2d whose in_channels are those of the first input."""

    cls_to_become = _conv.ConvTranspose2d


class LazyConvTranspose3d(_LazyConvTranspose, _conv.ConvTranspose3d):
    """A ConvTranspose3d whose in_channels are those of the first input."""

    cls_to_become = _conv.ConvTranspose3d
