"""Cost of calls from C++: cpp/bench.cpp with the installed package, and the same for libtorch."""

from __future__ import annotations

import dataclasses
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from .peers import package
from .table import Row

HERE = Path(__file__).resolve().parents[1] / "cpp"
NO_OP = "noop typed call, CPU only, void"
# case: budgets in ns and in instructions
CASES = {
    NO_OP: (2, 40),
    "noop via registered Autograd redispatch, grad not required": (None, None),
    "noop boxed call (stack of IValue)": (None, None),
    "tensor_copy (refcount pair)": (None, None),
    "at::empty [1]": (None, None),
    "at::add [1]": (30, 500),
    "at::add_out [1]": (None, None),
    "at::add_ [1]": (None, None),
    "at::mul [1]": (30, 500),
    "at::relu [1]": (30, 500),
    "a + 2.0 (scalar)": (None, None),
    "at::sum [1]": (None, None),
    "at::cat 2x[1]": (None, None),
    "at::mm 2x2": (None, None),
    "at::zeros [16]": (None, None),
    "view(16)": (None, 250),
    "select(0,1)": (None, 250),
    "slice(0,1,3)": (None, 250),
    "transpose(0,1)": (None, 250),
    "item<float>": (None, None),
}


def build(folder: Path) -> Path | None:
    """Builds the program with the installed package; None without CMake or a compiler."""
    installed = package("aten")
    cmake = shutil.which(
        "cmake", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    )
    if installed is None or cmake is None or shutil.which("c++") is None:
        return None
    configure = [cmake, "-S", str(HERE), "-B", str(folder), f"-DCMAKE_PREFIX_PATH={installed}"]
    for command in (configure, [cmake, "--build", str(folder)]):
        subprocess.run(command, check=True, capture_output=True)
    return folder / "bench"


def build_torch(harness: Path | None, folder: Path) -> Path | None:
    """Builds the harness's program with libtorch; None if either is missing or the build fails."""
    if harness is None or not (harness / "cpp" / "build.sh").is_file() or package("torch") is None:
        return None
    folder.mkdir(parents=True, exist_ok=True)
    command = ["sh", str(harness / "cpp" / "build.sh"), str(folder / "bench_torch")]
    environment = {**os.environ, "PYTHON": sys.executable}
    done = subprocess.run(command, env=environment, capture_output=True)
    return folder / "bench_torch" if done.returncode == 0 else None


def times(bench: Path | None) -> tuple[dict[str, float], dict[str, float]]:
    """Returns nanoseconds per call: median and minimum of 21 samples."""
    if bench is None:
        return {}, {}
    out = subprocess.run([bench], check=True, capture_output=True, text=True).stdout
    cases = json.loads(out).items()
    return {name: c["ns_median"] for name, c in cases}, {name: c["ns_min"] for name, c in cases}


def instructions(bench: Path | None, folder: Path) -> dict[str, float]:
    """Counts instructions per call by callgrind, under which the library doesn't see AVX-512."""
    if bench is None or shutil.which("valgrind") is None:
        return {}
    names = subprocess.run([bench, "list"], check=True, capture_output=True, text=True).stdout.splitlines()
    out = folder / f"{bench.name}.callgrind"
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", str(bench)]
    subprocess.run(command, check=True, capture_output=True, env={**os.environ, "CG_MODE": "1"})
    counts = {}
    for number, name in enumerate(names, 1):
        found = re.search(rb"^(?:totals|summary): (\d+)", Path(f"{out}.{number}").read_bytes(), re.MULTILINE)
        if found is not None and not name.startswith("chain"):
            counts[name] = int(found[1]) / 1000
    return counts


@dataclasses.dataclass(frozen=True, slots=True)
class Figures:
    """Nanoseconds (median and minimum) and instructions of each case: ours, PyTorch's."""

    ns: dict[str, float]
    torch_ns: dict[str, float]
    least_ns: dict[str, float]
    torch_least_ns: dict[str, float]
    instructions: dict[str, float]
    torch_instructions: dict[str, float]
    notes: list[str]


def measure(folder: Path, harness: Path | None, count: bool) -> Figures | None:
    """Measures times of all cases, and instructions if `count`; None if the program can't be built."""
    ours = build(folder / "ours")
    if ours is None:
        return None
    theirs = build_torch(harness, folder)
    notes = [] if theirs else ["PyTorch's C++ figures are left out: its benchmark isn't there."]
    counts = instructions(ours, folder) if count else {}
    if count and not counts:
        notes.append("Instructions are left out: valgrind isn't installed.")
    torch_counts = instructions(theirs, folder) if counts else {}
    (ns, least), (torch_ns, torch_least) = times(ours), times(theirs)
    return Figures(ns, torch_ns, least, torch_least, counts, torch_counts, notes)


def rows(figures: Figures) -> list[Row]:
    table = [
        Row(name, "ns", budget[0], figures.ns.get(name), figures.torch_ns.get(name))
        for name, budget in CASES.items()
    ]
    if figures.instructions:
        table += [
            Row(
                name,
                "instr.",
                budget[1],
                figures.instructions.get(name),
                figures.torch_instructions.get(name),
            )
            for name, budget in CASES.items()
        ]
    return table
