"""Runs the tests: Python ones by pytest, C++ ones by CTest against the installed library.

The short run leaves out tests marked `slow`, and prints how many. `--all` runs every one, and those of CUDA
code on an emulated device.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CPP_BUILD = ROOT / "build" / "tests-cpp"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", action="store_true", help="also the tests marked slow")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("rest", nargs="*", help="passed on to pytest")
    options = parser.parse_args()
    start = time.monotonic()
    suites = [("C++", cpp_tests), ("Python", python_tests)]
    if options.all:
        suites.insert(1, ("emulated CUDA", cuda_host_tests))
    failed = [name for name, run in suites if run(options)]
    minutes = (time.monotonic() - start) / 60
    print(f"tests: {'failed: ' + ', '.join(failed) if failed else 'all passed'} in {minutes:.1f} minutes")
    return 1 if failed else 0


def cpp_tests(options: argparse.Namespace) -> int:
    """Configures, builds and runs tests/cpp."""
    bin_dir = Path(sys.executable).parent
    cmake, ctest, ninja = (str(bin_dir / tool) for tool in ("cmake", "ctest", "ninja"))
    prefix = ROOT / "build" / "aten" / "stage"
    configure = [cmake, "-S", str(ROOT / "tests" / "cpp"), "-B", str(CPP_BUILD), "-G", "Ninja"]
    configure += [f"-DCMAKE_MAKE_PROGRAM={ninja}", f"-DCMAKE_PREFIX_PATH={prefix}"]
    configure += [f"-DPython3_EXECUTABLE={sys.executable}"]
    for command in (configure, [cmake, "--build", str(CPP_BUILD), "-j", str(options.jobs)]):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            print(done.stdout[-8000:] + done.stderr[-4000:])
            return done.returncode
    test = [ctest, "--test-dir", str(CPP_BUILD), "--output-on-failure", "-j", str(options.jobs)]
    return subprocess.run(test, check=False).returncode


def cuda_host_tests(options: argparse.Namespace) -> int:
    suite = ROOT / "tests" / "cuda_host" / "suite.py"
    return subprocess.run([sys.executable, suite, "--jobs", str(options.jobs)], check=False).returncode


def python_tests(options: argparse.Namespace) -> int:
    command = [sys.executable, "-m", "pytest", "-n", str(options.jobs), "--dist", "worksteal", "-q"]
    command.append(str(ROOT / "tests"))
    if options.all:
        command += ["--ignore", str(ROOT / "tests" / "cuda_host")]  # these ran before
    else:
        command += ["-m", "not slow"]
        print(
            f"tests: {count_slow()} tests marked slow and the emulated CUDA device are left out; "
            "`make test-all` runs them",
            flush=True,
        )
    return subprocess.run([*command, *options.rest], cwd=ROOT, check=False).returncode


def count_slow() -> int:
    command = [sys.executable, "-m", "pytest", "-m", "slow", "--collect-only", "-q", str(ROOT / "tests")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return sum("::" in line for line in done.stdout.splitlines())


if __name__ == "__main__":
    sys.exit(main())
