"""Automatic differentiation: backward, grad, custom functions, and grad modes. `graph`, `forward_ad`,
`functional`, `gradcheck` and `profiler` are imported on first use.
"""

from __future__ import annotations

import sys as _sys

from .. import _C
from . import function as function
from .anomaly_mode import detect_anomaly, is_anomaly_check_nan_enabled, is_anomaly_enabled, set_detect_anomaly
from .function import Function
from .grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

    from . import forward_ad as forward_ad
    from . import functional as functional
    from . import graph as graph
    from . import profiler as profiler
    from .gradcheck import gradcheck as gradcheck
    from .gradcheck import gradgradcheck as gradgradcheck

backward = _C._autograd.backward
grad = _C._autograd.grad

__all__ = [
    "Function",
    "backward",
    "detect_anomaly",
    "enable_grad",
    "grad",
    "gradcheck",
    "gradgradcheck",
    "inference_mode",
    "is_anomaly_check_nan_enabled",
    "is_anomaly_enabled",
    "no_grad",
    "set_detect_anomaly",
    "set_grad_enabled",
]

_LATER = {"forward_ad", "functional", "graph", "gradcheck", "gradgradcheck", "profiler"}


class _Package(type(_sys)):  # type: ignore[misc]
    """This module's class: imports submodules on first use; `gradcheck` is the function, not the module."""

    def __getattr__(self, name: str) -> Any:
        if name not in _LATER:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        from importlib import import_module

        module = import_module(f".{name.replace('gradgrad', 'grad')}", self.__name__)
        return module.gradgradcheck if name == "gradgradcheck" else vars(self)[name]

    def __setattr__(self, name: str, value: Any) -> None:
        is_module = name == "gradcheck" and isinstance(value, type(_sys))
        super().__setattr__(name, value.gradcheck if is_module else value)


_sys.modules[__name__].__class__ = _Package
