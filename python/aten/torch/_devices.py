"""torch.get_device_module."""

from __future__ import annotations

from importlib import import_module

from .. import _C, cuda

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="attr-defined"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from types import ModuleType


def get_device_module(device: _C.device | str | None = None) -> ModuleType:
    """Returns torch.cuda or torch.cpu for a device of the kind; by default, torch.cuda if there is such a
    device."""
    kind = ("cuda" if cuda.is_available() else "cpu") if device is None else _C.device(device).type
    if kind not in ("cpu", "cuda"):
        raise RuntimeError(f"get_device_module(): expected a device of type cpu or cuda, got {device!r}")
    return import_module(f"torch.{kind}")
