"""Mixed precision on CUDA devices, by former names: use those of `amp`."""

from __future__ import annotations

from .. import _C
from ..amp import _deprecated

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="attr-defined"

__all__ = ["GradScaler", "autocast", "custom_bwd", "custom_fwd"]

autocast = _deprecated.autocast_of("cuda", _C.float16)
GradScaler = _deprecated.scaler_of("cuda")
custom_fwd, custom_bwd = _deprecated.decorators_of("cuda")
