"""The library with one C++ file changed: only the objects that depend on the file are compiled, in a folder
beside the build, and linked with all others from `opgen build`. Neither that build nor its sources are
changed.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from .mutant import Mutant

ROOT = Path(__file__).resolve().parents[2]
# Folders whose files are compiled in place (core/cmake/in_place.cmake).
FOLDERS = ("core", "ops", "cpu", "cuda")
# A header that more objects depend on takes too long for one mutant.
MOST_OBJECTS = 6


class Unbuildable(Exception):
    """The compiler or linker rejects the mutant, or no object or too many depend on it."""


class Library:
    def __init__(self, generated: Path, build: Path, folder: Path) -> None:
        self.generated, self.build, self.folder = generated, build, folder
        self.copy = folder / "copy"
        files = json.loads((generated / "sources.json").read_text())["files"]
        self.paths: dict[str, list[str]] = {}
        for path, origin in files.items():
            self.paths.setdefault(origin, []).append(path)
        self.commands = {_output(c): c for c in self._ninja("commands", "libaten.so")}
        self.objects = self._objects_of_files()

    def _ninja(self, *tool: str) -> list[str]:
        ninja = shutil.which("ninja", path=str(Path(sys.executable).parent)) or "ninja"
        command = [ninja, "-C", str(self.build), "-t", *tool]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()

    def _objects_of_files(self) -> dict[str, list[str]]:
        """Returns, for each file of the repository, the objects that depend on it, also through a precompiled
        header.
        """
        found: dict[str, list[str]] = {}
        targets: list[str] = []
        for line in self._ninja("deps"):
            if not line.startswith(" "):
                targets = self._objects_with(line.partition(":")[0])
                continue
            path = os.path.relpath(os.path.realpath(self.build / line.strip()), ROOT)
            if path in self.paths:
                found.setdefault(path, []).extend(targets)
        return found

    def _objects_with(self, target: str) -> list[str]:
        if target.endswith(".gch"):
            folder = target.rpartition("/")[0] + "/"
            return [o for o in self.commands if o.endswith(".o") and o.startswith(folder)]
        return [target] if target in self.commands else []

    def objects_of(self, file: str) -> list[str]:
        """Returns the objects that depend on a file of the repository."""
        return sorted(set(self.objects.get(file, [])))

    def is_of(self, root: Path, file: str) -> bool:
        """Whether it was built from the current contents of the file."""
        now = (root / file).read_bytes() if (root / file).exists() else None
        return all((self.generated / path).read_bytes() == now for path in self.paths[file])

    def make(self, mutant: Mutant, source: bytes) -> Path:
        """Builds the mutant and returns the package's folder, to be put first in PYTHONPATH."""
        objects = self.objects_of(mutant.file)
        if not 0 < len(objects) <= MOST_OBJECTS:
            raise Unbuildable(f"{mutant.file} goes into {len(objects)} objects")
        if not all((self.build / name).exists() for name in self.commands):
            raise SystemExit(f"mutate: {self.build} is not complete; run `make build`")
        self._make_copy()
        (self.copy / mutant.file).write_bytes(mutant.applied(source))
        link = self.commands["libaten.so"]
        for number, name in enumerate(objects):
            changed = self.folder / f"{number}.o"
            self._run(self._compiled(self.commands[name], changed))
            link = re.sub(rf"(?<= ){re.escape(name)}(?= )", str(changed), link)
        library = self.folder / "lib" / "libaten.so"
        library.parent.mkdir(exist_ok=True)
        self._run(link.replace("-o libaten.so", f"-o {library}"))
        shutil.copy2(ROOT / mutant.file, self.copy / mutant.file)
        return self._package()

    def _make_copy(self) -> None:
        """Copies the hand-written folders, with the links by which their headers are included."""
        for name in FOLDERS:
            shutil.copytree(ROOT / name, self.copy / name, dirs_exist_ok=True)
        links = self.build / "include" / "ATen" / "native"
        for link in links.iterdir():
            to = self.copy / "include" / "ATen" / "native" / link.name
            to.parent.mkdir(parents=True, exist_ok=True)
            to.unlink(missing_ok=True)
            to.symlink_to(self.copy / os.path.relpath(link.resolve(), ROOT))

    def _in_copy(self, text: str) -> str:
        """Returns the text with the original folders replaced by the copy's."""
        text = text.replace(f"{self.build}/include", f"{self.copy}/include")
        return re.sub(rf"{re.escape(str(ROOT))}/({'|'.join(FOLDERS)})\b", rf"{self.copy}/\1", text)

    def _compiled(self, command: str, out: Path) -> str:
        """Returns the command with the copy's files, also in the list of a unity build, and without the
        precompiled header, which contains the unchanged files.
        """
        words = shlex.split(command)
        for flag in ("-o", "-MF", "-MT"):
            words[words.index(flag) + 1] = f"{out}.d" if flag == "-MF" else str(out)
        for flag in ("-c", "-include"):
            if flag in words:
                at = words.index(flag) + 1
                words[at] = str(self._own(Path(words[at]), out.with_name(f"{out.stem}{flag}.cpp")))
        return shlex.join(map(self._in_copy, words))

    def _own(self, source: Path, target: Path) -> Path:
        """Returns a copy of a source that CMake wrote, with the paths in it replaced by the copy's."""
        source = self.build / source
        if not source.is_relative_to(self.build):
            return source
        target.write_text(self._in_copy(source.read_text()))
        return target

    def _run(self, command: str) -> None:
        done = subprocess.run(
            ["nice", "-n", "19", "sh", "-c", command], cwd=self.build, capture_output=True, text=True
        )
        if done.returncode:
            raise Unbuildable(done.stderr[-2000:])

    def _package(self) -> Path:
        """Returns the folder from which `import aten` loads; LD_LIBRARY_PATH precedes the module's own path
        to its library.
        """
        package = self.folder / "package" / "aten"
        if not package.exists():
            shutil.copytree(self.generated / "python" / "aten", package)
            for module in (self.build / "python" / "aten").glob("_C.*so"):
                shutil.copy2(module, package)
        return package.parent

    def environment(self, package: Path) -> dict[str, str]:
        return {**os.environ, "PYTHONPATH": str(package), "LD_LIBRARY_PATH": str(self.folder / "lib")}


def _output(command: str) -> str:
    words = command.partition(" && ")[2].split() if command.startswith(":") else command.split()
    return words[words.index("-o") + 1] if "-o" in words else ""
