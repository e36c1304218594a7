"""torch.accelerator: CUDA, if there is such a device."""

from __future__ import annotations

from .. import _C, cuda

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="attr-defined"


def is_available() -> bool:
    """Whether there is a CUDA device."""
    return cuda.is_available()


def device_count() -> int:
    """The number of CUDA devices."""
    return cuda.device_count()


def current_accelerator(check_available: bool = False) -> _C.device | None:
    """The device "cuda"; None where there is none."""
    return _C.device("cuda") if cuda.is_available() else None


def current_device_index() -> int:
    """The index of the current CUDA device."""
    return cuda.current_device()


def set_device_index(device: _C.device | str | int, /) -> None:
    """Makes a CUDA device the current one."""
    cuda.set_device(device)


def synchronize(device: _C.device | str | int | None = None, /) -> None:
    """Waits for the work on a CUDA device."""
    cuda.synchronize(device)
