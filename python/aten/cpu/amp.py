"""Mixed precision on the CPU, by former names: use those of `amp`."""

from __future__ import annotations

from .. import _C
from ..amp import _deprecated

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="attr-defined"

__all__ = ["GradScaler", "autocast"]

autocast = _deprecated.autocast_of("cpu", _C.bfloat16)
GradScaler = _deprecated.scaler_of("cpu")
