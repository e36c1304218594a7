"""Locks of folders: a file beside each, as the folder itself may be exchanged."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
from collections.abc import Callable, Iterator
from pathlib import Path

_READ_ONLY = (errno.EROFS, errno.EACCES, errno.EPERM)
_SHOWN = 100  # longest shown command line of a process


@contextlib.contextmanager
def locked(
    folder: Path, *, shared: bool = False, say: Callable[[str], None] = lambda text: None
) -> Iterator[int | None]:
    """Locks `folder` for one writer or several readers; others wait, with a message. Yields the lock's
    descriptor, or None for a reader of a folder beside which nothing can be written.
    """
    folder = named(folder)
    path = folder.parent / f".{folder.name}.lock"
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        # Never follows a link and never truncates: an existing file of that name keeps its contents.
        lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o666)
    except OSError as error:
        if not shared or error.errno not in _READ_ONLY:
            raise
        yield None
        return
    try:
        kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
        _wait(lock, kind, lambda: say(f"waiting for a run that uses {folder}{_holders(path)}"))
        yield lock
    finally:
        os.close(lock)


def _wait(lock: int, kind: int, say: Callable[[], None]) -> None:
    try:
        fcntl.flock(lock, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        say()
        fcntl.flock(lock, kind)


def _holders(path: Path) -> str:
    """Describes the processes that hold the lock of the file `path`, as far as /proc shows: after a killed
    build it is its guard process.
    """
    found = []
    for process in sorted(Path("/proc").glob("[0-9]*"), key=lambda each: int(each.name)):
        with contextlib.suppress(OSError):
            if any(_holds(process, number, path) for number in os.listdir(process / "fd")):
                words = (process / "cmdline").read_bytes().decode(errors="replace").split("\0")
                found.append(f"process {process.name} ({' '.join(words).strip()[:_SHOWN]})")
    return f": {', '.join(found)}" if found else ""


def _holds(process: Path, number: str, path: Path) -> bool:
    """Whether a process holds the lock. Waiting processes have the file open, too."""
    with contextlib.suppress(OSError):
        if os.path.samestat(os.stat(process / "fd" / number), os.stat(path)):
            return b"lock:" in (process / "fdinfo" / number).read_bytes()
    return False


def named(folder: Path) -> Path:
    """Returns `folder` as a path that ends in its name, unlike `.` and `..`."""
    return folder if folder.name not in ("", "..") else folder.resolve()
