"""The operator tests on a GPU: builds a tree with CMake alone, runs tests/gpu against it. Needs no network.

python3 tests/gpu.py TREE [--bench]: exits with 0 when all passed, 77 where there is no GPU, 1 otherwise.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
NO_GPU = 77


def step(*command: str | Path) -> None:
    """Runs a command; ends with its output's end when it fails."""
    print("gpu:", *command, flush=True)
    done = subprocess.run([str(c) for c in command], check=False)
    if done.returncode:
        sys.exit(f"gpu: {command[0]} failed with {done.returncode}")


def build_library(tree: Path, build: Path, architectures: str) -> Path:
    """Compiles the tree with CUDA; where it is installed."""
    options = ["-DBUILD_CUDA=ON", "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_INSTALL_LIBDIR=lib"]
    options.append(f"-DCMAKE_CUDA_ARCHITECTURES={architectures}")
    nvcc = os.environ.get("CUDACXX") or shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    step("cmake", "-S", tree, "-B", build / "library", f"-DCMAKE_CUDA_COMPILER={nvcc}", *options)
    step("cmake", "--build", build / "library", "-j", str(os.cpu_count() or 1))
    step("cmake", "--install", build / "library", "--prefix", build / "stage")
    return build / "stage"


def build_tests(stage: Path, build: Path) -> Path:
    """Compiles tests/gpu against the installed library; the folder of its programs."""
    step("cmake", "-S", HERE / "gpu", "-B", build / "tests", f"-DCMAKE_PREFIX_PATH={stage}")
    step("cmake", "--build", build / "tests", "-j", "2")
    return build / "tests"


def has_gpu() -> bool:
    """Whether the driver lists a device."""
    program = shutil.which("nvidia-smi")
    if program is None:
        return False
    return subprocess.run([program, "-L"], capture_output=True, check=False).returncode == 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tree", type=Path)
    parser.add_argument("--bench", action="store_true", help="print bandwidths instead of testing")
    parser.add_argument("--build", type=Path, default=Path("build/gpu"))
    parser.add_argument("--architectures", default="", help="default: the GPU's own")
    given = parser.parse_args()
    build = given.build.resolve()
    architectures = given.architectures or ("native" if has_gpu() else "75")
    stage = build_library(given.tree.resolve(), build, architectures)
    program = build_tests(stage, build) / ("bench_gpu" if given.bench else "test_gpu")
    return subprocess.run([program], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
