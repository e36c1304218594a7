"""Convolutions. `kernel_size`, `stride`, `padding` and `dilation` are numbers for all dimensions, or one for
each."""

from __future__ import annotations

from collections.abc import Callable  # typing.get_type_hints() of subclasses needs it

from ..._C import Tensor
from .. import functional as F
from ._arguments import repeated
from .linear import add_parameters, reset_as_linear
from .module import Module, own

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,no-untyped-call,attr-defined,misc"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

_PADDINGS = ("same", "valid")
_PADDING_MODES = ("zeros", "reflect", "replicate", "circular")


def _for_each(count: int, *values: Any) -> tuple[Any, ...]:
    """Each value `count` times, unless it is a string or has one for each dimension."""
    return tuple(value if isinstance(value, str) else repeated(value, count) for value in values)


class _ConvNd(Module):
    """The base of convolutions. kernel_size, stride, padding, dilation and output_padding have a number for
    each dimension; padding may also be "same" or "valid"."""

    _function: Callable[..., Tensor]

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: tuple[int, ...],
        stride: tuple[int, ...],
        padding: str | tuple[int, ...],
        dilation: tuple[int, ...],
        transposed: bool,
        output_padding: tuple[int, ...],
        groups: int,
        bias: bool,
        padding_mode: str,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        arguments = locals()
        super().__init__()
        kept = arguments.keys() - {"self", "bias", "device", "dtype", "__class__"}
        self.__dict__.update((name, arguments[name]) for name in kept)
        self._check()
        self._reversed_padding_repeated_twice = self._edges()
        add_parameters(self, self._weight_shape(), (out_channels,) if bias else None, device, dtype)
        self.reset_parameters()

    def _check(self) -> None:
        if self.groups <= 0:
            raise ValueError("groups must be a positive integer")
        for name in ("in_channels", "out_channels"):
            if getattr(self, name) % self.groups != 0:
                raise ValueError(f"{name} must be divisible by groups")
        if isinstance(self.padding, str) and self.padding not in _PADDINGS:
            raise ValueError(f"Invalid padding string {self.padding!r}, should be one of {_PADDINGS}")
        if self.padding == "same" and any(s != 1 for s in self.stride):
            raise ValueError("padding='same' is not supported for strided convolutions")
        if self.padding_mode not in _PADDING_MODES:
            raise ValueError(
                f"padding_mode must be one of {_PADDING_MODES}, but got padding_mode='{self.padding_mode}'"
            )

    def _weight_shape(self) -> tuple[int, ...]:
        outer, inner = self.out_channels, self.in_channels
        if self.transposed:
            outer, inner = inner, outer
        return (outer, inner // self.groups, *self.kernel_size)

    def _edges(self) -> list[int]:
        """The padding as functional.pad takes it, from the last dimension."""
        edges = []
        for place in reversed(range(len(self.kernel_size))):
            if self.padding == "same":
                both = self.dilation[place] * (self.kernel_size[place] - 1)
                edges += [both // 2, both - both // 2]
            else:
                edges += [0 if self.padding == "valid" else self.padding[place]] * 2
        return edges

    def reset_parameters(self) -> None:
        """Draws initial values."""
        reset_as_linear(self)

    def extra_repr(self) -> str:
        shown = (
            f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
        )
        n = len(self.kernel_size)
        usual = {"padding": (0,) * n, "dilation": (1,) * n, "output_padding": (0,) * n, "groups": 1}
        for name, value in usual.items():
            if getattr(self, name) != value:
                shown += f", {name}={getattr(self, name)}"
        if self.bias is None:
            shown += ", bias=False"
        return shown if self.padding_mode == "zeros" else f"{shown}, padding_mode={self.padding_mode}"


class _Conv(_ConvNd):
    _dimensions: int

    def __init__(
        self,
        in_channels: int,
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
        size, step, edge, distance = _for_each(self._dimensions, kernel_size, stride, padding, dilation)
        zeros = (0,) * self._dimensions
        rest = (groups, bias, padding_mode, device, dtype)
        super().__init__(in_channels, out_channels, size, step, edge, distance, False, zeros, *rest)

    def _conv_forward(self, input: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        stride, padding, dilation, groups, mode = own(
            self, "stride", "padding", "dilation", "groups", "padding_mode"
        )
        if mode != "zeros":
            input = F.pad(input, self._reversed_padding_repeated_twice, mode=mode)
            padding = 0
        return self._function(input, weight, bias, stride, padding, dilation, groups)

    def forward(self, input: Tensor) -> Tensor:
        weight, bias = own(self, "weight", "bias")
        return self._conv_forward(input, weight, bias)


class Conv1d(_Conv):
    """The convolution of [N, C, L] or [C, L]."""

    _dimensions, _function = 1, staticmethod(F.conv1d)


class Conv2d(_Conv):
    """The convolution of [N, C, H, W] or [C, H, W]."""

    _dimensions, _function = 2, staticmethod(F.conv2d)


class Conv3d(_Conv):
    """The convolution of [N, C, D, H, W] or [C, D, H, W]."""

    _dimensions, _function = 3, staticmethod(F.conv3d)


class _ConvTransposeNd(_ConvNd):
    _dimensions: int

    def __init__(
        self,
        in_channels: int,
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
        if padding_mode != "zeros":
            raise ValueError(f'Only "zeros" padding mode is supported for {type(self).__name__}')
        given = (kernel_size, stride, padding, dilation, output_padding)
        size, step, edge, distance, extra = _for_each(self._dimensions, *given)
        rest = (groups, bias, padding_mode, device, dtype)
        super().__init__(in_channels, out_channels, size, step, edge, distance, True, extra, *rest)

    def forward(self, input: Tensor, output_size: Any = None) -> Tensor:
        """With `output_size`, the result has it; several sizes are possible with a stride above 1."""
        extra = self.output_padding if output_size is None else self._padding_for(input, list(output_size))
        return self._function(
            input,
            *own(self, "weight", "bias"),
            self.stride,
            self.padding,
            extra,
            self.groups,
            self.dilation,
        )

    def _padding_for(self, input: Tensor, size: list[int]) -> list[int]:
        n = self._dimensions
        others = 2 if input.dim() == n + 2 else 1
        if len(size) == others + n:
            size = size[others:]
        if len(size) != n:
            raise ValueError(
                f"ConvTranspose{n}D: for {input.dim()}D input, output_size must have {n} or {others + n} "
                f"elements (got {len(size)})"
            )
        inner = input.shape[others:]
        per_dimension = zip(inner, self.stride, self.padding, self.dilation, self.kernel_size, strict=True)
        least = [(i - 1) * s - 2 * p + d * (k - 1) + 1 for i, s, p, d, k in per_dimension]
        most = [low + s - 1 for low, s in zip(least, self.stride, strict=True)]
        if not all(low <= s <= high for low, s, high in zip(least, size, most, strict=True)):
            raise ValueError(
                f"requested an output size of {size}, but valid sizes range from {least} to {most} (for an "
                f"input of {inner})"
            )
        return [s - low for s, low in zip(size, least, strict=True)]


class ConvTranspose1d(_ConvTransposeNd):
    """The transposed convolution, the gradient of Conv1d, of [N, C, L] or [C, L]."""

    _dimensions, _function = 1, staticmethod(F.conv_transpose1d)


class ConvTranspose2d(_ConvTransposeNd):
    """The transposed convolution, the gradient of Conv2d, of [N, C, H, W] or [C, H, W]."""

    _dimensions, _function = 2, staticmethod(F.conv_transpose2d)


class ConvTranspose3d(_ConvTransposeNd):
    """The transposed convolution, the gradient of Conv3d, of [N, C, D, H, W] or [C, D, H, W]."""

    _dimensions, _function = 3, staticmethod(F.conv_transpose3d)
