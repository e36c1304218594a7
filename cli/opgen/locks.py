"""Locks of folders: a file beside each, so that the folder may be exchanged."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
from collections.abc import Callable, Iterator
from pathlib import Path

_READ_ONLY = (errno.EROFS, errno.EACCES, errno.EPERM)


@contextlib.contextmanager
def locked(
    folder: Path, *, shared: bool = False, say: Callable[[str], None] = lambda text: None
) -> Iterator[int | None]:
    """One writer of `folder`, or several readers: others wait, and say so. Yields the lock's descriptor, or
    None for a reader of a folder beside which nothing can be written.
    """
    folder = named(folder)
    path = folder.parent / f".{folder.name}.lock"
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        # Never through a link, and nothing is truncated: whatever bears the name keeps its contents.
        lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o666)
    except OSError as error:
        if not shared or error.errno not in _READ_ONLY:
            raise
        yield None
        return
    try:
        kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
        _wait(lock, kind, lambda: say(f"waiting for a run that uses {folder}"))
        yield lock
    finally:
        os.close(lock)


def _wait(lock: int, kind: int, say: Callable[[], None]) -> None:
    try:
        fcntl.flock(lock, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        say()
        fcntl.flock(lock, kind)


def named(folder: Path) -> Path:
    """`folder` by a path that ends in its name, which `.` and `..` do not."""
    return folder if folder.name not in ("", "..") else folder.resolve()
