"""Random programs behave as on PyTorch, and the comparison finds differences."""

from __future__ import annotations

import functools
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed: there is nothing to compare with")

import aten
import torch

from tools.programs import runner
from tools.programs.differences import Difference, of_facts
from tools.programs.known_programs import KNOWN, reason_for
from tools.programs.machine import Machine, Program
from tools.programs.shrink import script, shrink
from tools.programs.writer import STEPS, Writer

ROOT = Path(__file__).resolve().parents[2]
COUNT, TOGETHER = 300, 50


@pytest.mark.parametrize("first", range(0, COUNT, TOGETHER))
def test_programs(first: int, in_clean_process: Any) -> None:
    in_clean_process(runner.warm_up)
    results = in_clean_process(runner.run_seeds, range(first, first + TOGETHER))
    assert [r.seed for r in results] == list(range(first, first + TOGETHER))
    different = [r for r in results if r.difference and not reason_for(r.difference, r.program)]
    replay = functools.partial(in_clean_process, runner.replay)
    shown = (script(*shrink(r.program, r.difference, replay)) for r in different if r.difference)
    assert not different, "\n\n".join(shown)


def write(seed: int) -> list[str]:
    machine, writer = Machine(torch), Writer(seed)
    while (step := writer.next(machine)) is not None:
        machine.run(step)
    return writer.steps


def test_a_seed_is_a_program() -> None:
    assert write(7) == write(7) != write(8)
    assert len(write(7)) == STEPS


BASE = "t0 = lib.arange(6.).reshape(2, 3).clone()"
CHANGES = {
    "outcome": ("t1 = t0.clone()", "raise ValueError()"),
    "values": ("t0.add_(1)", "t0.add_(2)"),
    "dtype": ("t1 = t0.double()", "t1 = t0.half()"),
    "shape": ("t1 = t0[:1]", "t1 = t0[0]"),
    "strides": ("t1 = t0.clone()", "t1 = t0.t().contiguous().t()"),
    "strides that reach nothing": ("t1 = t0[:1]", "t1 = t0.as_strided((1, 3), (7, 1))"),
    "offset": ("t1 = t0[1]", "t1 = t0[1].clone()"),
    "version": ("t0.add_(0)", "t0.add_(0).add_(0)"),
    "requires_grad": ("t0.requires_grad_()", "t0.requires_grad_(False)"),
    "retains_grad": ("t1 = t0.requires_grad_() * 1; t1.retain_grad()", "t1 = t0.requires_grad_() * 1"),
    "grad_fn": ("t1 = t0.requires_grad_() * 1", "t1 = t0.requires_grad_() + 0"),
    "existence": ("t0.requires_grad_().sum().backward()", "t0.requires_grad_()"),
    "shares memory with": ("t1 = t0.detach()", "t1 = t0.clone()"),
    "is the object": ("t1 = t0.contiguous()", "t1 = t0[:]"),
    "value": ("t1 = t0.dim()", "t1 = t0.numel()"),
    "log": ("log.append(1)", "log.append(2)"),
}


# The first difference where such a change shows in several aspects.
TOGETHER_WITH = {"log": ["value"], "is the object": ["is_view"], "shares memory with": ["is_view"]}


@pytest.mark.parametrize("aspect", CHANGES)
def test_each_aspect_is_compared(aspect: str) -> None:
    """The libraries run different steps; the difference is in this aspect, or in a related one."""
    machines = Machine(torch), Machine(aten)
    steps = CHANGES[aspect]
    for machine, step in zip(machines, steps, strict=True):
        outcomes = machine.run(BASE), machine.run(step)
        assert not outcomes[0].error and outcomes[1].error in ("", "ValueError")
    theirs, ours = (m.observe(True) for m in machines)
    if aspect == "outcome":
        found = runner.of_outcomes(steps[0], Machine(aten).run(steps[1]), Machine(torch).run("t = 1"))
    else:
        found = of_facts(steps[0], ours, theirs)
    assert found is not None
    assert found.aspect in {aspect, *TOGETHER_WITH.get(aspect, ())}, found


def crash() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.parametrize(
    ("behave", "cause"), [(crash, "SIGKILL"), (lambda: time.sleep(60), "hang")], ids=["crash", "hang"]
)
@pytest.mark.parametrize("library", [aten, torch], ids=["aten", "torch"])
def test_a_death_has_a_name(library: Any, behave: Any, cause: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second of three programs ends its child; the third is run, too."""
    run = Machine.run

    def run_or_die(self: Machine, step: str) -> Any:
        if step == "die" and self.library is library:
            behave()
        return run(self, step)

    class Short(Writer):
        def __init__(self, seed: int) -> None:
            super().__init__(seed)
            self.left = [BASE, "die" if seed == 1 else BASE]

        def next(self, machine: Machine) -> str | None:
            return self.left.pop(0) if self.left else None

    monkeypatch.setattr(Machine, "run", run_or_die)
    monkeypatch.setattr(runner, "Writer", Short)
    monkeypatch.setattr(runner, "SECONDS", 1)
    results = runner.run_seeds(range(3))
    assert [r.seed for r in results] == [0, 1, 2]
    died = results[1]
    assert not results[0].difference and not results[2].difference
    if library is torch:
        assert died.dropped == cause and died.difference is None
    else:
        assert died.difference is not None and died.difference.aspect == cause
        assert died.difference.step == "die"


def test_a_death_by_what_pytorch_overwrote_is_pytorchs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Aten crashes in the process that both share, but not where it runs alone."""
    run, overwritten = Machine.run, []

    def overwrites(self: Machine, step: str) -> Any:
        if self.library is torch:
            overwritten.append(step)
        elif overwritten:
            os.kill(os.getpid(), signal.SIGKILL)
        return run(self, step)

    monkeypatch.setattr(Machine, "run", overwrites)
    died = runner.run_seeds([1])[0]
    assert died.difference is None and died.dropped.endswith("(SIGKILL in aten)")


def test_what_differs_is_made_small() -> None:
    steps = ("t0 = lib.ones(2)", "t1 = t0 + 1", "t2 = t0 * 2", "t3 = t2.view(2)", "t4 = t1.clone()")
    difference = Difference("t3 = t2.view(2)", "values", "t3", "1", "2")

    def replay(program: Program) -> Difference | None:
        needed = {"t0 = lib.ones(2)", "t2 = t0 * 2", "t3 = t2.view(2)"}
        return difference if needed <= set(program.steps) else None

    small, _ = shrink(Program(steps, quiet=False), difference, replay)
    assert small.steps == (steps[0], steps[2], steps[3])


def test_scripts_run_on_both(tmp_path: Path) -> None:
    difference = Difference("t0 = lib.ones(2)", "values", "t0", "1", "2")
    file = tmp_path / "program.py"
    file.write_text(script(Program((BASE, "t1 = t0.t()"), quiet=True), difference), encoding="utf-8")
    for library in ("aten", "torch"):
        subprocess.run([sys.executable, str(file), library], check=True)


def test_patterns_of_known_differences_are_patterns() -> None:
    for known in KNOWN:
        assert known.why
        for pattern in known._replace(why=""):
            re.compile(pattern)


def test_the_program_says_what_it_did() -> None:
    command = [sys.executable, "-m", "tools.programs.programs", "--count", "20", "--seed", "7"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.startswith("programs: 20 from seed 7"), done.stdout + done.stderr
    assert re.search(r"programs: \d+ of 20 differ", done.stdout), done.stdout + done.stderr
