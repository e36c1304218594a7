"""Padding. `padding` is a number for all sides, or (left, right, top, bottom, front, back) or its start."""

from __future__ import annotations

from ..._C import Tensor
from .. import functional as F
from ._arguments import ArgumentsModule, repeated

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,attr-defined"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Sequence
__all__ = [
    "CircularPad1d",
    "CircularPad2d",
    "CircularPad3d",
    "ConstantPad1d",
    "ConstantPad2d",
    "ConstantPad3d",
    "ReflectionPad1d",
    "ReflectionPad2d",
    "ReflectionPad3d",
    "ReplicationPad1d",
    "ReplicationPad2d",
    "ReplicationPad3d",
    "ZeroPad1d",
    "ZeroPad2d",
    "ZeroPad3d",
]


class _Pad(ArgumentsModule):
    _mode: str
    _dimensions: int
    _shown = "{padding}"

    def __init__(self, padding: int | Sequence[int]) -> None:
        self._keep({"self": self, "padding": repeated(padding, 2 * self._dimensions)})

    def forward(self, input: Tensor) -> Tensor:
        if self._mode == "circular" and input.dim() - self._dimensions not in (1, 2):
            ranks = f"{self._dimensions + 1}D or {self._dimensions + 2}D"
            raise ValueError(f"expected {ranks} input (got {input.dim()}D input)")
        return F.pad(input, self.padding, self._mode)


class _ConstantPadNd(ArgumentsModule):
    _dimensions: int
    _shown = "padding={padding}, value={value}"

    def __init__(self, padding: int | Sequence[int], value: float) -> None:
        self._keep({"self": self, "value": value, "padding": repeated(padding, 2 * self._dimensions)})

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "constant", self.value)


class ConstantPad1d(_ConstantPadNd):
    """Pads the last dimension with a value."""

    _dimensions = 1


class ConstantPad2d(_ConstantPadNd):
    """Pads the last two dimensions with a value."""

    _dimensions = 2


class ConstantPad3d(_ConstantPadNd):
    """Pads the last three dimensions with a value."""

    _dimensions = 3


class ZeroPad1d(ConstantPad1d):
    """Pads the last dimension with zeros."""

    _shown = "{padding}"

    def __init__(self, padding: int | Sequence[int]) -> None:
        super().__init__(padding, 0.0)


class ZeroPad2d(ConstantPad2d):
    """Pads the last two dimensions with zeros."""

    _shown = "{padding}"

    def __init__(self, padding: int | Sequence[int]) -> None:
        super().__init__(padding, 0.0)


class ZeroPad3d(ConstantPad3d):
    """Pads the last three dimensions with zeros."""

    _shown = "{padding}"

    def __init__(self, padding: int | Sequence[int]) -> None:
        super().__init__(padding, 0.0)


class CircularPad1d(_Pad):
    """Pads the last dimension with the values of the other end."""

    _mode, _dimensions = "circular", 1


class CircularPad2d(_Pad):
    """Pads the last two dimensions with the values of the other end."""

    _mode, _dimensions = "circular", 2


class CircularPad3d(_Pad):
    """Pads the last three dimensions with the values of the other end."""

    _mode, _dimensions = "circular", 3


class ReflectionPad1d(_Pad):
    """Pads the last dimension with the values mirrored at the edge."""

    _mode, _dimensions = "reflect", 1


class ReflectionPad2d(_Pad):
    """Pads the last two dimensions with the values mirrored at the edge."""

    _mode, _dimensions = "reflect", 2


class ReflectionPad3d(_Pad):
    """Pads the last three dimensions with the values mirrored at the edge."""

    _mode, _dimensions = "reflect", 3


class ReplicationPad1d(_Pad):
    """Pads the last dimension with the value of the edge."""

    _mode, _dimensions = "replicate", 1


class ReplicationPad2d(_Pad):
    """Pads the last two dimensions with the value of the edge."""

    _mode, _dimensions = "replicate", 2


class ReplicationPad3d(_Pad):
    """Pads the last three dimensions with the value of the edge."""

    _mode, _dimensions = "replicate", 3
