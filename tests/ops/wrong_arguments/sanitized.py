"""A library built with GCC's sanitizers from the generated tree, and a program that runs with it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests" / "tools"))

import package  # noqa: E402

TREE = ROOT / "generated" / "aten"
# Allocations that are too large raise errors, as without the sanitizer; the interpreter leaks on purpose.
OPTIONS = {
    "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=1:allocator_may_return_null=1:max_allocation_size_mb=2048:"
    "verify_asan_link_order=0:alloc_dealloc_mismatch=0",
    "UBSAN_OPTIONS": "print_stacktrace=1:abort_on_error=1",
}


def run(sanitizers: str, jobs: int, command: list[str]) -> int:
    """Runs a Python program with the instrumented library instead of the installed one."""
    build = ROOT / "build" / f"sanitized-{sanitizers.replace(',', '-')}"
    print(f"fuzz: building with -fsanitize={sanitizers} in {build.relative_to(ROOT)}", flush=True)
    options = [f"-DSANITIZE={sanitizers}", f"-DCPU_CAPABILITIES={capability()}"]
    folder = package.from_tree(TREE, build, options, jobs)
    environment = {**os.environ, **OPTIONS, "PYTHONPATH": str(folder), "PYTHONMALLOC": "malloc"}
    libraries = [throwing_new(build), *(runtime(s) for s in sanitizers.split(","))]
    environment["LD_PRELOAD"] = " ".join(libraries)
    return subprocess.run([sys.executable, *command], env=environment, check=False).returncode


def capability() -> str:
    """Returns the CPU capability of this machine: only its copy of the vectorised kernels is compiled."""
    flags = set(Path("/proc/cpuinfo").read_text().split())
    has = {"avx512": {"avx512f", "avx512bw", "avx512dq", "avx512vl"}, "avx2": {"avx2", "fma", "bmi2"}}
    wanted = os.environ.get("ATEN_CPU_CAPABILITY") or "avx512"
    below = list(has)[list(has).index(wanted) :] if wanted in has else []
    return next((name for name in below if has[name] <= flags), "default")


def throwing_new(build: Path) -> str:
    source, library = Path(__file__).with_name("throwing_new.cpp"), build / "throwing_new.so"
    package.run(compiler(), "-O1", "-fPIC", "-shared", source, "-o", library)
    return str(library)


def compiler() -> str:
    return os.environ.get("CXX", "g++")


def runtime(sanitizer: str) -> str:
    """Returns the sanitizer's library, which must be loaded before Python's libraries."""
    name = {"address": "libasan.so", "undefined": "libubsan.so", "thread": "libtsan.so"}[sanitizer]
    found = subprocess.run(
        [compiler(), f"-print-file-name={name}"], capture_output=True, text=True, check=True
    )
    return found.stdout.strip()
