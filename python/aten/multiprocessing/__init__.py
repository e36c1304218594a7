"""The standard library's multiprocessing, for programs that send tensors to other processes.

Importing it lets queues, pipes and the arguments of new processes carry tensors. One in shared memory (made
by Tensor.share_memory_(), or received) is sent as that memory: writes by one process are seen by the others.
Any other is copied: a large one to shared memory, a small one into the message.
"""

from __future__ import annotations

import multiprocessing as _standard
from multiprocessing import *  # noqa: F403

from ._starting import (
    ProcessContext,
    ProcessException,
    ProcessExitedException,
    ProcessRaisedException,
    spawn,
    start_processes,
)
from .reductions import init_reductions as _init_reductions

_STRATEGIES = {"file_descriptor"}

__all__ = [
    "ProcessContext", "ProcessException", "ProcessExitedException", "ProcessRaisedException",
    "get_all_sharing_strategies", "get_sharing_strategy", "set_sharing_strategy", "spawn", "start_processes",
    *_standard.__all__,
]  # fmt: skip


def get_all_sharing_strategies() -> set[str]:
    """The ways to share memory: by file descriptors only."""
    return set(_STRATEGIES)


def get_sharing_strategy() -> str:
    """How memory is shared: "file_descriptor"."""
    return "file_descriptor"


def set_sharing_strategy(new_strategy: str) -> None:
    """Accepts "file_descriptor", the only strategy; AssertionError for another."""
    if new_strategy not in _STRATEGIES:
        raise AssertionError(f"invalid sharing strategy {new_strategy!r}, expected one of {_STRATEGIES}")


_init_reductions()
