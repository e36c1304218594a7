"""Processes that run one function, and errors of theirs in the parent process."""

from __future__ import annotations

import multiprocessing as _standard
import signal
import traceback
from multiprocessing.connection import Connection, wait

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_PATIENCE = 30.0  # seconds in which a process may end after SIGTERM


class ProcessException(Exception):
    """A process has failed: `error_index` is its number, `error_pid` the system's number of it."""

    def __init__(self, msg: str, error_index: int, error_pid: int) -> None:
        super().__init__(msg, error_index, error_pid)
        self.msg, self.error_index, self.error_pid = msg, error_index, error_pid

    def __str__(self) -> str:
        return self.msg


class ProcessRaisedException(ProcessException):
    """The function has raised an error, whose traceback is the text."""


class ProcessExitedException(ProcessException):
    """The process has ended with an `exit_code`, or by the signal `signal_name`."""

    def __init__(
        self, msg: str, error_index: int, error_pid: int, exit_code: int, signal_name: str | None = None
    ) -> None:
        super().__init__(msg, error_index, error_pid)
        self.args = (*self.args, exit_code, signal_name)
        self.exit_code, self.signal_name = exit_code, signal_name


def _run(fn: Callable[..., object], index: int, args: tuple[Any, ...], errors: Connection) -> None:
    try:
        fn(index, *args)
    except KeyboardInterrupt:
        pass  # from the parent process
    except Exception:
        errors.send(traceback.format_exc())
        raise SystemExit(1) from None


class ProcessContext:
    """Started processes. processes: those of multiprocessing."""

    def __init__(self, processes: list[Any], errors: list[Connection]) -> None:
        self.processes, self._errors = processes, errors
        self.sentinels = {process.sentinel: index for index, process in enumerate(processes)}

    def pids(self) -> list[int]:
        """The system's numbers of the processes."""
        return [process.pid for process in self.processes]

    def join(self, timeout: float | None = None, grace_period: float | None = None) -> bool:
        """Waits until a process ends, at most `timeout` seconds; returns whether all have ended.

        If one has failed, the others are ended, after `grace_period` seconds if it is given, and it is an
        error: ProcessRaisedException or ProcessExitedException.
        """
        for sentinel in wait(list(self.sentinels), timeout) if self.sentinels else ():
            index = self.sentinels.pop(sentinel)
            self.processes[index].join()
            if self.processes[index].exitcode != 0:
                self._end(grace_period)
                raise self._error(index)
        return not self.sentinels

    def _end(self, grace_period: float | None) -> None:
        for process in self.processes if grace_period is not None else ():
            process.join(grace_period)
        for end in ("terminate", "kill"):
            for process in self.processes:
                if process.is_alive():
                    getattr(process, end)()
            for process in self.processes:
                process.join(_PATIENCE if grace_period is None else grace_period)

    def _error(self, index: int) -> ProcessException:
        code, pid = self.processes[index].exitcode, self.processes[index].pid
        if self._errors[index].poll():
            try:
                text = self._errors[index].recv()
            except EOFError:
                pass
            else:
                said = f"\n\n-- Process {index} terminated with the following error:\n{text}"
                return ProcessRaisedException(said, index, pid)
        if code >= 0:
            said = f"process {index} terminated with exit code {code}"
            return ProcessExitedException(said, index, pid, code)
        known = {s.value: s.name for s in signal.Signals}
        name = known.get(-code, f"<Unknown signal {-code}>")
        return ProcessExitedException(
            f"process {index} terminated with signal {name}", index, pid, code, name
        )


def start_processes(
    fn: Callable[..., object],
    args: tuple[Any, ...] = (),
    nprocs: int = 1,
    join: bool = True,
    daemon: bool = False,
    start_method: str = "spawn",
) -> ProcessContext | None:
    """Starts `nprocs` processes that call fn(index, *args), and waits for them; with join=False, returns
    them.

    fn: for "spawn" and "forkserver", a function at the top of a module. start_method: one of
    multiprocessing's.
    """
    context: Any = _standard.get_context(start_method)
    processes, errors = [], []
    for index in range(nprocs):
        received, sent = context.Pipe(duplex=False)
        process = context.Process(target=_run, args=(fn, index, args, sent), daemon=daemon)
        process.start()
        sent.close()
        processes.append(process)
        errors.append(received)
    started = ProcessContext(processes, errors)
    if not join:
        return started
    while not started.join():
        pass
    return None


def spawn(
    fn: Callable[..., object],
    args: tuple[Any, ...] = (),
    nprocs: int = 1,
    join: bool = True,
    daemon: bool = False,
    start_method: str = "spawn",
) -> ProcessContext | None:
    """Like start_processes(), by new Python processes."""
    return start_processes(fn, args, nprocs, join, daemon, start_method)
