"""Runs the tests: Python ones by pytest, C++ ones by CTest against the installed library.

The short run leaves out tests marked `slow`, PyTorch's samples, and CUDA code on an emulated device.
`--share` runs a share of these, which rotates with the commits, until `--minutes` are over. Each prints how
many it leaves out. tests/gate/whole.py runs all.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests"))

from gate import history, record  # noqa: E402
from gate.seconds import PYTORCH  # noqa: E402
from gate.touched import touched  # noqa: E402

CPP_BUILD = ROOT / "build" / "tests-cpp"
CUDA_HOST = ROOT / "tests" / "cuda_host"
# In turn, a commit has one of the Python shares, or the emulated device, which takes as long as one of these.
PYTHON_SHARES = 5
NOTHING_COLLECTED = 5  # pytest's exit status

Suite = tuple[str, Callable[[argparse.Namespace], int]]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--share", action="store_true", help="a share of the tests that are otherwise left out"
    )
    parser.add_argument("--minutes", type=float, default=20, help="after which no test of a share begins")
    parser.add_argument("--turn", type=int, help="which share, from 1 on; default: the number of commits")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("rest", nargs="*", help="passed on to pytest")
    options = parser.parse_args()
    if options.turn is not None and options.turn < 1:
        parser.error(f"--turn is {options.turn}; expected a number from 1 on")
    start = time.monotonic()
    failed = [name for name, run in suites(options) if timed(name, run, options)]
    minutes = (time.monotonic() - start) / 60
    print(f"tests: {'failed: ' + ', '.join(failed) if failed else 'all passed'} in {minutes:.1f} minutes")
    return 1 if failed else 0


def timed(name: str, run: Callable[[argparse.Namespace], int], options: argparse.Namespace) -> int:
    start = time.monotonic()
    code = run(options)
    try:
        record.add(part=f"tests: {name}", seconds=round(time.monotonic() - start))
    except OSError as error:
        print(f"tests: {error}")
        return code or 1
    return code


def suites(options: argparse.Namespace) -> list[Suite]:
    cpp, python, emulated = ("C++", cpp_tests), ("Python", python_tests), ("emulated CUDA", cuda_host_tests)
    if not options.share:
        return [cpp, python]
    options.until = time.time() + 60 * options.minutes
    what, since = touched()
    why = "--turn chooses the share"
    if options.turn is None:
        options.turn, why = history.turn(ROOT)
    print(f"tests: {why}")
    rounds, turn = divmod(options.turn - 1, PYTHON_SHARES + 1)
    is_last = turn == PYTHON_SHARES
    options.python_turn = 0 if is_last else rounds * PYTHON_SHARES + turn + 1  # 0: only what is touched
    print(f"tests: share {turn + 1} of {PYTHON_SHARES + 1}; touched, {since}: {what}", flush=True)
    share = ("Python", python_share)
    if what.emulated or is_last:
        return [emulated, share]
    print("tests: nothing of the emulated CUDA device is touched, and the last share has it: it is left out")
    return [share]


def cpp_tests(options: argparse.Namespace, benchmarks: bool = False) -> int:
    """Configures, builds and runs tests/cpp; with `benchmarks` also those that need a quiet machine."""
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
    if not benchmarks:
        print("tests: leaving out rates of products (ctest -L benchmark): `make test-all` measures them")
        test += ["-LE", "benchmark"]
    return subprocess.run(test, check=False).returncode


def cuda_host_tests(options: argparse.Namespace) -> int:
    command = [sys.executable, CUDA_HOST / "suite.py", "--jobs", str(options.jobs)]
    command += ["--until", str(options.until)]
    return subprocess.run(command, check=False).returncode


def python_share(options: argparse.Namespace) -> int:
    share = ["--share", f"{options.python_turn}/{PYTHON_SHARES}", "--until", str(options.until)]
    code = pytest(options, "-m", "slow and not few", "--ignore", str(CUDA_HOST), *share)
    if code == NOTHING_COLLECTED:
        print("tests: this share has no tests")
        return 0
    return code


def python_tests(options: argparse.Namespace) -> int:
    left_out = "tests marked slow or recorded as long, PyTorch's samples, and the emulated CUDA device"
    print(f"tests: leaving out {left_out}: `make test-share` runs some, `make test-all` all", flush=True)
    ignored = [word for path in PYTORCH for word in ("--ignore", str(ROOT / path))]
    return pytest(options, "-m", "not slow", *ignored)


def pytest(options: argparse.Namespace, *selection: str) -> int:
    # Tests that were compiled once need not be again in the next run, nor in processes that they start.
    environment = {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-m", "pytest", "-n", str(options.jobs), "--dist", "worksteal", "-q"]
    command += [*selection, str(ROOT / "tests"), *options.rest]
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
