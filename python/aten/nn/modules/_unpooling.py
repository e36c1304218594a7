"""The inverse of max pooling, and fractional max pooling."""

from __future__ import annotations

from ..._C import Tensor
from .. import functional as F
from ._arguments import ArgumentsModule, repeated

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,no-untyped-call,attr-defined,misc"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any


class _MaxUnpool(ArgumentsModule):
    _dimensions: int
    _shown = "kernel_size={kernel_size}, stride={stride}, padding={padding}"

    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0) -> None:
        stride = kernel_size if stride is None else stride
        given = {"kernel_size": kernel_size, "stride": stride, "padding": padding}
        self._keep({"self": self, **{k: repeated(v, self._dimensions) for k, v in given.items()}})


class MaxUnpool1d(_MaxUnpool):
    """Writes the results of MaxPool1d to their indices, and zeros elsewhere."""

    _dimensions = 1

    def forward(self, input: Tensor, indices: Tensor, output_size: Any = None) -> Tensor:
        return F.max_unpool1d(input, indices, self.kernel_size, self.stride, self.padding, output_size)


class MaxUnpool2d(_MaxUnpool):
    """Writes the results of MaxPool2d to their indices, and zeros elsewhere."""

    _dimensions = 2

    def forward(self, input: Tensor, indices: Tensor, output_size: Any = None) -> Tensor:
        return F.max_unpool2d(input, indices, self.kernel_size, self.stride, self.padding, output_size)


class MaxUnpool3d(_MaxUnpool):
    """Writes the results of MaxPool3d to their indices, and zeros elsewhere."""

    _dimensions = 3

    def forward(self, input: Tensor, indices: Tensor, output_size: Any = None) -> Tensor:
        return F.max_unpool3d(input, indices, self.kernel_size, self.stride, self.padding, output_size)


class _FractionalMaxPool(ArgumentsModule):
    _dimensions: int

    def __init__(
        self,
        kernel_size: Any,
        output_size: Any = None,
        output_ratio: Any = None,
        return_indices: bool = False,
        _random_samples: Tensor | None = None,
    ) -> None:
        name, n = type(self).__name__, self._dimensions
        if not all(size > 0 for size in repeated(kernel_size, n)):
            raise ValueError(f"kernel_size must be greater than 0, but got {kernel_size}")
        if output_size is None and output_ratio is None:
            raise ValueError(f"{name} requires specifying either an output size, or a pooling ratio")
        if output_size is not None and output_ratio is not None:
            raise ValueError("only one of output_size and output_ratio may be specified")
        if output_ratio is not None and not all(0 < ratio < 1 for ratio in repeated(output_ratio, n)):
            raise ValueError(f"output_ratio must be between 0 and 1 (got {output_ratio})")
        given = {"kernel_size": kernel_size, "output_size": output_size, "output_ratio": output_ratio}
        kept = {k: v if v is None else repeated(v, n) for k, v in given.items()}
        self._keep({"self": self, "return_indices": return_indices, **kept})
        self.register_buffer("_random_samples", _random_samples)

    def _arguments(self) -> tuple[Any, ...]:
        sizes = (self.kernel_size, self.output_size, self.output_ratio)
        return (*sizes, self.return_indices, self._random_samples)


class FractionalMaxPool2d(_FractionalMaxPool):
    """Max pooling of [N, C, H, W] or [C, H, W] over windows at random positions, to `output_size` or
    `output_ratio` times the size."""

    _dimensions = 2

    def forward(self, input: Tensor) -> Any:
        return F.fractional_max_pool2d(input, *self._arguments())


class FractionalMaxPool3d(_FractionalMaxPool):
    """Max pooling of [N, C, D, H, W] or [C, D, H, W] over windows at random positions, to `output_size` or
    `output_ratio` times the size."""

    _dimensions = 3

    def forward(self, input: Tensor) -> Any:
        return F.fractional_max_pool3d(input, *self._arguments())
