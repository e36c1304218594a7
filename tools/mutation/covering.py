"""Which tests run a mutant's line, cheapest first: recorded once by recording.py, file by file, kept under
build/mutate and recorded again where it is outdated.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from .copies import Copy
from .mutant import Mutant

WORD = re.compile(r"\w+")
# Files that opgen reads, besides its own sources.
DATA = ("templates", "schemas", "examples")


@dataclass(frozen=True)
class Subject:
    """A package and its tests, both relative to the root of their tree."""

    root: Path
    package: str
    tests: tuple[str, ...]

    def test_files(self) -> list[str]:
        """Returns the test files without the fuzzers: thousands of random inputs are too slow to run for one
        line.
        """
        found = [f for test in self.tests for f in sorted((self.root / test).rglob("test_*.py"))]
        found += [self.root / test for test in self.tests if test.endswith(".py")]
        return [f.relative_to(self.root).as_posix() for f in found if not f.stem.endswith("_fuzz")]

    def sources(self) -> dict[str, bytes]:
        files = sorted((self.root / self.package).rglob("*.py"))
        return {f.relative_to(self.root).as_posix(): f.read_bytes() for f in files}


@dataclass(frozen=True)
class Test:
    name: str
    seconds: float
    lines: dict[str, int]

    @property
    def file(self) -> str:
        return self.name.partition("::")[0]


class Covering:
    """The tests of a subject, with the lines that each of them runs; a test that fails without a mutant has
    none.
    """

    def __init__(self, subject: Subject, folder: Path) -> None:
        self.subject, self.folder = subject, folder
        self.tests: list[Test] = []

    def load(self, copy: Copy) -> None:
        stale = [f for f in self.subject.test_files() if self._stamp(f) != self._recorded(f)]
        for number, file in enumerate(stale, 1):
            print(f"mutate: recording which lines {file} runs ({number} of {len(stale)})", flush=True)
            self._record(copy, file)
        for file in self.subject.test_files():
            for name, seconds, lines in json.loads(self._file(file).read_text()):
                self.tests.append(Test(name, seconds, {f: int(bits, 16) for f, bits in lines.items()}))

    def _file(self, test_file: str) -> Path:
        return self.folder / "covering" / f"{test_file.replace('/', '.')}.json"

    def _recorded(self, test_file: str) -> str | None:
        stamp = self._file(test_file).with_suffix(".stamp")
        return stamp.read_text() if stamp.exists() and self._file(test_file).exists() else None

    def _record(self, copy: Copy, file: str) -> None:
        stamp, kept = self._stamp(file), self._file(file)
        command = [sys.executable, Path(__file__).with_name("recording.py")]
        environment = {**os.environ, **copy.environment}
        kept.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run([*command, copy.tree, self.subject.package, file, kept], check=True, env=environment)
        kept.with_suffix(".stamp").write_text(stamp)

    def _stamp(self, test_file: str) -> str:
        """Returns a digest of what the record depends on: the test file, what it imports beside or above it,
        the package and its data.
        """
        path = self.subject.root / test_file
        folders = [self.subject.root / folder for folder in Path(test_file).parents]
        conftests = (folder / "conftest.py" for folder in folders)
        files = sorted({path, *conftests, *_imported(path, folders, set())})
        digest = hashlib.sha256(self._package_digest())
        for file in filter(Path.exists, files):
            digest.update(_digest(file))
        return digest.hexdigest()

    def _package_digest(self) -> bytes:
        if not hasattr(self, "_package"):
            folders = [self.subject.root / name for name in (self.subject.package, *DATA)]
            files = [f for folder in folders for f in sorted(folder.rglob("*"))]
            self._package = b"".join(_digest(f) for f in files if f.is_file() and f.suffix != ".pyc")
        return self._package

    def of(self, mutant: Mutant) -> list[Test]:
        """Returns the tests that run the mutant's statement, or that run a use of the names it binds at
        import.
        """
        wanted = self._uses(mutant.names) if mutant.names else {}
        if not mutant.names:
            wanted[mutant.file] = _bits(range(mutant.first, mutant.last + 1))
        found = [t for t in self.tests if any(t.lines.get(file, 0) & bits for file, bits in wanted.items())]
        if mutant.names:
            found += [t for t in self.tests if mutant.file in t.lines and t not in found]
        return found

    def _uses(self, names: Iterable[str]) -> dict[str, int]:
        """Returns the lines that use one of these names, or a constant that is made of them."""
        wanted, size = set(names), 0
        while len(wanted) > size:
            size = len(wanted)
            wanted |= {name for name, made_of in self._constants() if made_of & wanted}
        uses = {file: _bits(n for n, words in lines if words & wanted) for file, lines in self._words()}
        return {file: bits for file, bits in uses.items() if bits}

    @functools.cache  # noqa: B019 - one for a campaign
    def _words(self) -> list[tuple[str, list[tuple[int, set[str]]]]]:
        """Returns the words of each line, by file."""
        return [
            (file, [(n, set(WORD.findall(line))) for n, line in enumerate(source.decode().split("\n"), 1)])
            for file, source in self.subject.sources().items()
        ]

    @functools.cache  # noqa: B019
    def _constants(self) -> list[tuple[str, set[str]]]:
        """Returns (name, words of its statement) for each constant of a module."""
        found = []
        for source in self.subject.sources().values():
            for statement in ast.parse(source).body:
                if isinstance(statement, (ast.Assign, ast.AnnAssign)):
                    nodes = [n for n in ast.walk(statement) if isinstance(n, ast.Name)]
                    made_of = {n.id for n in nodes} | set(WORD.findall(ast.unparse(statement)))
                    bound = [n.id for n in nodes if isinstance(n.ctx, ast.Store)]
                    found += [(name, made_of - {name}) for name in bound if name.lstrip("_")[:1].isupper()]
        return found


def _bits(lines: Iterable[int]) -> int:
    return sum(1 << line for line in set(lines))


def _imported(file: Path, folders: Sequence[Path], found: set[Path]) -> set[Path]:
    """Returns the files of `folders` that it imports, and those that they import."""
    for name in re.findall(r"^(?:from|import) (\w+)", file.read_text(encoding="utf-8"), re.MULTILINE):
        for path in [folder / f"{name}.py" for folder in folders]:
            if path.exists() and path not in found:
                found.add(path)
                _imported(path, folders, found)
    return found


def _digest(file: Path) -> bytes:
    return hashlib.sha256(file.read_bytes()).digest()


def cheapest(tests: list[Test], seconds: float) -> list[list[Test]]:
    """Returns the tests of each file, cheapest file first, limited to `seconds` in total; at least one."""
    files: dict[str, list[Test]] = {}
    for test in sorted(tests, key=lambda t: t.seconds):
        files.setdefault(test.file, []).append(test)
    taken, left = [], seconds
    for group in sorted(files.values(), key=lambda g: sum(t.seconds for t in g)):
        fits = []
        for test in group:
            if test.seconds <= left or not (taken or fits):
                fits.append(test)
                left -= test.seconds
        if fits:
            taken.append(fits)
    return taken
