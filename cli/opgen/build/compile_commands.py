"""compile_commands.json for editors: one entry per source, with the path under which it is edited.

CMake's own names unity sources, copies of hand-written files, and flags that only GCC and nvcc know. Clang's
tools read this one: what nvcc compiles has Clang's flags for CUDA in it.
"""

from __future__ import annotations

import dataclasses
import json
import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

NAME = "compile_commands.json"
_UNITY = re.compile(r"/Unity/unity_\d+_cxx\.cxx\Z")
_INCLUDED = re.compile(r'^#include "(?P<path>[^"]+)"', re.MULTILINE)
_WITH_VALUE = ("-I", "-isystem", "-D", "-U")
# The flags that matter to an editor; the others are for optimisation or another compiler.
_KEPT = ("-I", "-D", "-U", "-std=", "-m", "-fPIC", "-W")
_DROPPED = ("-Winvalid-pch", "-Wl,", "-Xcompiler")
# Only the host's half is read, which holds the device's functions too: no library of device code is needed,
# and no newer toolkit than Clang knows is a fault.
_CUDA = ("-x", "cuda", "--cuda-host-only", "-nocudalib", "--no-cuda-version-check")
_TOOLKIT = re.compile(r'CMAKE_CUDA_COMPILER_TOOLKIT_ROOT "(?P<path>[^"]+)"')
# Clang includes cuRAND in every CUDA file, and stops reading the file where it is not installed.
_CURAND = "curand_mtgp32_kernel.h"


@dataclasses.dataclass(frozen=True, slots=True)
class Entry:
    """A source and its compiler arguments, without the file itself and its object."""

    directory: str
    file: str
    arguments: tuple[str, ...]

    def written(self) -> dict[str, object]:
        return {
            "directory": self.directory,
            "file": self.file,
            "arguments": [*self.arguments, "-c", self.file],
        }


def write(build: Path, folder: Path, edited: Mapping[str, str]) -> Path | None:
    """Writes compile_commands.json to `folder`, from CMake's in `build`. Returns None where the file is
    another tool's, CMake wrote none, or the folder can't be written to.

    `edited` maps a copy to the hand-written file.
    """
    target = folder / NAME
    if not (build / NAME).is_file() or not _is_ours(target, build):
        return None
    # A kernel that is compiled several times gets its last entry.
    by_file = {entry.file: entry for entry in entries(build, edited)}
    text = json.dumps([by_file[f].written() for f in sorted(by_file)], indent=1) + "\n"
    try:
        if not target.is_file() or target.read_text(encoding="utf-8") != text:
            target.write_text(text, encoding="utf-8")
    except OSError:  # an unwritable folder must not fail the build
        return None
    return target


def entries(build: Path, edited: Mapping[str, str]) -> Iterator[Entry]:
    cuda, like_cuda = _cuda(build), None
    for given in json.loads((build / NAME).read_bytes()):
        compiler, *arguments = shlex.split(given["command"])
        for file in _sources(given["file"]):
            if Path(file).is_relative_to(build):  # one of CMake's own files, as for precompiled headers
                continue
            kept = (compiler, *_kept(arguments))
            if file.endswith(".cu"):
                like_cuda = kept = ("clang++", *cuda, *kept[1:])
            yield Entry(given["directory"], edited.get(file, file), kept)
    if like_cuda is not None:  # for a header without an entry, Clang's tools take some C++ file's flags
        for header in (path for path in edited.values() if path.endswith(".cuh")):
            yield Entry(str(build), header, like_cuda)


def _cuda(build: Path) -> tuple[str, ...]:
    """Returns Clang's flags for CUDA, with the toolkit that CMake found, if it did."""
    found = sorted(build.glob("CMakeFiles/*/CMakeCUDACompiler.cmake"))
    match = _TOOLKIT.search(found[-1].read_text(encoding="utf-8")) if found else None
    if match is None:
        return _CUDA
    toolkit = Path(match["path"])
    flags = (*_CUDA, f"--cuda-path={toolkit}")
    if (toolkit / "include" / _CURAND).is_file():
        return flags
    instead = build / "clang" / _CURAND
    instead.parent.mkdir(exist_ok=True)
    instead.write_text("// In place of cuRAND's, which is not installed.\n", encoding="utf-8")
    return (*flags, "-isystem", str(instead.parent))


def _sources(file: str) -> list[str]:
    """Returns the sources compiled as `file`: those that it includes, if it is a unity source of CMake."""
    if not _UNITY.search(file):
        return [file]
    return [match["path"] for match in _INCLUDED.finditer(Path(file).read_text(encoding="utf-8"))]


def _kept(arguments: list[str]) -> Iterator[str]:
    rest = iter(arguments)
    for argument in rest:
        if argument in _WITH_VALUE:
            yield from (argument, next(rest))
        elif argument.startswith(_KEPT) and not argument.startswith(_DROPPED):
            yield argument


def _is_ours(target: Path, build: Path) -> bool:
    """Whether it may be overwritten: it doesn't exist, or an earlier build of the same folder wrote it."""
    if not target.exists():
        return not target.is_symlink()
    try:
        found = json.loads(target.read_bytes())
        return all(Path(entry["directory"]).resolve() == build.resolve() for entry in found)
    except (OSError, ValueError, TypeError, KeyError):
        return False
