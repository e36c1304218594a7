"""Former names of autocast's functions, one for each device."""

from __future__ import annotations

import warnings

from . import _C

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="attr-defined"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_PACKAGE = __name__.rpartition(".")[0]


def _of(device: str, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    now = f"{_PACKAGE}.{function.__name__}"

    def of_device(*value: Any) -> Any:
        warnings.warn(
            f"{_PACKAGE}.{name}() is deprecated. Please use {now}('{device}') instead.",
            DeprecationWarning,
            stacklevel=2,
        )
        return function(device, *value)

    of_device.__name__ = of_device.__qualname__ = name
    of_device.__doc__ = f"Deprecated: {function.__name__}() of {device!r}."
    return of_device


get_autocast_cpu_dtype = _of("cpu", "get_autocast_cpu_dtype", _C.get_autocast_dtype)
get_autocast_gpu_dtype = _of("cuda", "get_autocast_gpu_dtype", _C.get_autocast_dtype)
is_autocast_cpu_enabled = _of("cpu", "is_autocast_cpu_enabled", _C.is_autocast_enabled)
set_autocast_cpu_dtype = _of("cpu", "set_autocast_cpu_dtype", _C.set_autocast_dtype)
set_autocast_cpu_enabled = _of("cpu", "set_autocast_cpu_enabled", _C.set_autocast_enabled)
set_autocast_gpu_dtype = _of("cuda", "set_autocast_gpu_dtype", _C.set_autocast_dtype)
