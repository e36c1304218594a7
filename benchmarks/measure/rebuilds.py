"""Seconds to compile the objects that depend on a change of the sources: those of the library and its Python
module for this machine's CPU, and CUDA's.
"""

from __future__ import annotations

import dataclasses
import os
import resource
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from opgen.build import machine
from opgen.build.run import BuildOptions, configure
from opgen.build.toolchain import Toolchain

from measure.objects import Tree, objects


@dataclasses.dataclass(frozen=True)
class Seconds:
    """`cpu` is the sum of all programs that ran; other work on the machine affects it less than `wall`."""

    wall: float
    cpu: float

    def __str__(self) -> str:
        return f"{self.wall:.1f} ({self.cpu:.1f})"


def timed(command: Sequence[str], folder: Path, environment: Mapping[str, str] | None = None) -> Seconds:
    before, start = _children(), time.perf_counter()
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{done.stdout}{done.stderr}\n{' '.join(command)} failed: see above")
    return Seconds(time.perf_counter() - start, _children() - before)


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def opgen(sources: Path, command: str, *options: str) -> Seconds:
    """Runs the command with the opgen of `sources`, and returns its time."""
    environment = {**os.environ, "PYTHONPATH": str(sources / "cli")}
    return timed([sys.executable, "-m", "opgen", command, *options], sources, environment)


class Rebuilds:
    """A tree of `sources` in `folder`, configured as `opgen build` does it for this machine, with CUDA if
    nvcc is installed; only the precompiled headers of its objects are compiled.
    """

    def __init__(self, sources: Path, folder: Path, jobs: int):
        self._sources, self._folder, self._jobs = sources, folder, jobs
        self._build = folder / "build"
        self._moment = 0
        self._before = self._generated()
        self._tools = Toolchain.find("auto")
        options = BuildOptions(cpu_capabilities=machine.cpu_capability())
        configure(folder / "tree", self._build, self._tools, options)
        self._compile([target for target in self._targets() if target.endswith(".gch")])

    def after_change(self) -> dict[str, Seconds | None]:
        """Returns the seconds of the library's objects and of CUDA's; None without nvcc."""
        before, self._before = self._before, self._generated()
        self._ninja("build.ninja")
        again = [key for key, digest in self._before.items() if before.get(key) != digest]
        suffixes = {key: suffix(*key) for key in again if key[1] != "precompiled header"}
        targets = self._targets()
        found: dict[str, Seconds | None] = {}
        for library, of_cuda in (("library", False), ("CUDA", True)):
            wanted = [s for (kind, _), s in suffixes.items() if (kind == "cuda") == of_cuda]
            mine = [target for target in targets if target.endswith(tuple(wanted))]
            is_built = not of_cuda or self._tools.nvcc
            assert not is_built or len(mine) == len(wanted), f"expected {wanted}, got {mine}"
            found[library] = self._compile(mine) if is_built else None
        return found

    def _generated(self) -> dict[tuple[str, str], str]:
        """Generates the tree from the current sources; returns the digests of its objects."""
        self._moment += 1
        tree = self._folder / "tree"
        opgen(self._sources, "generate", "schemas", "--out", str(tree), "--backend", "cuda")
        return objects(Tree(tree, moment=self._moment))

    def _targets(self) -> list[str]:
        asked = [self._tools.ninja, "-C", str(self._build), "-t", "targets", "all"]
        listed = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
        return [line.partition(":")[0] for line in listed.splitlines()]

    def _compile(self, targets: Sequence[str]) -> Seconds:
        return self._ninja(*targets) if targets else Seconds(0, 0)

    def _ninja(self, *targets: str) -> Seconds:
        command = [self._tools.ninja, "-C", str(self._build), "-j", str(self._jobs), *targets]
        return timed(command, self._folder)


def suffix(kind: str, name: str) -> str:
    """Returns the end of an object's target, by its name in measure.objects."""
    if name.startswith("batch "):
        return f"/{kind}.dir/Unity/unity_{name.removeprefix('batch ')}_cxx.cxx.o"
    return f"/{name.removeprefix('python/')}.o"
