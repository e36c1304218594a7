"""The process of a DataLoader's worker."""

from __future__ import annotations

import sys

from ...._C import manual_seed, set_num_threads
from .fetch import fetcher

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, NamedTuple

    from ....multiprocessing._channel import Channel
    from .fetch import Source

    class WorkerInfo(NamedTuple):
        """What get_worker_info() returns."""

        id: int
        num_workers: int
        seed: int
        dataset: Any

    class Setup(NamedTuple):
        """What all workers of a DataLoader get."""

        source: Source
        base_seed: int
        init_fn: Callable[[int], None] | None
        num_workers: int
        numpy: bool
else:
    from collections import namedtuple

    WorkerInfo = namedtuple("WorkerInfo", "id num_workers seed dataset")
    Setup = namedtuple("Setup", "source base_seed init_fn num_workers numpy")

CHECK_SECONDS = 5.0  # how often processes look whether the others are alive
RESUME = "resume"  # the message that starts another iteration
_info: WorkerInfo | None = None


def get_worker_info() -> WorkerInfo | None:
    """In a worker of a DataLoader its `id`, from 0 on, the `num_workers`, its `seed` and its copy of the
    `dataset`; elsewhere None."""
    return _info


class Ended:
    """Says that a worker's copy of a stream has no more items."""


class _KeyText(str):
    """A KeyError's text, of which the error doesn't show the repr."""

    __repr__ = str.__str__


class Failure:
    """An exception of a worker."""

    def __init__(self, error: BaseException, where: str) -> None:
        import traceback

        self.kind = type(error)
        trace = "".join(traceback.format_exception(error))
        self.text = f"Caught {self.kind.__name__} {where}.\nOriginal {trace}"

    def reraise(self) -> None:
        """Raises an exception of the same type, or RuntimeError if it can't be made of a text."""
        if getattr(self.kind, "message", None):
            raise self.kind(message=self.text)  # type: ignore[call-arg]
        try:
            error = self.kind(_KeyText(self.text) if self.kind is KeyError else self.text)
        except Exception:
            error = RuntimeError(self.text)
        raise error from None


def _seed(setup: Setup, worker_id: int) -> int:
    """Seeds the random numbers of this process: of Python, of this package, and of NumPy, unless neither this
    process nor the main one has imported it."""
    import random

    base_seed = setup.base_seed
    seed = base_seed + worker_id
    random.seed(seed)
    manual_seed(seed)
    if setup.numpy or "numpy" in sys.modules:
        import numpy

        entropy = [worker_id, base_seed & 0xFFFFFFFF, base_seed >> 32, 0]
        numpy.random.seed(numpy.random.SeedSequence(entropy).generate_state(4))
    return seed


def _messages(channel: Channel, parent: int) -> Iterator[Any]:
    """Receives messages until the main process closes the channel or ends."""
    import os

    while True:
        while not channel.poll(CHECK_SECONDS):
            if os.getppid() != parent:
                return
        try:
            message = channel.recv()
        except (EOFError, OSError):
            return
        if channel.ended():
            return
        yield message


def _send(channel: Channel) -> Callable[[int, Any], None]:
    """Starts a thread that sends; returns the function that gives it batches, and never waits."""
    import os
    import queue
    import threading
    import traceback

    from ....multiprocessing._channel import Message

    outbox: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def send_all() -> None:
        try:
            while True:
                channel.send(outbox.get())
        except (BrokenPipeError, ConnectionResetError):
            pass  # the main process doesn't want it
        except Exception:
            traceback.print_exc()
            os._exit(1)  # so that the main process doesn't wait

    threading.Thread(target=send_all, daemon=True).start()
    return lambda index, data: outbox.put(Message((index, data)))


def _batches(setup: Setup, worker_id: int, messages: Iterator[Any]) -> Iterator[tuple[int, Any]]:
    """Makes the batches that the messages ask for; of one that can't be made a Failure."""
    where = f"in DataLoader worker process {worker_id}"
    fetch: Callable[[Any], Any] | None = None
    failure: Failure | None = None
    try:
        if setup.init_fn is not None:
            setup.init_fn(worker_id)
        fetch = fetcher(setup.source)
    except Exception as error:
        failure = Failure(error, where)
    ended = False
    for message in messages:
        if message == RESUME:
            ended, fetch = False, None
            continue
        if ended:
            continue
        index, item = message
        data: Any = failure
        try:
            if failure is None:
                fetch = fetch or fetcher(setup.source)
                data = fetch(item)
        except Exception as error:
            ended = setup.source.iterable and isinstance(error, StopIteration)
            data = Ended() if ended else Failure(error, where)
        yield index, data
        del data


def run(setup: Setup, worker_id: int, channel: Channel, parent: int) -> None:
    """What a worker process does."""
    global _info
    try:
        set_num_threads(1)
        seed = _seed(setup, worker_id)
        _info = WorkerInfo(worker_id, setup.num_workers, seed, setup.source.dataset)
        send = _send(channel)
        for index, data in _batches(setup, worker_id, _messages(channel, parent)):
            try:
                send(index, data)
            except Exception as error:  # pickle's
                send(index, Failure(error, f"in DataLoader worker process {worker_id}"))
            del data
    except KeyboardInterrupt:
        pass  # the main process gets it too
