"""The names of a device's own module of mixed precision, such as `cuda.amp`."""

from __future__ import annotations

import warnings

from .. import _C
from .autocast_mode import autocast, custom_bwd, custom_fwd
from .grad_scaler import GradScaler

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_PACKAGE = __name__.partition(".")[0]


def _warn(device: str, name: str, argument: str | None = None) -> None:
    given = argument or f"'{device}', args..."
    warnings.warn(
        f"`{_PACKAGE}.{device}.amp.{name}(args...)` is deprecated. "
        f"Please use `{_PACKAGE}.amp.{name}({given})` instead.",
        FutureWarning,
        stacklevel=3,
    )


def autocast_of(device: str, default: _C.dtype) -> type[autocast]:
    """Returns the class autocast() of a device's module, with its default dtype."""

    class OfDevice(autocast):
        def __init__(
            self, enabled: bool = True, dtype: _C.dtype = default, cache_enabled: bool = True
        ) -> None:
            _warn(device, "autocast")
            super().__init__(device, dtype, enabled, cache_enabled)

    return _named(OfDevice, device, "autocast", f"""Deprecated: amp.autocast("{device}", ...).""")


def scaler_of(device: str) -> type[GradScaler]:
    """Returns the class GradScaler of a device's module."""

    class OfDevice(GradScaler):
        def __init__(
            self,
            init_scale: float = 2.0**16,
            growth_factor: float = 2.0,
            backoff_factor: float = 0.5,
            growth_interval: int = 2000,
            enabled: bool = True,
        ) -> None:
            _warn(device, "GradScaler")
            super().__init__(device, init_scale, growth_factor, backoff_factor, growth_interval, enabled)

    return _named(OfDevice, device, "GradScaler", f"""Deprecated: amp.GradScaler("{device}", ...).""")


def _named(made: type[Any], device: str, name: str, doc: str) -> type[Any]:
    made.__name__ = made.__qualname__ = name
    made.__module__ = f"{_PACKAGE}.{device}.amp"
    made.__doc__ = doc
    return made


def decorators_of(device: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Returns custom_fwd() and custom_bwd() of a device's module."""
    argument = f"args..., device_type='{device}'"

    def forward(fwd: Callable[..., Any] | None = None, *, cast_inputs: _C.dtype | None = None) -> Any:
        _warn(device, "custom_fwd", argument)
        return custom_fwd(fwd, device_type=device, cast_inputs=cast_inputs)

    def backward(bwd: Callable[..., Any] | None = None) -> Any:
        _warn(device, "custom_bwd", argument)
        return custom_bwd(bwd, device_type=device)

    for made, name in ((forward, "custom_fwd"), (backward, "custom_bwd")):
        made.__name__ = made.__qualname__ = name
        made.__doc__ = f"""Deprecated: amp.{name}(..., device_type="{device}")."""
    return forward, backward
