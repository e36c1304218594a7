"""Footprint of the library: import time, memory, size, and compile time of its headers."""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from .peers import package
from .table import Row

MIB = 2**20
# VmHWM rather than getrusage, whose maximum includes the process that forked this one.
PROBE = """
import time
start = time.process_time()
{code}
taken = (time.process_time() - start) * 1e3
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(taken, int(peak.split()[1]) / 1024)
"""


def _import(module: str, repeats: int = 9) -> tuple[float, float] | None:
    """Returns the median CPU milliseconds of the import in a new process, and its peak memory in MiB."""
    if package(module) is None:
        return None
    times, memory = [], []
    for _ in range(repeats):
        done = subprocess.run(
            [sys.executable, "-c", PROBE.format(code=f"import {module}")],
            capture_output=True,
            text=True,
            check=True,
        )
        milliseconds, mib = map(float, done.stdout.split())
        times.append(milliseconds)
        memory.append(mib)
    return statistics.median(times), statistics.median(memory)


def _size(folder: Path | None) -> float | None:
    """Returns the MiB of the files below a folder."""
    if folder is None:
        return None
    return (
        sum(f.stat().st_size for f in folder.rglob("*") if f.is_file() and "__pycache__" not in f.parts) / MIB
    )


def imports_and_sizes(root: Path) -> tuple[list[Row], list[str]]:
    """Measures import, memory, wheel and unpacked package."""
    ours, torch, numpy = (_import(module) for module in ("aten", "torch", "numpy"))
    assert ours is not None, "aten isn't installed"

    def part(figures: tuple[float, float] | None, i: int) -> float | None:
        return figures[i] if figures else None

    rows = [
        Row("import", "ms CPU", 40, ours[0], part(torch, 0), part(numpy, 0)),
        Row("memory after import", "MiB RSS", 30, ours[1], part(torch, 1), part(numpy, 1)),
    ]
    wheels = sorted((root / "dist").glob("aten-*.whl"), key=lambda file: file.stat().st_mtime)
    notes = []
    if wheels:
        rows.append(Row("wheel", "MiB", 25, wheels[-1].stat().st_size / MIB))
    else:
        notes.append("The wheel's size is left out: `dist/` holds none.")
    sizes = (_size(package(module)) for module in ("aten", "torch", "numpy"))
    rows.append(Row("installed package", "MiB", None, *sizes))
    return rows, notes


def _compile(folders: list[Path], header: str, repeats: int = 3) -> float | None:
    """Returns the minimum CPU seconds to compile a file that only includes the header."""
    compiler = shutil.which(os.environ.get("CXX", "g++"))
    if compiler is None or not all(folder.is_dir() for folder in folders):
        return None
    with tempfile.TemporaryDirectory() as place:
        source = Path(place, "header.cpp")
        source.write_text(f"#include <{header}>\nint main() {{}}\n")
        includes = [f"-I{folder}" for folder in folders]
        command = [compiler, "-std=c++20", "-O2", "-c", str(source), "-o", f"{place}/header.o", *includes]
        taken = []
        for _ in range(repeats):
            child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            if child.returncode != 0:
                return None
            taken.append(usage.ru_utime + usage.ru_stime)
    return min(taken)


def headers() -> list[Row]:
    """Measures compile times of the umbrella header, one operator's header and torch/library.h."""
    ours = package("aten")
    torch = package("torch")
    budgets = {"ATen/ATen.h": 0.7, "ATen/ops/add.h": 0.4, "torch/library.h": None}
    rows = []
    for header, budget in budgets.items():
        mine = _compile([ours / "include" / "aten"], header) if ours else None
        theirs = (
            _compile([torch / "include", torch / "include/torch/csrc/api/include"], header) if torch else None
        )
        rows.append(Row(f"#include <{header}>", "s CPU", budget, mine, theirs))
    return rows
