"""The fuzzer of operators finds each kind of problem, and `make fuzz` runs it."""

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
def test_each_problem_is_found_once(behave: Callable[[], None], says: str) -> None:
    """The second of three calls causes the problem; the third is made, too."""

    def make(name: str, seed: int) -> hostile.Attempt:
        return hostile.Attempt(behave if seed == 1 else lambda: None, "a call", seconds=1)

    problems = hostile.in_child(WORK, make)
    assert len(problems) == 1 and re.search(says, problems[0]), problems


def test_a_call_that_never_ends_is_stopped() -> None:
    """A call that takes time in proportion to its arguments is not a hang; the call after it is made."""

    def make(name: str, seed: int) -> hostile.Attempt:
        return hostile.Attempt(lambda: time.sleep(60), "a call", seconds=0.1, endless=True)

    begun = time.monotonic()
    assert hostile.in_child(WORK, make) == [] and time.monotonic() - begun < 30


@pytest.mark.parametrize("kind", ["random", "damaged"])
def test_the_program_says_what_it_did(kind: str) -> None:
    program = [sys.executable, str(HERE / "fuzz_calls.py"), "--kind", kind]
    command = [*program, "--calls", "3", "--only", "relu", "--seed", "7"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("fuzz: 3 calls of ")
    assert f"with {kind} arguments" in done.stdout and "fuzz: 0 problems" in done.stdout
