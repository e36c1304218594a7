"""What clang-tidy parses: each compilation of `make build` that has sources of ours in it, and those of
cuda/, with the emulator's headers in place of CUDA's.
"""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path

from tools.cuda_emulator import translate

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build/aten"
TREE = ROOT / "generated/aten"  # has copies of what is not compiled where it stands
OUT = ROOT / "build/tidy"
FOLDERS = ("core", "ops", "cpu", "cuda", "python/bindings")
EMULATOR = ROOT / "tools/cuda_emulator"
# Where translated .cuh files have the names by which they are included.
TRANSLATED = OUT / "ATen/native/cuda"
# Of g++'s options, those that say what the text means; clang doesn't know all of the others.
_MEANING = re.compile(r"-[DUI].+|-std=.+|-m.+")
_INCLUDED = re.compile(r'^#include "([^"]+)"', re.MULTILINE)


@dataclass(frozen=True)
class Unit:
    """A file that is compiled alone, or several that are compiled together (a unity build)."""

    file: Path
    options: tuple[str, ...]

    @cached_property
    def sources(self) -> list[str]:
        """Returns the files of the repository, without headers."""
        if "Unity" not in self.file.parts:
            return [place(str(self.file))]
        return [place(name) for name in _INCLUDED.findall(self.file.read_text(encoding="utf-8"))]


def place(path: str) -> str:
    """Returns the file of the repository that is meant, by its path there; of others the path as it is."""
    for folder in (TRANSLATED, OUT):
        if path.startswith(f"{folder}/"):
            return "cuda/" + path[len(str(folder)) + 1 :].removesuffix(".cpp")
    if path.startswith(f"{TREE}/"):
        return copied().get(path[len(str(TREE)) + 1 :], path)
    try:
        return Path(path).resolve().relative_to(ROOT).as_posix()
    except ValueError:
        return path


@cache
def copied() -> dict[str, str]:
    """Returns the file of the repository that each copy in the tree is of."""
    return json.loads((TREE / "sources.json").read_text(encoding="utf-8"))["files"]


def units() -> list[Unit]:
    entries = json.loads((BUILD / "compile_commands.json").read_text(encoding="utf-8"))
    built = [Unit(Path(entry["file"]), options_of(entry["command"])) for entry in entries]
    found = [unit for unit in built if any(source.startswith(FOLDERS) for source in unit.sources)]
    core = next(unit for unit in found if unit.sources[0].startswith("core/"))
    return sorted([*found, *cuda_units(core.options)], key=lambda unit: unit.sources)


def options_of(command: str) -> tuple[str, ...]:
    words = shlex.split(command)
    folders = [f"-isystem{folder}" for word, folder in pairwise(words) if word == "-isystem"]
    return (*(word for word in words if _MEANING.fullmatch(word)), *folders)


def cuda_units(options: tuple[str, ...]) -> list[Unit]:
    """Returns those of cuda/, as the emulator's build has them: launches and shared memory are rewritten, in
    lines of the same numbers.
    """
    folder = ROOT / "cuda"
    for header in sorted(folder.rglob("*.cuh")):
        translate.write_if_changed(translated(header), TRANSLATED / header.relative_to(folder))
    host = (f"-I{OUT}", *options, f"-I{EMULATOR / 'include'}", f"-I{BUILD / 'include'}")
    device = (*host, "-include", str(EMULATOR / "prologue.h"), "-Wno-unknown-pragmas")
    found = [Unit(source, host) for source in sorted(folder.rglob("*.cpp"))]
    for source in sorted(folder.rglob("*.cu")):
        file = OUT / f"{source.relative_to(folder)}.cpp"
        translate.write_if_changed(translated(source), file)
        found.append(Unit(file, device))
    return found


def translated(file: Path) -> str:
    return translate.translated(file.read_text(encoding="utf-8"))
