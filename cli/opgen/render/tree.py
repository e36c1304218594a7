"""Publishing a tree in one step.

The new tree is staged beside the old one; files whose bytes are the same are hard links to the old ones, so
that their times stay and nothing recompiles. Then the two directories are exchanged by one system call. A
failure or a kill at any point leaves the old tree whole; what it left behind is collected by the next run.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from opgen.render.manifest import NAME, Manifest, digest
from opgen.render.pages import File

_RENAME_EXCHANGE = 2
_AT_FDCWD = -100


class ForeignTree(Exception):
    """The output folder holds something that opgen did not write."""


class Changes:
    """What publishing did or would do: paths written anew, kept, and removed."""

    def __init__(self, old: Manifest | None, new: Manifest, tree: Path):
        before = old.files if old else {}
        stale = set(old.stale(tree)) if old else set()
        self.written = sorted(
            p for p, row in new.files.items() if before.get(p, ("",))[0] != row[0] or p in stale
        )
        self.removed = sorted(set(before) - set(new.files))
        self.kept = len(new.files) - len(self.written)
        self.same = not self.written and not self.removed and old == new


@contextlib.contextmanager
def locked(tree: Path) -> Iterator[None]:
    """One writer a tree: a second run waits for the first."""
    tree.parent.mkdir(parents=True, exist_ok=True)
    with open(tree.parent / f".{tree.name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def require_ours(tree: Path) -> None:
    """Refuses a folder with contents but without our manifest, a file, and a symbolic link."""
    if tree.is_symlink() or (tree.exists() and not tree.is_dir()):
        raise ForeignTree(f"{tree} is not a folder; give --out a new folder or one that opgen wrote")
    if tree.is_dir() and not (tree / NAME).is_file() and any(tree.iterdir()):
        raise ForeignTree(
            f"{tree} holds files that opgen did not write (it has no {NAME}); give --out another folder"
        )


def publish(tree: Path, files: Sequence[File], manifest: Manifest) -> Changes:
    """Makes `tree` hold exactly `files` and their manifest. Call it inside `locked(tree)`."""
    require_ours(tree)
    _collect_leftovers(tree)
    changes = Changes(Manifest.read(tree), manifest, tree)
    if changes.same:
        return changes
    stage = tree.parent / f".{tree.name}.stage.{os.getpid()}"
    try:
        _fill(stage, tree, files, manifest, set(changes.written))
        _swap(stage, tree)
    finally:
        shutil.rmtree(stage, ignore_errors=True)
    return changes


def _collect_leftovers(tree: Path) -> None:
    for left in tree.parent.glob(f".{tree.name}.stage.*"):
        shutil.rmtree(left, ignore_errors=True)


def _fill(stage: Path, old: Path, files: Sequence[File], manifest: Manifest, written: set[str]) -> None:
    made: set[str] = set()
    stage.mkdir(parents=True)
    for file in files:
        target = f"{stage}/{file.path}"
        folder = target.rpartition("/")[0]
        if folder not in made:
            os.makedirs(folder, exist_ok=True)
            made.add(folder)
        if file.path in written or not _link(f"{old}/{file.path}", target):
            with open(target, "wb") as out:
                out.write(file.content)
    with open(stage / NAME, "wb") as out:
        out.write(manifest.dumps())
        out.flush()
        os.fsync(out.fileno())


def _link(source: str, target: str) -> bool:
    try:
        os.link(source, target)
        return True
    except OSError:
        return False


def _swap(stage: Path, tree: Path) -> None:
    if not tree.exists():
        os.rename(stage, tree)
        return
    try:
        libc = ctypes.CDLL(None, use_errno=True)
        done = (
            libc.renameat2(_AT_FDCWD, os.fsencode(stage), _AT_FDCWD, os.fsencode(tree), _RENAME_EXCHANGE) == 0
        )
    except (OSError, AttributeError):
        done = False
    if not done:  # no exchange on this system: two renames, undone if the second fails
        aside = stage.with_name(stage.name + ".old")
        os.rename(tree, aside)
        try:
            os.rename(stage, tree)
        except OSError:
            os.rename(aside, tree)
            raise
        shutil.rmtree(aside, ignore_errors=True)


__all__ = ["Changes", "ForeignTree", "digest", "locked", "publish", "require_ours"]
