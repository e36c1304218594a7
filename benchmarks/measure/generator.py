"""Speed of the generator in cold processes, on our schemas and on PyTorch's file, compared with torchgen."""

from __future__ import annotations

import compileall
import dataclasses
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from .peers import package
from .table import Row, show

TORCHGEN_PARSE = """
import sys
from torchgen.gen import parse_native_yaml
parse_native_yaml(*sys.argv[1:])
"""
TORCHGEN_PYTHON = """
import sys
from torchgen.packaged.autograd.gen_autograd import gen_autograd_python
gen_autograd_python(*sys.argv[1:])
"""


def cpu_seconds(command: list[str], cwd: Path) -> float | None:
    """Returns user and system time of the command and its children; None if it fails."""
    child = subprocess.Popen(command, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime if child.returncode == 0 else None


def least(command: list[str], cwd: Path, repeats: int = 3) -> float | None:
    """Returns the time of the fastest of several runs; the first of them warms the file cache."""
    return _least_of([cpu_seconds(command, cwd) for _ in range(repeats)])


def rows(root: Path) -> tuple[list[Row], list[str]]:
    """Measures CPU seconds of validate, dump and generate."""
    opgen = [sys.executable, "-m", "opgen"]
    if (installed := package("opgen")) is not None:
        compileall.compile_dir(installed, quiet=1)  # pip does this for a package, but not for a checkout
    packaged = package("torchgen")
    yaml = packaged / "packaged" / "ATen" / "native" / "native_functions.yaml" if packaged else None
    if yaml is None or not yaml.is_file():
        table, notes = [], ["The rows on PyTorch's file are left out: torchgen isn't installed."]
    else:
        table, notes = _on_pytorch(opgen, yaml, root)
    with tempfile.TemporaryDirectory() as folder:
        out = str(Path(folder, "aten"))
        generate = [*opgen, "generate", "schemas", "--out", out]
        table += [
            Row("validate our schemas", "s CPU", None, least([*opgen, "validate", "schemas"], root)),
            Row("generate our schemas", "s CPU", None, cpu_seconds(generate, root)),
            Row("generate ours again, nothing changed", "s CPU", 0.3, least(generate, root)),
        ]
    return table, notes


def _on_pytorch(opgen: list[str], yaml: Path, root: Path) -> tuple[list[Row], list[str]]:
    """Measures PyTorch's native_functions.yaml, expanded to 3,101 functions. torchgen writes to a separate
    folder.
    """
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "ours")
        stub = [
            *opgen,
            "generate",
            str(yaml),
            "--name",
            "whole",
            "--missing-kernels",
            "stub",
            "--out",
            str(out),
        ]
        fresh = [_from_nothing(stub, out, root) for _ in range(3)]
        before = _times(out)
        again = least(stub, root)
        touched = sum(before.get(file) != time for file, time in _times(out).items())
        theirs = _torchgen(yaml, Path(folder))
        table = [
            Row(
                "validate PyTorch's file",
                "s CPU",
                0.5,
                least([*opgen, "validate", str(yaml)], root),
                theirs.parse,
            ),
            Row("dump PyTorch's file", "s CPU", None, least([*opgen, "dump", str(yaml)], root)),
            Row("generate all of PyTorch's file", "s CPU", 2, _least_of(fresh), theirs.fresh),
            Row("generate again, nothing changed", "s CPU", 0.3, again, theirs.again),
        ]
    aten, python, autograd = map(show, (theirs.aten, theirs.python, theirs.autograd))
    notes = [
        f"PyTorch's column is torchgen: {aten} s for ATen and {python} s for the Python bindings; its"
        f" autograd code, which is not in the sum, takes {autograd} s.",
        f"Ours wrote {len(before):,} files, and touched {touched} of them when nothing had changed.",
    ]
    return table, notes


@dataclasses.dataclass(frozen=True, slots=True)
class Torchgen:
    """CPU seconds of torchgen's steps; `again` runs ATen and the bindings again over their output."""

    parse: float | None
    aten: float | None
    python: float | None
    autograd: float | None
    again: float | None

    @property
    def fresh(self) -> float | None:
        return None if None in (self.aten, self.python) else self.aten + self.python


def _torchgen(yaml: Path, folder: Path) -> Torchgen:
    packaged, tags = yaml.parents[2], str(yaml.with_name("tags.yaml"))
    out = folder / "torch"
    for name in ("ATen", "aoti", "autograd"):
        (out / name).mkdir(parents=True)
    aten = [
        sys.executable,
        "-m",
        "torchgen.gen",
        "--source-path",
        str(packaged / "ATen"),
        "--per-operator-headers",
    ]
    aten += ["--install_dir", str(out / "ATen"), "--aoti-install-dir", str(out / "aoti")]
    given = [str(yaml), tags, str(out / "autograd"), str(packaged / "autograd")]
    autograd = [sys.executable, "-m", "torchgen.packaged.autograd.gen_autograd", *given]
    python = [sys.executable, "-c", TORCHGEN_PYTHON, *given]
    steps = [cpu_seconds(command, folder) for command in (aten, python, autograd, aten, python)]
    again = None if None in steps[3:] else sum(s for s in steps[3:] if s is not None)
    parse = least([sys.executable, "-c", TORCHGEN_PARSE, str(yaml), tags], folder)
    return Torchgen(parse, steps[0], steps[1], steps[2], again)


def _from_nothing(command: list[str], out: Path, root: Path) -> float | None:
    shutil.rmtree(out, ignore_errors=True)
    return cpu_seconds(command, root)


def _least_of(figures: list[float | None]) -> float | None:
    return None if None in figures else min(f for f in figures if f is not None)


def _times(folder: Path) -> dict[Path, int]:
    return {file: file.stat().st_mtime_ns for file in folder.rglob("*") if file.is_file()}


def clean_build(root: Path, jobs: int) -> tuple[list[Row], list[str]]:
    """Measures wall-clock minutes of a clean build of the generated tree with bindings."""
    import time

    tree = root / "generated" / "aten"
    tools = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    cmake, ninja = (shutil.which(tool, path=tools) for tool in ("cmake", "ninja"))
    if cmake is None or ninja is None or not tree.is_dir():
        return [], ["The clean build is left out: it needs CMake, Ninja and generated/aten (`make build`)."]
    with tempfile.TemporaryDirectory() as folder:
        configure = [cmake, "-S", str(tree), "-B", folder, "-G", "Ninja", "-DBUILD_PYTHON=ON"]
        configure += [f"-DCMAKE_MAKE_PROGRAM={ninja}", f"-DPython3_EXECUTABLE={sys.executable}"]
        start = time.monotonic()
        usage = [cpu_seconds(command, root) for command in (configure, [ninja, "-C", folder, f"-j{jobs}"])]
        wall = time.monotonic() - start
    if None in usage:
        return [], ["The clean build failed."]
    cpu = sum(u for u in usage if u is not None)
    return [
        Row(f"clean build, {jobs} jobs", "min", 4, wall / 60),
        Row("clean build, CPU time", "min", None, cpu / 60),
    ], []
