"""Runs the tests: Python ones by pytest, C++ ones by CTest against the installed library.

The short run leaves out tests marked `slow`. `--all` runs these, and those of CUDA code on an emulated
device; it leaves out those marked `campaign`, and those of a few samples where a slow one has all. `--share`
runs a share of what `--all` adds, which rotates with the commits, until `--minutes` are over. Each prints how
many it leaves out.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CPP_BUILD = ROOT / "build" / "tests-cpp"
CUDA_HOST = ROOT / "tests" / "cuda_host"
# The last one is the emulated device, which takes as long as a share of the others.
SHARES = 6
NOTHING_COLLECTED = 5  # pytest's exit status

Suite = tuple[str, Callable[[argparse.Namespace], int]]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--all", action="store_true", help="also the tests marked slow, but for campaigns")
    which.add_argument(
        "--share", action="store_true", help="a share of the tests that are otherwise left out"
    )
    parser.add_argument("--minutes", type=float, default=20, help="after which no test of a share begins")
    parser.add_argument("--number", type=int, help=f"of the share, 1 to {SHARES}; default: by the commit")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("rest", nargs="*", help="passed on to pytest")
    options = parser.parse_args()
    if options.number is not None and not 1 <= options.number <= SHARES:
        parser.error(f"--number is {options.number}; expected 1 to {SHARES}")
    start = time.monotonic()
    failed = [name for name, run in suites(options) if run(options)]
    minutes = (time.monotonic() - start) / 60
    print(f"tests: {'failed: ' + ', '.join(failed) if failed else 'all passed'} in {minutes:.1f} minutes")
    return 1 if failed else 0


def suites(options: argparse.Namespace) -> list[Suite]:
    cpp, python, emulated = ("C++", cpp_tests), ("Python", python_tests), ("emulated CUDA", cuda_host_tests)
    if not options.share:
        return [cpp, emulated, python] if options.all else [cpp, python]
    options.number = options.number or share_of_commit()
    is_emulated = options.number == SHARES
    what = "the emulated CUDA device" if is_emulated else "a share of the tests marked slow"
    print(f"tests: share {options.number} of {SHARES}: {what}; the other shares are left out", flush=True)
    return [emulated] if is_emulated else [("Python", python_share)]


def share_of_commit() -> int:
    """Returns the number of the share that it is this commit's turn to run."""
    count = subprocess.run(
        ["git", "rev-list", "--count", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if count.returncode:
        print("tests: git knows no commits here, so the first share runs; --number chooses another")
        return 1
    return int(count.stdout) % SHARES + 1


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
    command = [sys.executable, CUDA_HOST / "suite.py", "--jobs", str(options.jobs)]
    return subprocess.run(command, check=False).returncode


def python_share(options: argparse.Namespace) -> int:
    until = time.time() + 60 * options.minutes
    share = ["--share", f"{options.number}/{SHARES - 1}", "--until", str(until)]
    code = pytest(options, "-m", "slow and not campaign", "--ignore", str(CUDA_HOST), *share)
    if code == NOTHING_COLLECTED:
        print("tests: this share has no tests")
        return 0
    return code


def python_tests(options: argparse.Namespace) -> int:
    if options.all:
        selection = ["-m", "not campaign and not few", "--ignore", str(CUDA_HOST)]  # these ran before
        left_out = "tests marked campaign, which `make left-out` runs, and those marked few, whose samples "
        left_out += "others have"
    else:
        selection = ["-m", "not slow"]
        left_out = "tests marked slow and the emulated CUDA device: `make test-share` runs some, "
        left_out += "`make test-all` all"
    print(f"tests: leaving out {left_out}; the last lines say how many", flush=True)
    return pytest(options, *selection)


def pytest(options: argparse.Namespace, *selection: str) -> int:
    command = [sys.executable, "-m", "pytest", "-n", str(options.jobs), "--dist", "worksteal", "-q"]
    command += [*selection, str(ROOT / "tests"), *options.rest]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
