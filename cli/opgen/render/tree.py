"""Publishing a tree atomically.

The new tree is staged beside the old one; files whose bytes are the same are hard links to the old ones, so
that their times stay and nothing recompiles. Then the two directories are exchanged by one system call. A
failure or a kill at any point leaves the old tree whole; leftovers are removed by the next run. Only what the
old tree's manifest lists is ever removed: with any other file in it, nothing is written.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from opgen.locks import locked, named
from opgen.render.manifest import NAME, Manifest, digest
from opgen.render.pages import File

_RENAME_EXCHANGE = 2
_AT_FDCWD = -100


_CACHE = "__pycache__"  # Python writes this for a module that was imported from the tree
_SHOWN = 5


class ForeignTree(Exception):
    """The output folder holds something that opgen did not write."""


class Changes:
    """The changes that publishing made or would make: paths written, kept, and removed."""

    def __init__(self, old: Manifest | None, new: Manifest, tree: Path):
        before = old.files if old else {}
        stale = set(old.stale(tree)) if old else set()
        self.written = sorted(
            p for p, row in new.files.items() if before.get(p, ("",))[0] != row[0] or p in stale
        )
        self.removed = sorted(set(before) - set(new.files))
        self.kept = len(new.files) - len(self.written)
        self.same = not self.written and not self.removed and old == new


def require_ours(tree: Path) -> None:
    """Rejects a file, a symbolic link, and a folder with any content that is not a tree of this opgen."""
    if tree.is_symlink() or (tree.exists() and not tree.is_dir()):
        raise ForeignTree(f"{tree} is not a folder; give --out a new folder or one that opgen wrote")
    if tree.is_dir() and Manifest.read(tree) is None and any(tree.iterdir()):
        raise ForeignTree(
            f"{tree} holds files that opgen did not write (it has no {NAME} of this version of opgen); "
            "give --out another folder"
        )


def publish(tree: Path, files: Sequence[File], manifest: Manifest) -> Changes:
    """Makes `tree` hold exactly `files` and their manifest. Call it inside `locked(tree)`."""
    tree = named(tree)
    require_ours(tree)
    _collect_leftovers(tree)
    old = Manifest.read(tree)
    changes = Changes(old, manifest, tree)
    if changes.same:
        return changes
    _require_no_others(tree, old)
    stage = tree.parent / f".{tree.name}.stage.{os.getpid()}"
    try:
        _fill(stage, tree, files, manifest, set(changes.written))
        _swap(stage, tree)
    finally:
        shutil.rmtree(stage, ignore_errors=True)
    return changes


def _require_no_others(tree: Path, old: Manifest | None) -> None:
    """Raises ForeignTree for a tree that contains files which opgen did not write."""
    others = sorted(_others(str(tree), "", set(old.files) | {NAME})) if old else []
    if others:
        shown = ", ".join(others[:_SHOWN]) + (f" and {len(others) - _SHOWN} more" if others[_SHOWN:] else "")
        raise ForeignTree(
            f"{tree} holds what opgen did not write and would have to remove: {shown}; "
            "move that elsewhere, or give --out another folder"
        )


def _others(folder: str, prefix: str, ours: set[str]) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            path = prefix + entry.name
            if entry.is_dir(follow_symlinks=False):
                if entry.name != _CACHE:
                    yield from _others(entry.path, f"{path}/", ours)
            elif path not in ours:
                yield path


def collect_leftovers(tree: Path) -> None:
    """Removes the leftovers of killed runs beside `tree`, if it can; waits for a running one."""
    tree = named(tree)
    with contextlib.suppress(OSError):
        if _leftovers(tree):
            with locked(tree):
                _collect_leftovers(tree)


def _leftovers(tree: Path) -> list[tuple[Path, bool]]:
    """Returns staged trees, and whether each is an old tree that was moved aside."""
    stage = re.compile(rf"{re.escape(f'.{tree.name}.stage.')}\d+(\.old)?")
    found = ((path, stage.fullmatch(path.name)) for path in tree.parent.iterdir())
    return [(path, match[1] is not None) for path, match in found if match]


def _collect_leftovers(tree: Path) -> None:
    """Removes trees that killed runs have staged; an old tree that was moved aside is put back."""
    for left, aside in _leftovers(tree):
        if aside and not tree.exists():
            os.rename(left, tree)
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


__all__ = ["Changes", "ForeignTree", "collect_leftovers", "digest", "locked", "publish", "require_ours"]
