"""The CPU as a device, with the functions that `cuda` has: it is always there, and there is one."""

from __future__ import annotations

from .. import _C
from . import amp as amp

__all__ = [
    "current_device",
    "device_count",
    "is_available",
    "is_initialized",
    "set_device",
    "synchronize",
]


def is_available() -> bool:
    """True."""
    return True


def is_initialized() -> bool:
    """True."""
    return True


def device_count() -> int:
    """1."""
    return 1


def current_device() -> str:
    """ "cpu"."""
    return "cpu"


def set_device(device: _C.device | str | int) -> None:
    """Changes nothing."""


def synchronize(device: _C.device | str | int | None = None) -> None:
    """Returns at once: nothing on the CPU is left running."""
