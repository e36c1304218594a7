"""Every test but campaigns, in parts: python tests/gate/whole.py [--part NAME] [--jobs N]

What ended on the same commit, with the same uncommitted changes, does not run again unless it failed: a run
that was killed goes on where it was. When all parts are whole, tests/gate/last_whole.json gets the commit,
the minutes of each part and its numbers.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "tests"), str(ROOT / "tests" / "tools")]

import run  # noqa: E402
from campaign import digest  # noqa: E402
from gate import files, ledger  # noqa: E402

FOLDER = ROOT / "build" / "test-all"
LAST = Path("tests", "gate", "last_whole.json")
# Its steps are those of tests/cuda_host/suite.py, which keeps what passed itself.
EMULATED = "emulated"
PARTS = (EMULATED, *ledger.PARTS, ledger.OTHERS)
SOURCES = ("core", "ops", "cpu", "cuda", "python", "schemas", "templates", "cli/opgen", "tools", "tests")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--part", choices=PARTS, help="default: all, one after the other")
    parser.add_argument("--jobs", type=int, default=2)
    parser.set_defaults(rest=[])
    options = parser.parse_args()
    commit = state()
    file = FOLDER / f"{commit}.jsonl"
    where = file.relative_to(ROOT)
    print(f"tests: all of {commit}, but campaigns (`make left-out`); what ended is in {where}", flush=True)
    for part in [options.part] if options.part else PARTS:
        ledger.add(file, part=part, begins=True)
        status = run_part(part, file, commit, options)
        ledger.add(file, part=part, status=status)
    return conclude(file, commit)


def state() -> str:
    """Returns the commit, and what identifies changes of tested files that are not committed: the numbers of
    the last whole run are none.
    """
    head = git("rev-parse", "--short=12", "HEAD")
    if head and not git("status", "--porcelain", *SOURCES, f":!{LAST}"):
        return head
    return f"{head or 'no-commit'}+{digest(ROOT / name for name in SOURCES)[:8]}"


def git(*command: str) -> str:
    done = subprocess.run(["git", *command], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip()


def run_part(part: str, file: Path, commit: str, options: argparse.Namespace) -> int:
    print(f"tests: part {part}", flush=True)
    if part == EMULATED:
        command = [sys.executable, run.CUDA_HOST / "suite.py", "--jobs", str(options.jobs)]
        return subprocess.run([*command, "--continue", commit], check=False).returncode
    selection = ["-m", "not campaign and not few", "--ignore", str(run.CUDA_HOST)]
    status = run.pytest(options, *selection, "--part", part, "--ledger", str(file))
    if part == ledger.OTHERS:
        status = run.cpp_tests(options, benchmarks=True) or status
    return 0 if status == run.NOTHING_COLLECTED else status


def conclude(file: Path, commit: str) -> int:
    """Says what each part has; returns 1 if one failed."""
    found = {part: figures(file, part) for part in PARTS}
    for part, figure in found.items():
        print(f"tests: {part}: {said(figure)}")
    left = [part for part, figure in found.items() if not figure["whole"]]
    if left:
        print(f"tests: not whole yet: {', '.join(left)}; `make test-all` goes on there")
    else:
        kept = {"commit": commit, "date": time.strftime("%Y-%m-%d"), "parts": found}
        files.write(ROOT / LAST, json.dumps(kept, indent=1) + "\n")
        print(f"tests: the run is whole: {LAST}")
    return 1 if any(figure["failed"] or figure["status"] for figure in found.values()) else 0


def figures(file: Path, part: str) -> dict[str, Any]:
    """Returns how many tests of a part ended how, in how many minutes of all its runs, and whether these are
    all; "status" is the last run's exit status.
    """
    mine = [line for line in files.lines(file) if line["part"] == part]
    numbers = Counter(ledger.outcomes(mine).values())
    tests = [line["tests"] for line in mine if "tests" in line]
    runs = [line for line in mine if "status" in line]
    is_whole = bool(runs) if part == EMULATED else bool(tests and runs) and numbers.total() >= tests[-1]
    return {
        **{outcome: numbers[outcome] for outcome in ledger.OUTCOMES},
        "minutes": round(ledger.seconds_of(mine) / 60, 1),
        "status": runs[-1]["status"] if runs else 0,
        "whole": is_whole,
    }


def said(figure: dict[str, Any]) -> str:
    if not figure["minutes"] and not figure["whole"]:
        return "did not end yet"
    numbers = ", ".join(f"{figure[outcome]} {outcome}" for outcome in ledger.OUTCOMES if figure[outcome])
    failed = f"failed with exit status {figure['status']}" if figure["status"] else "passed"
    return f"{numbers or failed} in {figure['minutes']} minutes"


if __name__ == "__main__":
    try:
        sys.exit(main())
    except OSError as error:  # a full disk
        sys.exit(f"tests: {error}")
