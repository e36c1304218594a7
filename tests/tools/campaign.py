"""Long runs over numbered inputs that may be killed and continued: their progress is kept in build/fuzz/."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from opgen.build.guard import die_with

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build" / "fuzz"


class Running(SystemExit):
    """Another process is running the same campaign."""


def digest(paths: Iterable[Path]) -> str:
    """Returns the digest of the files that make the inputs and of the tested files, folders with all their
    files.
    """
    total = hashlib.sha256()
    for path in paths:
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file() and "__pycache__" not in file.parts:
                total.update(f"{file.relative_to(ROOT)} ".encode() + file.read_bytes())
    return total.hexdigest()


@dataclass
class Campaign:
    """Inputs 0 to `size` of `seed`; those below `done` were tried, and `failures` of them failed."""

    name: str
    seed: int
    size: int
    tested: str  # the digest of what was tested
    folder: Path = FOLDER
    done: int = 0
    failures: int = 0
    seconds: float = 0.0
    _lock: int = field(default=-1, repr=False)

    @classmethod
    def open(
        cls, name: str, size: int, paths: Iterable[Path], seed: int | None = None, folder: Path | None = None
    ) -> Campaign:
        """Opens the unfinished campaign of this name and size (and seed, where one is given), or a new one.

        Inputs that were tried with other contents of `paths` don't count.
        """
        tested, folder = digest(paths), folder or FOLDER
        if seed is None:
            seed = next(_unfinished(name, size, tested, folder), int(time.time()))
        made = cls(name, seed, size, tested, folder)
        made._take()
        state = _read(made.path)
        if state.get("tested") == tested and state["done"] < size:
            made.done, made.failures, made.seconds = state["done"], state["failures"], state["seconds"]
        return made

    @property
    def path(self) -> Path:
        return self.folder / f"{self.name}-{self.seed}.json"

    def _take(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        self._lock = os.open(self.path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Running(f"{self.name}, seed {self.seed}: another process runs this campaign") from None

    def batches(self, size: int) -> list[tuple[int, int]]:
        """Returns the remaining inputs, as (first input, how many)."""
        return [(i, min(size, self.size - i)) for i in range(self.done, self.size, size)]

    def run(self, work: Callable, batch: int, jobs: int, report: Callable[[object], None]) -> None:
        """Calls `work(seed, first, count)` for the remaining inputs, in order; reports each failure it
        returns.
        """
        say(f"{self.name}: {self.size} inputs, seed {self.seed}" + (f", from {self.done}" * bool(self.done)))
        batches, before, begun = self.batches(batch), self.seconds, time.monotonic()
        with ProcessPoolExecutor(jobs, initializer=die_with, initargs=(os.getpid(),)) as pool:
            firsts, counts = [first for first, _ in batches], [count for _, count in batches]
            results = pool.map(work, [self.seed] * len(batches), firsts, counts)
            for (first, count), found in zip(batches, results, strict=True):
                for failure in found:
                    report(failure)
                self.done, self.failures = first + count, self.failures + len(found)
                self.seconds = before + time.monotonic() - begun
                self.save()
        say(f"{self.name}: {self.done} inputs, {self.failures} failures, {self.seconds:.0f} s")

    def save(self) -> None:
        state = {"done": self.done, "of": self.size, "failures": self.failures, "tested": self.tested}
        partial = self.path.with_suffix(".part")
        partial.write_text(json.dumps({**state, "seconds": round(self.seconds, 1)}) + "\n")
        partial.replace(self.path)


def say(text: str) -> None:
    print(text, flush=True)


def _read(path: Path) -> dict:
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError):
        return {}


def _unfinished(name: str, size: int, tested: str, folder: Path) -> Iterator[int]:
    """Yields seeds of unfinished campaigns, the last one first."""
    states: Sequence[Path] = sorted(folder.glob(f"{name}-*.json"), key=lambda p: -p.stat().st_mtime)
    for path in states:
        state, seed = _read(path), path.stem.removeprefix(f"{name}-")
        same = (state.get("tested"), state.get("of")) == (tested, size)
        if same and seed.isdecimal() and state["done"] < size:
            yield int(seed)
