"""A failed allocation never ends the process but raises a Python exception; the next run succeeds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def preloaded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    library = tmp_path_factory.mktemp("failing") / "failing_malloc.so"
    compiler = os.environ.get("CXX", "g++").split()
    source = HERE / "failing_malloc.cpp"
    subprocess.run([*compiler, "-O1", "-std=c++20", "-fPIC", "-shared", source, "-o", library], check=True)
    return library


@pytest.mark.parametrize("python_malloc", ["default", "malloc"])
def test_every_allocation_may_fail(preloaded: Path, python_malloc: str) -> None:
    """With `malloc`, each of Python's own allocations can fail, too."""
    environment = {
        **os.environ,
        "LD_PRELOAD": str(preloaded),
        "PYTHONMALLOC": python_malloc,
        "OMP_NUM_THREADS": "1",
    }
    command = [sys.executable, str(HERE / "out_of_memory.py")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(found) >= 20
    assert sum(f["failed"] for f in found) > 100, "too few allocations failed"
    assert {f["program"]: f["problems"] for f in found if f["problems"]} == {}
