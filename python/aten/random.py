"""Seeds and states of the default generators."""

from __future__ import annotations

from . import _C
from ._C import Generator, Tensor

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from contextlib import AbstractContextManager
    from typing import Any

default_generator: Generator = _C._default_generator("cpu")


def manual_seed(seed: Any) -> Generator:
    """Seeds the default generators of all devices with an int, or with what int() makes one of; returns the
    CPU's."""
    return _C.manual_seed(int(seed))


def seed() -> int:
    """Seeds the default generators from the system's entropy; returns the seed."""
    value = default_generator.seed()
    manual_seed(value)
    return value


def initial_seed() -> int:
    """The seed of the CPU's default generator."""
    return default_generator.initial_seed()


def get_rng_state() -> Tensor:
    """The state of the CPU's default generator, a uint8 tensor."""
    return default_generator.get_state()


def set_rng_state(new_state: Tensor) -> None:
    """Restores a state of get_rng_state() in the CPU's default generator."""
    default_generator.set_state(new_state)


def fork_rng(
    devices: Iterable[Any] | None = None, enabled: bool = True, device_type: str = "cuda"
) -> AbstractContextManager[None]:
    """A context after which the default generators have the states that they had before: the CPU's, and those
    of `devices`, which are all CUDA devices by default. Changes nothing if not `enabled`."""
    from contextlib import contextmanager, nullcontext

    if device_type not in ("cpu", "cuda", "meta"):
        raise RuntimeError(f"fork_rng(): expected the device type cpu, cuda or meta, got {device_type!r}")
    if not enabled or device_type == "meta":
        return nullcontext()
    return contextmanager(_forked)(devices, device_type)


def _forked(devices: Iterable[Any] | None, device_type: str) -> Iterator[None]:
    from . import cuda

    places = [] if device_type == "cpu" else list(range(cuda.device_count()) if devices is None else devices)
    before, states = get_rng_state(), [cuda.get_rng_state(place) for place in places]
    try:
        yield
    finally:
        set_rng_state(before)
        for place, state in zip(places, states, strict=True):
            cuda.set_rng_state(state, place)
