"""Computes which objects of a generated library must be recompiled after a change, from its files.

No compiler is run: an object depends on everything that its sources include, regardless of the
preprocessor's conditions. Unity builds and precompiled headers are those of core/cmake. One copy of the
vectorised kernels is counted, as in `make build`.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]', re.MULTILINE)
_BATCH = re.compile(r"set\(UNITY_SOURCES (\d+) ")


@dataclasses.dataclass(frozen=True)
class Tree:
    """A generated tree of the library `name`, as it was at a `moment`: it may be generated several times."""

    root: Path
    name: str = "aten"
    moment: int = 0

    @functools.cached_property
    def _folders(self) -> tuple[Path, ...]:
        return (self.root / "include" / self.name, self.root / "src", self.root / "python" / "bindings")

    @functools.cache  # noqa: B019 (one tree for the whole run)
    def includes(self, file: Path) -> tuple[Path, ...]:
        """Returns the files of the tree that `file` includes directly."""
        found = (self.found(m[2].decode(), file.parent if m[1] == b'"' else None) for m in self._lines(file))
        return tuple(f for f in found if f is not None)

    @staticmethod
    def _lines(file: Path) -> Iterator[re.Match[bytes]]:
        return _INCLUDE.finditer(file.read_bytes())

    def found(self, include: str, beside: Path | None = None) -> Path | None:
        folders = self._folders if beside is None else (beside, *self._folders)
        return next((folder / include for folder in folders if (folder / include).is_file()), None)

    def reached(self, files: Sequence[Path]) -> set[Path]:
        """Returns `files` and everything that they include."""
        rest, seen = list(files), set(files)
        while rest:
            fresh = set(self.includes(rest.pop())) - seen
            seen |= fresh
            rest += fresh
        return seen

    @functools.cached_property
    def digests(self) -> dict[str, str]:
        """Returns the digest of each file by its path in the tree."""
        rows = json.loads((self.root / "manifest.json").read_text(encoding="utf-8"))["files"]
        return {path: row["sha256"] for path, row in rows.items()}

    @functools.cached_property
    def generated(self) -> set[str]:
        """Returns rendered files, as opposed to copies of hand-written ones."""
        rows = json.loads((self.root / "manifest.json").read_text(encoding="utf-8"))["files"]
        return {path for path, row in rows.items() if row["origin"].startswith("templates/")}


@functools.cache
def objects(tree: Tree) -> dict[tuple[str, str], str]:
    """Returns (kind, object) -> a digest of everything that it is compiled from."""
    text = (tree.root / "CMakeLists.txt").read_text(encoding="utf-8")
    common, methods, simd = (
        _headers(text, name) for name in ("PRECOMPILED_HEADERS", "METHOD_HEADERS", "SIMD_HEADERS")
    )
    sources = _sources((tree.root / "cmake" / "library.cmake").read_text(encoding="utf-8"))
    found: dict[tuple[str, str], str] = {}
    for kind, alone, together, headers in (
        ("core", [], sources["CORE"], common),
        ("glue", sources["GLUE"], sources["OPS"], common + methods),
        ("cpu", [], sources["CPU"], common + methods),
        ("simd", sources["SIMD"], [], common + simd),
        ("cuda", sources["CUDA"], [], []),
        ("python", sources["PYTHON"], [], ["prelude.h", *methods]),
    ):
        first = tree.reached([f for f in map(tree.found, headers) if f is not None])
        if headers:
            found[kind, "precompiled header"] = _digest(tree, [], first)
        for name, unit in _units(tree, alone, together):
            found[kind, name] = _digest(tree, unit, first | tree.reached([tree.root / s for s in unit]))
    return found


def _units(tree: Tree, alone: Sequence[str], together: Sequence[str]) -> Iterator[tuple[str, Sequence[str]]]:
    """Yields compiled units by name: single sources (`alone`), and unity builds."""
    yield from ((source, [source]) for source in alone)
    batch = int(_BATCH.findall((tree.root / "cmake" / "kinds.cmake").read_text(encoding="utf-8"))[0])
    for number, first in enumerate(range(0, len(together), batch)):
        yield f"batch {number}", together[first : first + batch]


def _headers(text: str, name: str) -> list[str]:
    found = re.search(rf"set\({name} ([^)]*)\)", text)
    assert found is not None, f"core/cmake/CMakeLists.txt sets no {name}"
    return re.findall(r"<([^>]+)>", found[1])


def _sources(text: str) -> dict[str, list[str]]:
    return {
        name: files.split()
        for name, files in re.findall(r"^set\(SOURCES_(\w+)\n([^)]*)\)", text, re.MULTILINE)
    }


def _digest(tree: Tree, unit: Sequence[str], files: set[Path]) -> str:
    paths = sorted(file.resolve().relative_to(tree.root.resolve()).as_posix() for file in files)
    read = "\n".join(f"{path} {tree.digests[path]}" for path in paths)
    return hashlib.sha256(f"{' '.join(unit)}\n{read}".encode()).hexdigest()


def compiled_again(before: Tree, after: Tree) -> list[tuple[str, str]]:
    """Returns the objects of `after` that are new, or whose sources changed."""
    old = objects(before)
    return sorted(key for key, digest in objects(after).items() if old.get(key) != digest)
