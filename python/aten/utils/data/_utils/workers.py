"""DataLoader's iterator over worker processes."""

from __future__ import annotations

import collections
import itertools
import os
import signal
import sys
import time
import weakref
from multiprocessing import connection

from .... import multiprocessing
from ....multiprocessing import _channel
from . import worker
from .iterators import Iterator

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess
    from typing import Any

    from ....multiprocessing._channel import Channel
    from ..dataloader import DataLoader


def _stop(owner: int, processes: list[BaseProcess], channels: list[Channel]) -> None:
    """Ends workers: those that are still at work after a while are killed."""
    if os.getpid() != owner:  # a forked child, whose copy this is
        return
    for channel in channels:
        channel.close()
    deadline = time.monotonic() + worker.CHECK_SECONDS
    for process in processes:
        process.join(max(0.0, deadline - time.monotonic()))
    for end in ("terminate", "kill"):
        for process in processes:
            if process.is_alive():
                getattr(process, end)()
        for process in processes:
            process.join(worker.CHECK_SECONDS)
    for process in processes:
        process.close()
    processes.clear()
    channels.clear()


def _how_it_ended(process: BaseProcess) -> str:
    process.join(worker.CHECK_SECONDS)
    code = process.exitcode
    if code is None:
        return "it closed its connection"
    if code >= 0:
        return (
            f"exit code {code}. What it was is not known here; an iteration with num_workers=0 may raise it"
        )
    text = f"killed by signal {-code}: {signal.strsignal(-code)}"
    if -code == signal.SIGBUS:
        text += ". The system may be out of memory for tensors that processes share"
    return text


class WorkersIterator(Iterator):
    """Gives lists of indices to the workers in turn, and returns their batches in that order, or with
    `in_order=False` in the order in which they arrive."""

    def __init__(self, loader: DataLoader) -> None:
        super().__init__(loader)
        if not loader.prefetch_factor:
            raise AssertionError("DataLoader: prefetch_factor must be greater than 0")
        self._prefetch, self._timeout, self._in_order = (
            loader.prefetch_factor,
            loader.timeout,
            loader.in_order,
        )
        self._persistent = loader.persistent_workers
        self._processes: list[BaseProcess] = []
        self._channels: list[Channel] = []
        self._stop = weakref.finalize(self, _stop, os.getpid(), self._processes, self._channels)
        self._stop.atexit = False  # then multiprocessing ends them
        self._inbox: collections.deque[tuple[int, Any]] = collections.deque()
        self._sent = self._next_index = 0  # numbers of batches, which count on in later iterations
        self._start_processes(loader)
        self._prepare()

    def _start_processes(self, loader: DataLoader) -> None:
        context: Any = loader.multiprocessing_context or multiprocessing.get_context()
        setup = worker.Setup(
            self._source,
            self._base_seed,
            loader.worker_init_fn,
            loader.num_workers,
            "numpy" in sys.modules,
        )
        for i in range(loader.num_workers):
            ours, theirs = _channel.pair(context)
            self._channels.append(ours)
            try:
                arguments = (setup, i, theirs, os.getpid())
                process = context.Process(target=worker.run, args=arguments, daemon=True)
                process.start()
            except BaseException:
                self._stop()
                raise
            finally:
                theirs.drop()
            self._processes.append(process)

    def _prepare(self) -> None:
        count = self._num_workers
        self._next_index = self._sent
        self._inbox.clear()
        self._owners: dict[int, int] = {}  # by number of batch the worker, for all that aren't returned yet
        self._arrived: dict[int, Any] = {}
        self._active = [True] * count
        self._load = [0] * count  # how many batches each worker owes
        self._turn = itertools.cycle(range(count))
        for _ in range(self._prefetch * count):
            self._assign()

    def restart(self, loader: DataLoader) -> bool:
        """Begins another iteration with the same workers; False if they have ended."""
        if not self._processes:
            return False
        self._start(loader)
        for channel in self._channels:
            self._send(channel, worker.RESUME)
        self._prepare()
        return True

    def _send(self, channel: Channel, content: Any) -> None:
        try:
            channel.send(_channel.Message(content))
        except (BrokenPipeError, ConnectionResetError):
            self._raise_for_dead(self._channels.index(channel))

    def _assign(self) -> None:
        """Gives the next indices to the next worker that has items left."""
        most = self._prefetch * len(self._active) // max(1, sum(self._active))
        for i in itertools.islice(self._turn, len(self._active)):
            if self._active[i] and (self._in_order or self._load[i] < most):
                break
        else:
            return
        try:
            item = next(self._indices)
        except StopIteration:
            return
        self._owners[self._sent] = i
        self._load[i] += 1
        self._sent += 1
        self._send(self._channels[i], (self._sent - 1, item))

    def _next(self) -> Any:
        while self._find_next():
            if self._next_index in self._arrived:
                return self._deliver(self._next_index, self._arrived.pop(self._next_index))
            index, data = self._receive()
            if isinstance(data, worker.Ended):
                self._active[self._owners.pop(index)] = False
                self._assign()
            elif index == self._next_index or not self._in_order:
                return self._deliver(index, data)
            else:
                self._arrived[index] = data
        if not self._persistent:
            self._stop()
        raise StopIteration

    def _find_next(self) -> bool:
        """Goes on to the next batch that a worker owes; False if there is none."""
        while self._next_index < self._sent:
            owner = self._owners.get(self._next_index)
            if owner is not None and (self._next_index in self._arrived or self._active[owner]):
                return True
            self._owners.pop(self._next_index, None)
            self._next_index += 1
        return False

    def _deliver(self, index: int, data: Any) -> Any:
        self._load[self._owners.pop(index)] -= 1
        self._assign()
        if isinstance(data, worker.Failure):
            data.reraise()
        return data

    def _receive(self) -> tuple[int, Any]:
        """Returns a batch that a worker has made, of those of this iteration."""
        deadline = time.monotonic() + self._timeout if self._timeout else None
        while True:
            while self._inbox:
                index, data = self._inbox.popleft()
                if index in self._owners:
                    return index, data
            left = worker.CHECK_SECONDS
            if deadline is not None:
                left = min(left, deadline - time.monotonic())
                if left <= 0:
                    raise RuntimeError(f"DataLoader timed out after {self._timeout} seconds")
            self._wait(left)

    def _wait(self, seconds: float) -> None:
        """Takes one message of each worker that has sent some; an error if a worker has ended."""
        sentinels = [p.sentinel for p, active in zip(self._processes, self._active, strict=True) if active]
        objects: list[Any] = [*self._channels, *sentinels]
        ready: list[Any] = connection.wait(objects, seconds)
        received = False
        for i, channel in enumerate(self._channels):
            if channel in ready:
                try:
                    self._inbox.append(channel.recv())
                    received = True
                except (EOFError, ConnectionResetError):
                    self._raise_for_dead(i)
                except Exception:  # the message can't be received again
                    self._end()
                    raise
        for i, process in enumerate(self._processes):
            if not received and self._active[i] and not process.is_alive() and not self._channels[i].poll(0):
                self._raise_for_dead(i)

    def _raise_for_dead(self, i: int) -> None:
        process = self._processes[i]
        text = f"DataLoader worker (pid(s) {process.pid}) exited unexpectedly: {_how_it_ended(process)}"
        self._end()
        raise RuntimeError(text)

    def _end(self) -> None:
        """Ends the workers, and with them the iteration."""
        self._stop()
        self._owners.clear()
