"""Runs programs in both libraries, in forked children: a crash or a hang is attributed to one of them."""

from __future__ import annotations

import mmap
import os
import pickle
import resource
import signal
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import aten
import torch

from .differences import THE_END, Difference, of_facts, of_outcomes
from .machine import FAULT, Machine, Program
from .writer import Writer

MEMORY = 2 << 30  # the limit of a child's memory
SECONDS = 20  # the limit of a step's time
PYTORCH, ATEN = "PyTorch", "aten"


class Result(NamedTuple):
    """A program and its first difference; `dropped` is how PyTorch itself ended it."""

    seed: int
    program: Program
    difference: Difference | None
    dropped: str = ""


class Note:
    """What a child is about to do, readable after its end."""

    def __init__(self) -> None:
        self.memory = mmap.mmap(-1, 1 << 16)

    def write(self, library: str, seed: int, program: Program) -> None:
        data = pickle.dumps((library, seed, program))
        self.memory.seek(0)
        self.memory.write(len(data).to_bytes(4, "little") + data)

    def read(self) -> tuple[str, int, Program]:
        size = int.from_bytes(self.memory[:4], "little")
        return pickle.loads(self.memory[4 : 4 + size])


Steps = Callable[[Machine], Any]


def compare(
    next_step: Steps, quiet: bool, note: Callable[[str, list[str]], None]
) -> tuple[list[str], Difference | None]:
    """Runs steps one by one until the libraries differ; returns the steps that were run."""
    theirs, ours = Machine(torch), Machine(aten)
    done: list[str] = []
    found = None
    while found is None and (step := next_step(theirs)) is not None:
        done.append(step)
        signal.alarm(SECONDS)
        note(PYTORCH, done)
        expected = theirs.run(step), theirs.observe(not quiet)
        note(ATEN, done)
        got = ours.run(step), ours.observe(not quiet)
        found = of_outcomes(step, got[0], expected[0]) or of_facts(
            step, got[1], expected[1], expected[0].error
        )
    if found is None and quiet and done:
        note(PYTORCH, done)
        last = theirs.observe(True)
        note(ATEN, done)
        found = of_facts(THE_END, ours.observe(True), last)
    signal.alarm(0)
    return done, found


def write_and_run(seed: int, note: Note) -> Result:
    writer = Writer(seed)

    def log(library: str, steps: list[str]) -> None:
        note.write(library, seed, Program(tuple(steps), writer.quiet))

    steps, found = compare(writer.next, writer.quiet, log)
    program = Program(tuple(steps), writer.quiet)
    if found is not None and FAULT in found.theirs:
        return Result(seed, program, None, FAULT)
    return Result(seed, program, found)


def in_child(work: Callable[[Note, Callable[[Any], None]], None]) -> tuple[list[Any], int, Note]:
    """Runs `work(note, send)` in a forked child; returns what it sent, its wait status, and its last note."""
    note = Note()
    with tempfile.TemporaryFile(buffering=0) as sent:
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            status = 1
            try:
                prepare()
                work(note, lambda value: sent.write(pickle.dumps(value)))
                status = 0
            finally:
                os._exit(status)
        _, status = os.waitpid(child, 0)
        sent.seek(0)
        values = []
        while True:
            try:
                values.append(pickle.load(sent))
            except EOFError:
                return values, status, note


def warm_up() -> None:
    """Makes PyTorch import the modules that it loads late, so that not every child has to."""
    theirs = Machine(torch)
    for step in ("t = lib.ones(4)", "lib.broadcast_tensors(t, t)", "t.tensor_split(2)", "t.norm()"):
        theirs.run(step)


def prepare() -> None:
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    torch.set_num_threads(1)
    used = int(Path("/proc/self/statm").read_text().split()[5]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_DATA, (used + MEMORY, resource.getrlimit(resource.RLIMIT_DATA)[1]))


def run_seeds(seeds: Iterable[int]) -> list[Result]:
    """Runs the programs of these seeds; after a crash a new child continues with the next program."""
    left, results = list(seeds), []
    while left:

        def work(note: Note, send: Callable[[Any], None], left: list[int] = left) -> None:
            for seed in left:
                send(write_and_run(seed, note))

        found, status, note = in_child(work)
        results += found
        if status == 0:
            break
        library, seed, program = note.read()
        results.append(dead(seed, program, library, status))
        left = left[left.index(seed) + 1 :]
    return results


def dead(seed: int, program: Program, library: str, status: int) -> Result:
    killed = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    cause = {0: "exit", signal.SIGALRM: "hang"}.get(killed) or signal.Signals(killed).name
    if library == PYTORCH:
        return Result(seed, program, None, cause)
    if survives_alone(program):
        return Result(seed, program, None, f"memory overwritten that is not its own ({cause} in aten)")
    return Result(seed, program, Difference(program.steps[-1], cause, "", "ends", "goes on"))


def survives_alone(program: Program) -> bool:
    """Whether aten runs the steps to their end in a process in which PyTorch runs none of them."""

    def work(note: Note, send: Callable[[Any], None]) -> None:
        ours = Machine(aten)
        for step in program.steps:
            signal.alarm(SECONDS)
            ours.run(step)
            ours.observe(not program.quiet)

    return in_child(work)[1] == 0


def replay(program: Program) -> Difference | None:
    """Runs the given steps in a child."""

    def work(note: Note, send: Callable[[Any], None]) -> None:
        steps = iter(program.steps)
        log = lambda library, done: note.write(library, 0, Program(tuple(done), program.quiet))  # noqa: E731
        send(compare(lambda _: next(steps, None), program.quiet, log)[1])

    values, status, note = in_child(work)
    if status == 0:
        return values[0]
    library, _, done = note.read()
    return dead(0, done, library, status).difference
