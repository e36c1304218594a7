"""Runs a command of a build, and ends all processes that it has started when the build ends, however it ends.

Called as `python guard.py BUILD COMMAND...` with the process id of the build, in a session of its own. Ninja
gives each compiler a process group of its own, and nothing tells a compiler that the build was killed, so the
guard adopts orphaned processes. It inherits the build's locks but does not pass them to the command: they are
free when the last process has ended, and a daemon that the command leaves behind, of a compiler cache say,
doesn't hold them.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
_PATIENCE = 3.0  # seconds that a command gets to stop on its own
_PAUSE = 0.005


class Ended(BaseException):
    """The build has ended, or told us to stop."""


def main() -> int:
    signal.signal(signal.SIGTERM, _end)
    try:
        _prctl(_PR_SET_CHILD_SUBREAPER, 1)
        die_with(int(sys.argv[1]), signal.SIGTERM)
        return subprocess.Popen(sys.argv[2:]).wait()
    except Ended:
        _end_all()
        return 128 + signal.SIGTERM
    except OSError as error:
        print(f"could not start {sys.argv[2]}: {error.strerror}")
        return 127


def die_with(parent: int, number: int = signal.SIGKILL) -> None:
    """This process gets the signal `number` when `parent`, which started it, dies."""
    _prctl(_PR_SET_PDEATHSIG, number)
    if os.getppid() != parent:
        os.kill(os.getpid(), number)


def _prctl(option: int, value: int) -> None:
    with contextlib.suppress(OSError, AttributeError):  # only Linux has it
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _end(number: int, frame: object) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise Ended


def _end_all() -> None:
    """Asks the command to stop (Ninja stops its compilers and removes partial outputs) and waits for it; then
    kills all remaining processes.
    """
    group = os.getpgrp()
    os.killpg(group, signal.SIGTERM)
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline and any(_group(child) == group for child in _children()):
        _reap()
        time.sleep(_PAUSE)
    while time.monotonic() < deadline + _PATIENCE:
        for child in _children():
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        if not _reap():
            return
        time.sleep(_PAUSE)


def _reap() -> bool:
    """Waits for ended children; returns whether there are children left."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True


def _group(process: int) -> int | None:
    try:
        return os.getpgid(process)
    except ProcessLookupError:
        return None


def _children() -> Iterator[int]:
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
        if name.isdecimal():
            with contextlib.suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:
                if int(file.read().rpartition(b")")[2].split()[1]) == os.getpid():
                    yield int(name)


if __name__ == "__main__":
    sys.exit(main())
