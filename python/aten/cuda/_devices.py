"""CUDA devices: which is current, and what they are."""

from __future__ import annotations

from .. import _C
from .._C import Tensor
from .._C import device as _device

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

    _DeviceLike = _device | str | int | None


def cuda_device(device: _DeviceLike, optional: bool = True) -> _device:
    """Returns a CUDA device, the current one for None if that is allowed; ValueError for other types."""
    if device is None and optional:
        return _device("cuda")
    if isinstance(device, int) and not isinstance(device, bool):
        return _device("cuda", device)
    made = _device(device)  # type: ignore[arg-type]
    if made.type != "cuda":
        raise ValueError(f"expected a CUDA device, got {made}")
    return made


def device_count() -> int:
    """Number of CUDA devices; 0 without driver or CUDA library."""
    return _C._device_count(_device("cuda"))


def is_available() -> bool:
    """Whether there is a CUDA device."""
    return device_count() > 0


def current_device() -> int:
    """Index of the current device."""
    return _C._device_index(_device("cuda"))


def is_initialized() -> bool:
    """Whether CUDA can be used: there is a device, as the first call initialises the driver by itself."""
    return is_available()


def init() -> None:
    """Does nothing where there is a device, and is an error elsewhere: calls initialise the driver
    themselves."""
    current_device()


def set_device(device: _device | str | int) -> None:
    """Makes a device current in this thread; nothing for a negative index. `device()` restores the previous
    one."""
    if not _is_none(device):
        _C._exchange_device(cuda_device(device, optional=False))


def synchronize(device: _DeviceLike = None) -> None:
    """Waits for all work on a device, the current one if none is given."""
    _C._synchronize(cuda_device(device))


def _is_none(device: _DeviceLike) -> bool:
    return device is None or (isinstance(device, int) and device < 0)


class device:
    """A context manager that makes a device current; nothing for None or a negative index."""

    def __init__(self, device: _DeviceLike) -> None:
        self._device = None if _is_none(device) else cuda_device(device)
        self._before: list[int] = []

    def __enter__(self) -> None:
        if self._device is not None:
            self._before.append(_C._exchange_device(self._device))

    def __exit__(self, *error: object) -> None:
        if self._device is not None:
            _C._exchange_device(_device("cuda", self._before.pop()))


class device_of(device):
    """A context manager that makes the device of a tensor current; nothing for one that is not on CUDA."""

    def __init__(self, obj: Tensor) -> None:
        super().__init__(obj.device if obj.is_cuda else None)


class DeviceProperties:
    """What a device is: its name, compute capability, memory and limits."""

    name: str
    major: int
    minor: int
    total_memory: int
    multi_processor_count: int
    max_threads_per_multi_processor: int
    max_threads_per_block: int
    warp_size: int
    regs_per_multiprocessor: int
    shared_memory_per_block: int
    shared_memory_per_block_optin: int
    shared_memory_per_multiprocessor: int
    L2_cache_size: int
    is_integrated: bool
    is_multi_gpu_board: bool
    pci_domain_id: int
    pci_bus_id: int
    pci_device_id: int
    uuid: bytes

    def __init__(self, values: dict[str, Any]) -> None:
        self.__dict__.update(values)

    def __repr__(self) -> str:
        return (
            f"DeviceProperties(name='{self.name}', major={self.major}, minor={self.minor}, "
            f"total_memory={self.total_memory >> 20}MB, multi_processor_count={self.multi_processor_count}, "
            f"L2_cache_size={self.L2_cache_size >> 20}MB)"
        )


def get_device_properties(device: _DeviceLike = None) -> DeviceProperties:
    """What a device is, the current one if none is given."""
    return DeviceProperties(_C._device_properties(cuda_device(device)))


def get_device_name(device: _DeviceLike = None) -> str:
    """The name of a device, as in "NVIDIA H100 80GB HBM3"."""
    return get_device_properties(device).name


def get_device_capability(device: _DeviceLike = None) -> tuple[int, int]:
    """The compute capability of a device, as in (9, 0)."""
    properties = get_device_properties(device)
    return properties.major, properties.minor


def is_bf16_supported(including_emulation: bool = True) -> bool:
    """Whether the current device computes with bfloat16; without `including_emulation`, in hardware, which
    devices of capability 8.0 do."""
    return is_available() and (including_emulation or get_device_capability()[0] >= 8)


def can_device_access_peer(device: _device | str | int, peer_device: _device | str | int) -> bool:
    """Whether kernels of a device can access the memory of another."""
    return _C._can_access_peer(cuda_device(device, optional=False), cuda_device(peer_device, optional=False))
