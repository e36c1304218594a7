"""The C++ tests with GCC's sanitizers, in a library of a few operators that takes a minute to build.

`python tests/tools/sanitizers.py` runs those about threads (the pool, autograd, the registry, the allocator)
with ThreadSanitizer, and all with AddressSanitizer and UndefinedBehaviorSanitizer; `make sanitize` then runs
the operators' fuzzer, in a whole library. Builds are kept in build/sanitizers.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from fcntl import LOCK_EX, flock
from pathlib import Path

from compilers import CACHE, host_compiler, unoptimised

ROOT = Path(__file__).resolve().parents[2]
CPP = ROOT / "tests" / "cpp"
BUILD = ROOT / "build" / "sanitizers"
# Operators that the C++ tests call; those that formulas and the runtime call are added automatically.
OPERATORS = (
    "add,sub,mul,div,neg,pow,sqrt,exp,sin,cos,sigmoid,sum,cumsum,var,mm,rand,full,item,ones,equal,gt,select,"
    "index_put_,cat,detach,view,split,unbind,bitwise_not"
)
# These need most operators, measure time, or only compare values of functions.
LEFT_OUT = ("test_errors", "test_privateuse1", "test_gemm_rate", "test_math", "test_vectors")
ALL = tuple(f.stem for f in sorted(CPP.glob("test_*.cpp")) if f.stem not in LEFT_OUT)
WITH_THREADS = ("allocator", "autograd", "dispatch_threads", "generator", "parallel", "threads")
PROGRAMS = {"thread": tuple(f"test_{name}" for name in WITH_THREADS), "address,undefined": ALL}
OPTIONS = {
    "TSAN_OPTIONS": "die_after_fork=0:halt_on_error=0",
    "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb=4096",
    "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
}
SECONDS = 600


def library(sanitizer: str, jobs: int) -> Path:
    """Returns the installed library; a second process waits."""
    folder = BUILD / sanitizer.replace(",", "-")
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / ".lock", "w") as lock:
        flock(lock, LOCK_EX)
        tool = Path(sys.executable).with_name
        tree, build, stage = folder / "tree", folder / "build", folder / "stage"
        run(tool("opgen"), "generate", ROOT / "schemas", "--ops", OPERATORS, "--out", tree)
        options = ["-DBUILD_PYTHON=OFF", "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_INSTALL_LIBDIR=lib"]
        options += [f"-DSANITIZE={sanitizer}", "-DCPU_CAPABILITIES=default", "-G", "Ninja"]
        options.append("-DUNITY_SOURCES=24")  # parsing headers is most of the work
        options.append(f"-DCMAKE_MAKE_PROGRAM={tool('ninja')}")
        # What sanitizers see doesn't depend on optimisation; without it, compiling takes half the time.
        options.append(f"-DCMAKE_CXX_COMPILER={unoptimised(folder)}")
        run(tool("cmake"), "-S", tree, "-B", build, *options)
        run(tool("cmake"), "--build", build, "-j", jobs)
        run(tool("cmake"), "--install", build, "--prefix", stage)
    return stage


def compiled(source: Path, stage: Path, sanitizer: str) -> Path:
    """Compiles the program; another process may do so at the same time. Paths begin at the library's folder,
    so that clones share a compile cache, which has no programs that are compiled and linked at once.
    """
    folder = stage.parent
    program = folder / source.stem
    made, compiler = f"{source.stem}.{os.getpid()}", host_compiler()
    flags = ["-std=c++20", "-O0", "-g1", f"-fsanitize={sanitizer}", "-pthread"]
    include = f"-I{stage.relative_to(folder)}/include/aten"
    run(compiler, *flags, include, "-c", os.path.relpath(source, folder), "-o", f"{made}.o", folder=folder)
    link = [f"-L{stage}/lib", "-laten", f"-Wl,-rpath,{stage}/lib"]
    run(compiler, *flags, f"{made}.o", "-o", made, *link, folder=folder)
    (folder / f"{made}.o").unlink()
    (folder / made).replace(program)
    return program


def outcome(program: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [str(program), *arguments]
    return subprocess.run(
        command, env={**os.environ, **OPTIONS}, capture_output=True, text=True, timeout=SECONDS, check=False
    )


def run(*command: object, folder: Path = ROOT) -> None:
    """Runs a command in the folder; ends with the end of its output when it fails."""
    words = [str(c) for c in command]
    done = subprocess.run(
        words, cwd=folder, env=os.environ | CACHE, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(words)} failed:\n{done.stdout[-4000:]}{done.stderr[-4000:]}")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    failed = []
    for sanitizer, programs in PROGRAMS.items():
        begun = time.monotonic()
        stage = library(sanitizer, options.jobs)
        print(f"sanitizers: {sanitizer}: library of {time.monotonic() - begun:.0f} s", flush=True)
        for name in programs:
            done = outcome(compiled(CPP / f"{name}.cpp", stage, sanitizer))
            if done.returncode not in (0, 77):
                failed.append(f"{sanitizer} {name}")
                print(done.stdout[-2000:] + done.stderr[-6000:], flush=True)
            print(f"sanitizers: {sanitizer}: {name}: {done.returncode}", flush=True)
    print(f"sanitizers: {len(failed)} of {sum(map(len, PROGRAMS.values()))} programs failed {failed or ''}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
