"""CUDA devices. Importing this loads no driver; the first question does."""

from __future__ import annotations

from . import _C
from ._C import Stream
from ._C import device as _device


def device_count() -> int:
    """Number of CUDA devices; 0 without driver or CUDA library."""
    return _C._device_count(_device("cuda"))


def is_available() -> bool:
    """Whether there is a CUDA device."""
    return device_count() > 0


def synchronize(device: _device | str | int | None = None) -> None:
    """Waits for all work on a device, the current one if none is given."""
    _C._synchronize(_device("cuda" if device is None else device))


def current_stream(device: _device | str | int | None = None) -> Stream:
    """The stream that work goes to."""
    return _C._current_stream(_device("cuda" if device is None else device))
