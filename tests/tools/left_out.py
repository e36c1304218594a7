"""What `make test-all` leaves out, mostly samples of further dtypes: the tests marked `campaign`, and with
all samples those marked `thins`.

    python tests/tools/left_out.py [--jobs N] [--seed S]

A run that was killed goes on where it was, as long as the library and the tests are the same.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from campaign import FOLDER, Campaign, say

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ("core", "ops", "cpu", "python", "schemas", "templates", "cli/opgen", "tests")
LISTED = FOLDER / "left-out.tests"
BATCH = 250  # importing PyTorch and its database takes as long as some 40 tests
PYTEST = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--tb=short"]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0, help="the name of the run")
    options = parser.parse_args()
    tests = collected()
    FOLDER.mkdir(parents=True, exist_ok=True)
    LISTED.write_text("".join(f"{name}\n" for name in tests))
    run = Campaign.open("left-out", len(tests), [ROOT / name for name in SOURCES], options.seed)
    run.run(failures_of, BATCH, options.jobs, lambda failure: say(str(failure)))
    return 1 if run.failures else 0


def collected() -> list[str]:
    """Returns the names of the tests, in the order of their files."""
    command = [*PYTEST, "-m", "campaign or thins", "--collect-only", str(ROOT / "tests")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"pytest could not collect the tests:\n{done.stdout[-3000:]}{done.stderr[-1000:]}")
    return [line for line in done.stdout.splitlines() if "::" in line]


def failures_of(seed: int, first: int, count: int) -> list[str]:
    """Runs a part of the tests in a process of their own; returns what pytest says of each that failed."""
    names = LISTED.read_text().splitlines()[first : first + count]
    with tempfile.NamedTemporaryFile("w", suffix=".tests") as listed:
        listed.write("".join(f"{name}\n" for name in names))
        listed.flush()
        command = [*PYTEST, f"@{listed.name}"]
        environment = {**os.environ, "ATEN_ALL_SAMPLES": "1"}
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED ", "ERROR "))]
    if done.returncode not in (0, 1) or (done.returncode and not failed):
        said = (done.stdout[-2000:] + done.stderr[-1000:]).strip()
        failed.append(f"{names[0]} and the {count - 1} after it: pytest ended with {done.returncode}\n{said}")
    return failed


if __name__ == "__main__":
    sys.exit(main())
