"""Datasets and functions that workers of both packages use; they can be pickled."""

from __future__ import annotations

import os
import random
import signal
import threading
from collections.abc import Callable, Iterator
from typing import Any

import aten
import aten.utils.data


class Squares:
    """Numbers; an item is made by `make`, which may fail."""

    def __init__(self, count: int, make: Callable[[int], Any] | None = None) -> None:
        self.count = count
        self.make = make

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: int) -> Any:
        return index * index if self.make is None else self.make(index)


class Stream(aten.utils.data.IterableDataset):
    """The numbers below `count`, of which a worker makes its part."""

    def __init__(self, count: int, length: int | None = None) -> None:
        self.count = count
        self.length = length

    def __len__(self) -> int:
        if self.length is None:
            raise TypeError("no length")
        return self.length

    def __iter__(self) -> Iterator[int]:
        info = aten.utils.data.get_worker_info()
        first, step = (0, 1) if info is None else (info.id, info.num_workers)
        return iter(range(first, self.count, step))


def same_list(batch: list[Any]) -> list[Any]:
    """A collate function that changes nothing."""
    return batch


def large(index: int) -> aten.Tensor:
    """A tensor that is sent in shared memory."""
    return aten.full((1 << 17,), float(index))


def draws(index: int) -> list[Any]:
    """What the worker's sources of random numbers give."""
    import numpy as np

    info = aten.utils.data.get_worker_info()
    seed = 0 if info is None else info.seed
    return [seed, random.random(), np.random.rand(), aten.rand(()).item(), aten.initial_seed()]


def refuse(index: int) -> int:
    """A KeyError at item 5."""
    if index == 5:
        raise KeyError("item 5")
    return index


def break_value(index: int) -> int:
    """A ValueError at item 5."""
    if index == 5:
        raise ValueError("item 5")
    return index


def kill(index: int) -> int:
    """The worker is killed at item 5."""
    if index == 5:
        os.kill(os.getpid(), signal.SIGKILL)
    return index


def leave(index: int) -> int:
    """The worker exits at item 5."""
    if index == 5:
        os._exit(3)
    return index


def wait_forever(index: int) -> int:
    """The worker never makes item 5."""
    if index == 5:
        threading.Event().wait()
    return index


def unpicklable(index: int) -> Any:
    """Item 5 can't be sent."""
    return (lambda: index) if index == 5 else index


def process_id(index: int) -> int:
    """Which process makes the item."""
    return os.getpid()


def fail_to_start(number: int) -> None:
    """A worker_init_fn that fails."""
    raise ValueError(f"no worker {number}")
