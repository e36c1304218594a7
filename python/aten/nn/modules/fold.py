"""Sliding windows as columns, and their sum."""

from __future__ import annotations

from ..._C import Tensor
from .. import functional as F
from ._arguments import ArgumentsModule

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Fold", "Unfold"]


class Unfold(ArgumentsModule):
    """The windows of [N, C, H, W] as columns: [N, C * kernel elements, windows]."""

    _shown = "kernel_size={kernel_size}, dilation={dilation}, padding={padding}, stride={stride}"

    def __init__(self, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> None:
        self._keep(locals())

    def forward(self, input: Tensor) -> Tensor:
        return F.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)


class Fold(ArgumentsModule):
    """The sum of windows given as columns: [N, C * kernel elements, windows] -> [N, C, *output_size]."""

    _shown = f"output_size={{output_size}}, {Unfold._shown}"

    def __init__(
        self, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
    ) -> None:
        self._keep(locals())

    def forward(self, input: Tensor) -> Tensor:
        return F.fold(input, self.output_size, self.kernel_size, self.dilation, self.padding, self.stride)
