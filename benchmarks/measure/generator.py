"""The generator's own speed, in cold processes: on our schemas and on PyTorch's file, against torchgen."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from .peers import package
from .table import Row

TORCHGEN_PARSE = """
import sys
from torchgen.gen import parse_native_yaml
parse_native_yaml(*sys.argv[1:])
"""


def cpu_seconds(command: list[str], cwd: Path) -> float | None:
    """User and system time of the command and its children; None when it fails."""
    child = subprocess.Popen(command, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime if child.returncode == 0 else None


def least(command: list[str], cwd: Path, repeats: int = 3) -> float | None:
    """The fastest of several runs; the first of them warms the file cache."""
    taken = [cpu_seconds(command, cwd) for _ in range(repeats)]
    return None if None in taken else min(t for t in taken if t is not None)


def rows(root: Path) -> tuple[list[Row], list[str]]:
    """CPU seconds of validate, dump and generate."""
    opgen = [sys.executable, "-m", "opgen"]
    packaged = package("torchgen")
    yaml = packaged / "packaged" / "ATen" / "native" / "native_functions.yaml" if packaged else None
    if yaml is None or not yaml.is_file():
        table, notes = [], ["The rows on PyTorch's file are left out: torchgen isn't installed."]
    else:
        table, notes = _on_pytorch(opgen, yaml, root), []
    with tempfile.TemporaryDirectory() as folder:
        out = str(Path(folder, "aten"))
        generate = [*opgen, "generate", "schemas", "--out", out]
        table += [
            Row("validate our schemas", "s CPU", None, least([*opgen, "validate", "schemas"], root)),
            Row("generate our schemas", "s CPU", None, cpu_seconds(generate, root)),
            Row("generate again, nothing changed", "s CPU", 0.3, least(generate, root)),
        ]
    return table, notes


def _on_pytorch(opgen: list[str], yaml: Path, root: Path) -> list[Row]:
    """PyTorch's native_functions.yaml, expanded to 3,101 functions."""
    parse = [sys.executable, "-c", TORCHGEN_PARSE, str(yaml), str(yaml.with_name("tags.yaml"))]
    source = yaml.parents[1]
    with tempfile.TemporaryDirectory() as folder:
        stub = [
            *opgen,
            "generate",
            str(yaml),
            "--name",
            "all",
            "--missing-kernels",
            "stub",
            "--out",
            f"{folder}/ours",
        ]
        torchgen = [sys.executable, "-m", "torchgen.gen", "--source-path", str(source)]
        torchgen += ["--install_dir", f"{folder}/torch", "--per-operator-headers"]
        Path(folder, "torch").mkdir()
        return [
            Row(
                "validate PyTorch's file",
                "s CPU",
                0.5,
                least([*opgen, "validate", str(yaml)], root),
                least(parse, root),
            ),
            Row("dump PyTorch's file", "s CPU", None, least([*opgen, "dump", str(yaml)], root)),
            Row(
                "generate all of PyTorch's", "s CPU", 2, cpu_seconds(stub, root), cpu_seconds(torchgen, root)
            ),
            Row("generate again, nothing changed", "s CPU", 0.3, least(stub, root)),
        ]


def clean_build(root: Path, jobs: int) -> tuple[list[Row], list[str]]:
    """Wall-clock minutes to compile the generated tree with bindings from nothing."""
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
