"""The default generators of CUDA devices: seeds and states. Seeding does nothing without a device."""

from __future__ import annotations

from .. import _C
from .._C import Generator, Tensor
from .._C import device as _device
from ._devices import cuda_device, device_count, is_available

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Iterable


def _generator(device: _device | str | int = "cuda") -> Generator:
    return _C._default_generator(cuda_device(device, optional=False))


def get_rng_state(device: _device | str | int = "cuda") -> Tensor:
    """The state of a device's default generator, a uint8 tensor on the CPU."""
    return _generator(device).get_state()


def get_rng_state_all() -> list[Tensor]:
    """The states of all devices' default generators."""
    return [get_rng_state(i) for i in range(device_count())]


def set_rng_state(new_state: Tensor, device: _device | str | int = "cuda") -> None:
    """Puts a device's default generator back to a state that get_rng_state() gave."""
    _generator(device).set_state(new_state)


def set_rng_state_all(new_states: Iterable[Tensor]) -> None:
    """Puts all devices' default generators back to the states that get_rng_state_all() gave."""
    for i, state in enumerate(new_states):
        set_rng_state(state, i)


def manual_seed(seed: int) -> None:
    """Seeds the default generator of the current device."""
    if is_available():
        _generator().manual_seed(int(seed))


def manual_seed_all(seed: int) -> None:
    """Seeds the default generators of all devices."""
    for i in range(device_count()):
        _generator(i).manual_seed(int(seed))


def seed() -> None:
    """Seeds the default generator of the current device from the system's entropy."""
    if is_available():
        _generator().seed()


def seed_all() -> None:
    """Seeds the default generators of all devices with one number from the system's entropy."""
    if is_available():
        manual_seed_all(_generator(0).seed())


def initial_seed() -> int:
    """The seed of the current device's default generator."""
    return _generator().initial_seed()
