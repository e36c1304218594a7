"""A library built with GCC's sanitizers from the generated tree, and a program that is run with it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TREE = ROOT / "generated" / "aten"
# What is too large to allocate is an error, as without the sanitizer; the interpreter leaks on purpose.
OPTIONS = {
    "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=1:allocator_may_return_null=1:max_allocation_size_mb=2048",
    "UBSAN_OPTIONS": "print_stacktrace=1:abort_on_error=1",
}


def run(sanitizers: str, jobs: int, command: list[str]) -> int:
    """Runs a Python program with the instrumented library in the place of the installed one."""
    build = ROOT / "build" / f"sanitized-{sanitizers.replace(',', '-')}"
    package = built(sanitizers, build, jobs)
    environment = {**os.environ, **OPTIONS, "PYTHONPATH": str(package), "PYTHONMALLOC": "malloc"}
    environment["LD_PRELOAD"] = " ".join(runtime(s) for s in sanitizers.split(","))
    return subprocess.run([sys.executable, *command], env=environment, check=False).returncode


def built(sanitizers: str, build: Path, jobs: int) -> Path:
    """The folder that holds the package."""
    folder = Path(sys.executable).parent
    cmake, ninja = (shutil.which(tool, path=str(folder)) or tool for tool in ("cmake", "ninja"))
    configure = [cmake, "-S", TREE, "-B", build, "-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={ninja}"]
    configure += [f"-DSANITIZE={sanitizers}", "-DBUILD_PYTHON=ON", f"-DPython3_EXECUTABLE={sys.executable}"]
    configure += ["-DCMAKE_INSTALL_LIBDIR=lib", "-DCMAKE_BUILD_TYPE=Release"]
    print(f"fuzz: building with -fsanitize={sanitizers} in {build.relative_to(ROOT)}", flush=True)
    for command in (
        configure,
        [cmake, "--build", build, "-j", str(jobs)],
        [cmake, "--install", build, "--prefix", build / "stage"],
    ):
        done = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(
                f"fuzz: {' '.join(map(str, command))} failed:\n{done.stdout[-4000:]}{done.stderr[-4000:]}"
            )
    return assembled(build)


def assembled(build: Path) -> Path:
    """Python files, module and library as a wheel has them."""
    package = build / "package" / "aten"
    shutil.rmtree(package, ignore_errors=True)
    shutil.copytree(TREE / "python" / "aten", package)
    shutil.copytree(build / "stage" / "python" / "aten", package, dirs_exist_ok=True)
    shutil.copytree(build / "stage" / "lib", package / "lib")
    return package.parent


def runtime(sanitizer: str) -> str:
    """The sanitizer's library, which has to be there before Python's own."""
    name = {"address": "libasan.so", "undefined": "libubsan.so", "thread": "libtsan.so"}[sanitizer]
    compiler = os.environ.get("CXX", "g++")
    found = subprocess.run([compiler, f"-print-file-name={name}"], capture_output=True, text=True, check=True)
    return found.stdout.strip()
