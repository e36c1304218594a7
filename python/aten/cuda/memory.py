"""What the allocator of CUDA devices holds. Without a device nothing is held: all counts are 0."""

from __future__ import annotations

from .. import _C
from .._C import device as _device
from ._devices import cuda_device, is_available

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

    from ._devices import _DeviceLike


def empty_cache() -> None:
    """Frees memory that the allocator holds and no tensor uses, for other programs."""
    if is_available():
        _C._empty_cache(_device("cuda"))


def mem_get_info(device: _DeviceLike = None) -> tuple[int, int]:
    """Bytes that are free on a device, and bytes that it has."""
    return _C._memory_info(cuda_device(device))


def memory_stats_as_nested_dict(device: _DeviceLike = None) -> dict[str, Any]:
    """memory_stats() as dicts of dicts."""
    return _C._memory_stats(cuda_device(device)) if is_available() else {}


def memory_stats(device: _DeviceLike = None) -> dict[str, int]:
    """What the allocator counts for a device, under names such as "allocated_bytes.all.current".

    A name has three parts. `allocation` counts blocks that tensors hold, `active` those that streams still
    use as well, `segment` allocations from CUDA; `allocated_bytes`, `active_bytes`, `reserved_bytes` are
    their sizes, and `requested_bytes` what was asked for. Then comes the pool: `all`, `small_pool` (blocks up
    to 1 MiB) or `large_pool`. The last part is `current`, `peak`, or the sums `allocated` and `freed`.
    Besides, `num_alloc_retries`, `num_ooms`, `num_device_alloc` and `num_device_free` count events.
    """
    flat: dict[str, int] = {}
    _flatten("", memory_stats_as_nested_dict(device), flat)
    return dict(sorted(flat.items()))


def _flatten(prefix: str, nested: dict[str, Any], into: dict[str, int]) -> None:
    for name, value in nested.items():
        if isinstance(value, dict):
            _flatten(f"{prefix}{name}.", value, into)
        else:
            into[prefix + name] = value


def reset_peak_memory_stats(device: _DeviceLike = None) -> None:
    """Begins all `peak` counts of a device anew."""
    _C._reset_peak_memory_stats(cuda_device(device))


def reset_accumulated_memory_stats(device: _DeviceLike = None) -> None:
    """Begins all sums (`allocated`, `freed`) and the counts of retries and failures of a device anew."""
    _C._reset_accumulated_memory_stats(cuda_device(device))


def memory_allocated(device: _DeviceLike = None) -> int:
    """Bytes of a device that tensors hold."""
    return memory_stats(device).get("allocated_bytes.all.current", 0)


def max_memory_allocated(device: _DeviceLike = None) -> int:
    """The most bytes that tensors held, since the beginning or reset_peak_memory_stats()."""
    return memory_stats(device).get("allocated_bytes.all.peak", 0)


def memory_reserved(device: _DeviceLike = None) -> int:
    """Bytes of a device that the allocator holds, for tensors or in its cache."""
    return memory_stats(device).get("reserved_bytes.all.current", 0)


def max_memory_reserved(device: _DeviceLike = None) -> int:
    """The most bytes that the allocator held, since the beginning or reset_peak_memory_stats()."""
    return memory_stats(device).get("reserved_bytes.all.peak", 0)
