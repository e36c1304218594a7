"""The recorded times of long tests, in seconds.json: they count as slow, `make test-share` begins them first,
and none that does not fit in.

    python tests/gate/seconds.py [build/gate.json]      takes those of a run, and drops tests that are gone
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PYTORCH = (
    "tests/autograd/test_gradients_opinfo.py",
    "tests/nn/test_layers.py",
    "tests/ops/pytorch/",
    "tests/optim/test_lbfgs.py",
    "tests/optim/test_lr_scheduler.py",
    "tests/optim/test_lr_scheduler_calls.py",
    "tests/optim/test_optimizer_errors.py",
    "tests/optim/test_optimizer_state.py",
    "tests/optim/test_optimizers.py",
    "tests/pytorch_own/",
)
FILE = Path("tests", "gate", "seconds.json")
LONG = 0.3  # seconds; the others need no record


def recorded(root: Path) -> dict[str, float]:
    file = root / FILE
    return json.loads(file.read_text()) if file.exists() else {}


def mark(items: Iterable[pytest.Item], root: Path) -> None:
    """Marks as slow what is recorded, and what compares with PyTorch's samples, which take long to import."""
    known = recorded(root)
    for item in items:
        if item.nodeid in known or item.nodeid.startswith(PYTORCH):
            item.add_marker("slow")


def collected() -> set[str]:
    """Returns the names of all tests."""
    if importlib.util.find_spec("torch") is None:
        sys.exit("seconds: without PyTorch its tests would be dropped; `make test-share` installs it")
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "tests"]
    said = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout
    return {line for line in said.splitlines() if "::" in line}


def main() -> None:
    source = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "gate.json"
    run: dict[str, float] = json.loads(source.read_text())["tests"]
    known = {name: seconds for name, seconds in recorded(ROOT).items() if name not in run}
    known |= {name: round(seconds, 1) for name, seconds in run.items() if seconds >= LONG}
    there = collected()
    known = {name: seconds for name, seconds in known.items() if name in there}
    (ROOT / FILE).write_text(json.dumps(dict(sorted(known.items())), indent=1) + "\n")
    print(f"{FILE}: {len(known)} tests of {LONG:g} s or more")


if __name__ == "__main__":
    main()
