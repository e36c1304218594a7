"""The fuzzer of operators notices what it looks for, and `make fuzz` runs it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import hostile
import pytest

HERE = Path(__file__).parent
WORK = [("relu", 0), ("relu", 1), ("relu", 2)]


def crash() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def raise_internal_error() -> None:
    raise RuntimeError("INTERNAL ASSERT FAILED in relu")


def raise_unnamed() -> None:
    raise RuntimeError("something is wrong")


@pytest.mark.parametrize(
    ("behave", "says"),
    [
        (crash, "wait status 9: relu\t1\t"),
        (lambda: time.sleep(60), "hang: relu\t1\t"),
        (raise_internal_error, "relu seed 1: .*internal error"),
        (raise_unnamed, "relu seed 1: .*doesn't name the operator"),
    ],
)
def test_each_problem_is_found_once(
    behave: Callable[[], None], says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second of three calls behaves so; the third is made, too."""

    def make_call(name: str, seed: int) -> tuple[Callable[[], None], str]:
        return (behave if seed == 1 else lambda: None), "a call"

    monkeypatch.setattr(hostile, "make_call", make_call)
    monkeypatch.setattr(hostile, "SECONDS_PER_CALL", 1)
    problems = hostile.in_child(WORK)
    assert len(problems) == 1 and re.search(says, problems[0]), problems


def test_the_program_says_what_it_did() -> None:
    command = [sys.executable, str(HERE / "fuzz_calls.py"), "--calls", "3", "--only", "relu", "--seed", "7"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("fuzz: 3 calls of ")
    assert "fuzz: 0 problems" in done.stdout
