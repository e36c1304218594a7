"""Pooling. `kernel_size`, `stride` and `padding` are numbers for all dimensions, or one for each; the stride
is by default the kernel's size."""

from __future__ import annotations

from ..._C import Tensor
from .. import functional as F
from ._arguments import ArgumentsModule, repeated
from ._unpooling import FractionalMaxPool2d as FractionalMaxPool2d
from ._unpooling import FractionalMaxPool3d as FractionalMaxPool3d
from ._unpooling import MaxUnpool1d as MaxUnpool1d
from ._unpooling import MaxUnpool2d as MaxUnpool2d
from ._unpooling import MaxUnpool3d as MaxUnpool3d

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,no-untyped-call,attr-defined,misc"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

__all__ = (
    "AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveMaxPool1d AdaptiveMaxPool2d "
    "AdaptiveMaxPool3d AvgPool1d AvgPool2d AvgPool3d FractionalMaxPool2d FractionalMaxPool3d "
    "LPPool1d LPPool2d LPPool3d MaxPool1d MaxPool2d MaxPool3d MaxUnpool1d MaxUnpool2d MaxUnpool3d"
).split()


class _MaxPoolNd(ArgumentsModule):
    _shown = (
        "kernel_size={kernel_size}, stride={stride}, padding={padding}, dilation={dilation}, "
        "ceil_mode={ceil_mode}"
    )

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        dilation: Any = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:
        stride = kernel_size if stride is None else stride
        self._keep(locals())

    def _arguments(self) -> tuple[Any, ...]:
        return self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode, self.return_indices


class MaxPool1d(_MaxPoolNd):
    """The maximum of each window of [N, C, L] or [C, L], and its index if `return_indices`."""

    def forward(self, input: Tensor) -> Any:
        return F.max_pool1d(input, *self._arguments())


class MaxPool2d(_MaxPoolNd):
    """The maximum of each window of [N, C, H, W] or [C, H, W], and its index if `return_indices`."""

    def forward(self, input: Tensor) -> Any:
        return F.max_pool2d(input, *self._arguments())


class MaxPool3d(_MaxPoolNd):
    """The maximum of each window of [N, C, D, H, W] or [C, D, H, W], and its index if `return_indices`."""

    def forward(self, input: Tensor) -> Any:
        return F.max_pool3d(input, *self._arguments())


class _AvgPoolNd(ArgumentsModule):
    _shown = "kernel_size={kernel_size}, stride={stride}, padding={padding}"


class AvgPool1d(_AvgPoolNd):
    """The mean of each window of [N, C, L] or [C, L]."""

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None:
        stride = repeated(kernel_size if stride is None else stride, 1)
        kernel_size, padding = repeated(kernel_size, 1), repeated(padding, 1)
        self._keep(locals())

    def forward(self, input: Tensor) -> Tensor:
        return F.avg_pool1d(
            input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad
        )


class _AvgPool(_AvgPoolNd):
    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> None:
        stride = kernel_size if stride is None else stride
        self._keep(locals())

    def _arguments(self) -> tuple[Any, ...]:
        return (
            self.kernel_size,
            self.stride,
            self.padding,
            self.ceil_mode,
            self.count_include_pad,
            self.divisor_override,
        )


class AvgPool2d(_AvgPool):
    """The mean of each window of [N, C, H, W] or [C, H, W]."""

    def forward(self, input: Tensor) -> Tensor:
        return F.avg_pool2d(input, *self._arguments())


class AvgPool3d(_AvgPool):
    """The mean of each window of [N, C, D, H, W] or [C, D, H, W]."""

    def forward(self, input: Tensor) -> Tensor:
        return F.avg_pool3d(input, *self._arguments())


class _LPPoolNd(ArgumentsModule):
    _shown = "norm_type={norm_type}, kernel_size={kernel_size}, stride={stride}, ceil_mode={ceil_mode}"

    def __init__(
        self, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False
    ) -> None:
        self._keep(locals())

    def _arguments(self) -> tuple[Any, ...]:
        return float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode


class LPPool1d(_LPPoolNd):
    """The `norm_type`-th root of the sum of powers of each window of [N, C, L] or [C, L]."""

    def forward(self, input: Tensor) -> Tensor:
        return F.lp_pool1d(input, *self._arguments())


class LPPool2d(_LPPoolNd):
    """The `norm_type`-th root of the sum of powers of each window of [N, C, H, W] or [C, H, W]."""

    def forward(self, input: Tensor) -> Tensor:
        return F.lp_pool2d(input, *self._arguments())


class LPPool3d(_LPPoolNd):
    """The `norm_type`-th root of the sum of powers of each window of [N, C, D, H, W] or [C, D, H, W]."""

    def forward(self, input: Tensor) -> Tensor:
        return F.lp_pool3d(input, *self._arguments())


class _AdaptiveMaxPoolNd(ArgumentsModule):
    _shown = "output_size={output_size}"

    def __init__(self, output_size: Any, return_indices: bool = False) -> None:
        self._keep(locals())


class AdaptiveMaxPool1d(_AdaptiveMaxPoolNd):
    """Max pooling of [N, C, L] or [C, L] to `output_size`."""

    def forward(self, input: Tensor) -> Any:
        return F.adaptive_max_pool1d(input, self.output_size, self.return_indices)


class AdaptiveMaxPool2d(_AdaptiveMaxPoolNd):
    """Max pooling of [N, C, H, W] or [C, H, W] to `output_size`."""

    def forward(self, input: Tensor) -> Any:
        return F.adaptive_max_pool2d(input, self.output_size, self.return_indices)


class AdaptiveMaxPool3d(_AdaptiveMaxPoolNd):
    """Max pooling of [N, C, D, H, W] or [C, D, H, W] to `output_size`."""

    def forward(self, input: Tensor) -> Any:
        return F.adaptive_max_pool3d(input, self.output_size, self.return_indices)


class _AdaptiveAvgPoolNd(ArgumentsModule):
    _shown = "output_size={output_size}"

    def __init__(self, output_size: Any) -> None:
        self._keep(locals())


class AdaptiveAvgPool1d(_AdaptiveAvgPoolNd):
    """Average pooling of [N, C, L] or [C, L] to `output_size`."""

    def forward(self, input: Tensor) -> Tensor:
        return F.adaptive_avg_pool1d(input, self.output_size)


class AdaptiveAvgPool2d(_AdaptiveAvgPoolNd):
    """Average pooling of [N, C, H, W] or [C, H, W] to `output_size`."""

    def forward(self, input: Tensor) -> Tensor:
        return F.adaptive_avg_pool2d(input, self.output_size)


class AdaptiveAvgPool3d(_AdaptiveAvgPoolNd):
    """Average pooling of [N, C, D, H, W] or [C, D, H, W] to `output_size`."""

    def forward(self, input: Tensor) -> Tensor:
        return F.adaptive_avg_pool3d(input, self.output_size)
