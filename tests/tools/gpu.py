"""The operator tests on a GPU: python3 tests/tools/gpu.py LIBRARY [--bench] [-- arguments of pytest]

LIBRARY is a wheel with CUDA (dist/*.whl), or a generated tree, which is built first. The tests are those of
the CPU, with operands on the GPU: the samples of tests/ops against NumPy, PyTorch's own samples and their
gradients against the PyTorch that is found, if one is. Needs pytest, NumPy, CMake and a compiler, no network.
Exits with 0 when all passed, with 77 where there is no GPU.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import package

TESTS_FOLDER = Path(__file__).resolve().parents[1]
TESTS = ("ops/test_samples.py", "ops/pytorch/test_opinfo.py", "autograd/test_gradients_opinfo.py")
NO_GPU = 77


def has_gpu() -> bool:
    """Whether the driver lists a device."""
    program = shutil.which("nvidia-smi")
    if program is None:
        return False
    return subprocess.run([program, "-L"], capture_output=True, check=False).returncode == 0


def folder_of(library: Path, build: Path, architectures: str) -> Path:
    """Returns the folder from which the package is imported."""
    if library.suffix == ".whl":
        return package.from_wheel(library, build / "package")
    nvcc = os.environ.get("CUDACXX") or shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    options = ["-DBUILD_CUDA=ON", f"-DCMAKE_CUDA_COMPILER={nvcc}"]
    options.append(f"-DCMAKE_CUDA_ARCHITECTURES={architectures}")
    return package.from_tree(library, build / "library", options, os.cpu_count() or 1)


def cpp_tests(folder: Path, build: Path) -> int:
    """Builds and runs the C++ program, linked to the library like a user's."""
    package.run(
        "cmake", "-S", TESTS_FOLDER / "gpu", "-B", build / "tests", f"-DCMAKE_PREFIX_PATH={folder / 'aten'}"
    )
    package.run("cmake", "--build", build / "tests", "-j", "2")
    return subprocess.run([build / "tests" / "test_gpu"], check=False).returncode


def python_tests(folder: Path, rest: list[str]) -> int:
    """Runs the samples, in several processes where there is pytest-xdist; not many, as they share the GPU."""
    environment = {**os.environ, "PYTHONPATH": str(folder), "OMP_NUM_THREADS": "1"}
    environment["ATEN_TEST_DEVICE"] = "cuda"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    if importlib.util.find_spec("xdist"):
        command += ["-n", str(max(1, (os.cpu_count() or 1) // 4)), "--dist", "worksteal"]
    command += [str(TESTS_FOLDER / test) for test in TESTS]
    return subprocess.run([*command, *rest], cwd=TESTS_FOLDER.parent, env=environment, check=False).returncode


def bench(folder: Path) -> int:
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    program = TESTS_FOLDER.parent / "benchmarks" / "gpu.py"
    return subprocess.run([sys.executable, program], env=environment, check=False).returncode


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("library", type=Path, metavar="LIBRARY")
    parser.add_argument("--bench", action="store_true", help="print the benchmark table instead of testing")
    parser.add_argument("--build", type=Path, default=Path("build/gpu"))
    parser.add_argument("--architectures", default="", help="of a tree's kernels; default: the GPU's own")
    parser.add_argument("rest", nargs="*", help="passed on to pytest, as in -- -k softmax")
    given = parser.parse_args()
    if not has_gpu():
        print("gpu: no GPU is available here (nvidia-smi lists none): nothing was run")
        return NO_GPU
    build = given.build.resolve()
    folder = folder_of(given.library.resolve(), build, given.architectures or "native")
    if given.bench:
        return bench(folder)
    failed = [cpp_tests(folder, build), python_tests(folder, given.rest)]
    return 1 if any(failed) else 0


if __name__ == "__main__":
    sys.exit(main())
