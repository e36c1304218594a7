"""Utilities for tensors and the dispatcher."""

from __future__ import annotations

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

    from ._swapping import swap_tensors as swap_tensors

_LAZY = ("checkpoint", "data", "hooks")  # modules that are imported when a program asks for them


def __getattr__(name: str) -> Any:
    if name == "swap_tensors":
        from ._swapping import swap_tensors

        return swap_tensors
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
    import importlib

    return importlib.import_module(f"{__name__}.{name}")
