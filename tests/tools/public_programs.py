"""Runs public programs that import torch, unmodified, with this library and with PyTorch: compares losses.

python tests/tools/public_programs.py CHECKOUTS [--output FOLDER] [--only WORD] [--packages FOLDER]

CHECKOUTS has the repositories; the command says what to clone where one is missing. Nothing is downloaded.
What the programs print and their losses are kept in the output folder, and what has been run with a library
isn't run again: delete the folder to start anew. Both libraries start from the same weights and draw the same
numbers; see tests/public_programs/start.py. The programs are in tests/public_programs/cases.py.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parents[1] / "public_programs"
sys.path.insert(0, str(HERE))

from cases import CASES, COMMITS, Case  # noqa: E402

STEPS = 50
TOLERANCE = 1e-4


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, nargs="?", default=Path())
    parser.add_argument("--only", default="", help="run those that have this in their names")
    parser.add_argument("--packages", default="", help="a folder of further Python packages for the programs")
    parser.add_argument("--output", type=Path, default=Path("build/public-programs"))
    options = parser.parse_args()
    missing = [name for name in COMMITS if not (options.folder / name).is_dir()]
    for name in missing:
        owner, commit = COMMITS[name].split()
        print(f"git clone https://github.com/{owner}/{name} && git -C {name} checkout {commit}")
    if missing:
        print(f"{options.folder.resolve()} lacks these checkouts", file=sys.stderr)
    cases = [case for case in CASES if options.only in case.name and case.repository not in missing]
    ours, theirs = (run(cases, options, kind) for kind in ("aten", "pytorch"))
    print("| program | steps | largest difference | seconds | PyTorch's | |\n|---|---|---|---|---|---|")
    failed = [case for case in cases if not row(case, ours[case.name], theirs[case.name])]
    return 1 if failed or missing else 0


def run(cases: list[Case], options: Any, kind: str) -> dict[str, Any]:
    """Runs the programs that have not been run, each in a copy of its repository; returns what start.py
    wrote."""
    options.output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        left = [case for case in cases if not place(case, options, kind, "json").exists()]
        jobs = [job(case, options, Path(scratch) / str(i), kind) for i, case in enumerate(left)]
        listed = Path(scratch) / "jobs.json"
        listed.write_text(json.dumps(jobs), encoding="utf-8")
        command = [sys.executable, *(["-m", "aten.torch", "--replace"] if kind == "aten" else [])]
        command += [str(HERE / "start.py"), str(listed)]
        subprocess.run(command, env={**os.environ, "MPLBACKEND": "agg"}, check=True)
    return {case.name: written(place(case, options, kind, "json")) for case in cases}


def place(case: Case, options: Any, kind: str, suffix: str) -> Path:
    """A file of a program's run."""
    name = "".join(c if c.isalnum() else "_" for c in case.name)
    return (options.output / f"{name}.{kind}.{suffix}").resolve()


def job(case: Case, options: Any, copy: Path, kind: str) -> dict[str, Any]:
    """Copies a program and makes its data; returns what start.py is told."""
    unused = shutil.ignore_patterns(".git", "*.gif", "*.ipynb", "*.jpg", "*.png")
    shutil.copytree(options.folder / case.repository, copy, symlinks=True, ignore=unused)
    folder = copy / case.folder
    if case.data:
        make, where = case.data
        make(str(folder / where))
    return {
        "folder": str(folder),
        "paths": [str(HERE / "stand_ins"), str(copy), *filter(None, [options.packages])],
        "printed": str(place(case, options, kind, "txt")),
        "result": str(place(case, options, kind, "json")),
        "steps": STEPS,
        "without": case.without,
        "words": case.words,
    }


def written(path: Path) -> dict[str, Any]:
    """What a program's run wrote."""
    if not path.exists():
        return {"losses": [], "seconds": 0.0, "error": "the process ended early"}
    return json.loads(path.read_text(encoding="utf-8"))


def row(case: Case, ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    """Prints a program's row of the table; returns whether all is well."""
    said, difference, fine = compared(ours, theirs)
    cells = (
        case.name,
        len(ours["losses"]),
        difference,
        f"{ours['seconds']:.1f}",
        f"{theirs['seconds']:.1f}",
        said,
    )
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)
    return fine


def compared(ours: dict[str, Any], theirs: dict[str, Any]) -> tuple[str, str, bool]:
    """Returns the first error, the largest relative difference of the losses, and whether all is well."""
    for name, one in (("", ours), ("PyTorch: ", theirs)):
        if one["error"]:
            return name + " ".join(one["error"].split())[:150], "", False
    if len(ours["losses"]) != len(theirs["losses"]) or not ours["losses"]:
        return f"{len(theirs['losses'])} losses with PyTorch", "", False
    pairs = zip(ours["losses"], theirs["losses"], strict=True)
    largest = max(abs(a - b) / max(abs(b), 1e-2) for a, b in pairs)
    fine = largest <= TOLERANCE
    return "same" if fine else "differs", f"{largest:.0e}", fine


if __name__ == "__main__":
    sys.exit(main())
