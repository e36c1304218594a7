"""A copy of the tree, in which a mutant is tested: the checkout itself is never changed."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from .mutant import Mutant


class Copy:
    """The files of `root` that git tracks or would add, under `folder`/tree; `imports` is the folder to
    import the package from.
    """

    def __init__(self, root: Path, package: str, folder: Path) -> None:
        self.root, self.folder, self.tree = root, folder, folder / "tree"
        self.imports = (self.tree / package).parent
        # Tests that would compile C++ for minutes are skipped when there is no compiler.
        self.environment = {"PYTHONPATH": str(self.imports), "CXX": "no-compiler"}

    def bring_up_to_date(self) -> None:
        """Copies changed files. They keep their times, so that Python's compiled files stay valid. A campaign
        locks the copy as long as it runs.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        self.lock = open(self.folder / "lock", "w")  # noqa: SIM115 - closed when the process ends
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SystemExit(f"mutate: another campaign is running in {self.folder}") from None
        wanted = _files(self.root)
        for name in wanted:
            source, target = self.root / name, self.tree / name
            if not _same(source, target):
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, target, follow_symlinks=False)
        known = set(wanted)
        for target in [f for f in self.tree.rglob("*") if f.is_file() and "__pycache__" not in f.parts]:
            if target.relative_to(self.tree).as_posix() not in known:
                target.unlink()

    @contextlib.contextmanager
    def with_mutant(self, mutant: Mutant) -> Iterator[None]:
        """Applies a mutant. It gets a modification time that no file has, as Python reuses the compiled file
        of a source with the same size and time, to the second.
        """
        path = self.tree / mutant.file
        before, times = path.read_bytes(), path.stat()
        path.write_bytes(mutant.applied(before))
        os.utime(path, (mutant.start, mutant.start))
        try:
            yield
        finally:
            path.write_bytes(before)
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def _files(root: Path) -> list[str]:
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    return [name for name in done.stdout.split("\0") if name and (root / name).is_file()]


def _same(source: Path, target: Path) -> bool:
    if not target.is_file():
        return False
    old, new = target.stat(), source.stat()
    return (old.st_size, old.st_mtime_ns) == (new.st_size, new.st_mtime_ns)
