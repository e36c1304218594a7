"""Seeds and states of the default generators."""

from __future__ import annotations

from . import _C
from ._C import Generator, Tensor
from ._C import manual_seed as manual_seed

default_generator: Generator = _C._default_generator("cpu")


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
