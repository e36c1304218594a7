"""The tests of CUDA code on the emulated device: python tests/cuda_host/suite.py [--all] [--jobs N]

Builds build/cuda_host, then runs the tests of this folder (the emulator's own, and programs on the device),
the operators' samples on `cuda`, kernels at larger sizes, gradients against those of the CPU, and the C++
program of tests/gpu. Kernels, gradients and functional samples run in three orders of threads. --all has
every dtype, lazy streams, a second device, the caching allocator, memory that must be initialised, blocks
that take several rounds of their loops, and PyTorch's samples.

What fails it: a test; a report of the emulator that reviewed.txt doesn't list; bits of a result that depend
on the order of threads (three_orders.py); a launch that nothing executed (launches.py).
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import differences
import host
import host_build as build
import launches

sys.path.append(str(host.ROOT / "tests"))

from gate import files, record

SAMPLES = ("tests/ops/test_samples.py",)
PYTORCH = ("tests/ops/pytorch/test_opinfo.py", "tests/autograd/test_gradients_opinfo.py")
KERNELS = ("tests/cuda_host/test_kernels.py",)
GRADIENTS = ("tests/cuda_host/test_gradients_on_device.py",)
CPP: tuple[str, ...] = ()  # the program of tests/gpu
REPORTS = host.OUT / "reports"
PASSED = REPORTS / "passed.json"  # the steps, by the state of the sources
MOST_MINUTES = 12  # of the short run, on two cores that do nothing else


@dataclass(frozen=True)
class Part:
    """Tests, with the settings that the emulator has in them."""

    name: str
    tests: tuple[str, ...]
    marks: str = ""
    device: str = "cuda"
    settings: dict[str, Any] = field(default_factory=dict)
    orders: bool = False  # each call in three orders of threads, with the same bits
    few_calls: bool = False  # some of each row, and of out= the kinds that reach kernels

    @property
    def reports(self) -> Path:
        return REPORTS / f"{self.name.replace(' ', '-').replace(',', '')}.txt"

    @property
    def launches(self) -> Path:
        return self.reports.with_suffix(".launches")

    def forget(self) -> None:
        """Removes what an earlier run reported."""
        self.reports.parent.mkdir(parents=True, exist_ok=True)
        for file in (self.reports, self.launches):
            file.unlink(missing_ok=True)

    def environment(self) -> dict[str, str]:
        name = {KERNELS: "ATEN_KERNELS_ON", GRADIENTS: "ATEN_GRADIENTS_ON"}.get(
            self.tests, "ATEN_TEST_DEVICE"
        )
        found = {**host.environment(**self.settings), name: self.device, record.VARIABLE: ""}
        if self.few_calls:
            found["ATEN_FEW_CALLS"] = "1"
        found["PYTHONPATH"] = os.pathsep.join([found["PYTHONPATH"], str(host.HERE)])  # for plugins
        if self.orders:
            found["ATEN_THREE_ORDERS"] = "1"
        return {**found, "EMULATOR_REPORT": str(self.reports), "EMULATOR_KERNELS": str(self.launches)}

    def command(self, jobs: int) -> list[str]:
        if self.tests == CPP:
            return [str(build.PROGRAM), "small"]
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", str(jobs)]
        plugins = ["-p", "differences", *(["-p", "three_orders"] if self.orders else [])]
        marks = ["-m", self.marks] if self.marks else []
        return [*command, "--dist", "worksteal", *plugins, *marks, *self.tests]


def in_each_order(name: str, tests: tuple[str, ...], **settings: Any) -> tuple[Part, ...]:
    return tuple(
        Part(f"{name}, {order}", tests, settings={**settings, "order": i})
        for i, order in enumerate(host.ORDERS)
    )


ALWAYS = (
    Part("kernels", KERNELS, settings={"initialised": True}, orders=True),
    *in_each_order("C++ program", CPP, initialised=True),
    Part("gradients", GRADIENTS, orders=True),
)
# The long run has samples in three orders: they take three times as long.
SHORT = (Part("samples", SAMPLES, marks="not slow", few_calls=True), *ALWAYS)
SHORT_LOOPS = {"short_loops": True}
LONG = (
    Part("all samples", SAMPLES, orders=True),
    *in_each_order("samples", SAMPLES)[1:],
    Part("samples, initialised memory", SAMPLES, settings={"initialised": True}),
    Part("samples, short loops", SAMPLES, settings=SHORT_LOOPS),
    Part("samples, lazy streams", SAMPLES, settings={"lazy": True}),
    Part("samples, caching allocator", SAMPLES, settings={"allocator": "caching", "lazy": True}),
    Part("samples on cuda:1", SAMPLES, device="cuda:1", settings={"devices": 2, "lazy": True}),
    *ALWAYS,
    Part("kernels, short loops", KERNELS, settings={**SHORT_LOOPS, "initialised": True}, orders=True),
    Part("gradients, short loops", GRADIENTS, settings=SHORT_LOOPS),
    Part("gradients on cuda:1", GRADIENTS, device="cuda:1", settings={"devices": 2, "lazy": True}),
    Part("PyTorch's samples", PYTORCH),
)

PROGRAMS = Part("the emulator's tests, and programs", ("tests/cuda_host",))


def programs(jobs: int) -> bool:
    """The tests that start processes on the device themselves, and read their reports."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", str(jobs)]
    package = host.environment()["PYTHONPATH"]  # for modules that import it, and then skip their tests
    environment = {**os.environ, "PYTHONPATH": package, record.VARIABLE: ""}
    environment["EMULATOR_KERNELS"] = str(PROGRAMS.launches)
    PROGRAMS.forget()
    command += PROGRAMS.tests
    return subprocess.run(command, cwd=host.ROOT, env=environment, check=False).returncode == 0


def passes(part: Part, jobs: int) -> bool:
    """Runs the tests; prints what the emulator reported that nobody has reviewed."""
    part.forget()
    code = subprocess.run(part.command(jobs), cwd=host.ROOT, env=part.environment(), check=False).returncode
    reports = host.read_reports(part.reports)
    faults = host.unreviewed(reports)
    for fault in faults:
        print(fault)
    print(f"cuda_host: {len(faults)} reports, {len(reports) - len(faults)} more were reviewed")
    return code == 0 and not faults


def together(parts: tuple[Part, ...], jobs: int) -> bool:
    """Runs parts that take one core each."""
    with ThreadPoolExecutor(jobs) as pool:
        return all(list(pool.map(lambda part: passes(part, 1), parts)))


def steps_of(parts: tuple[Part, ...], jobs: int) -> Iterator[tuple[str, Callable[[], bool]]]:
    """The name of each step, and what runs it: pytest has processes of its own, the C++ program is one."""
    for part in parts:
        if part.tests != CPP:
            yield part.name, partial(passes, part, jobs)
    if single := tuple(part for part in parts if part.tests == CPP):
        yield "; ".join(part.name for part in single), partial(together, single, jobs)


def every_launch_ran(parts: tuple[Part, ...]) -> bool:
    every = [launch for file in build.translated_files() for launch in launches.launches_in(file.read_text())]
    executed = launches.executed_in(part.launches for part in (PROGRAMS, *parts))
    known = launches.known()
    found = launches.problems(every, executed, known)
    for line in found:
        print(line)
    for (file, kernel), reason in known.items():
        print(f"{file} {kernel} is not executed: {reason}")
    ran = sum((launch.file, launch.line) in executed for launch in every)
    print(f"cuda_host: {ran} of {len(every)} launches were executed")
    return not found


def timed(name: str, run: Callable[[], bool]) -> tuple[str, bool, float, float]:
    """(name, whether it passed, seconds, seconds of processors)."""
    print(f"cuda_host: {name}", flush=True)
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    passed = run()
    after, seconds = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic() - start
    busy = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"cuda_host: {name}: {seconds:.0f} s, {busy:.0f} s of processors", flush=True)
    record.add(part=f"emulated device: {name}", seconds=round(seconds))
    return name, passed, seconds, busy


def summary(steps: list[tuple[str, bool, float, float]], is_short: bool) -> None:
    for name, passed, seconds, busy in steps:
        print(f"  {'passed' if passed else 'FAILED':6} {seconds:6.0f} s {busy:6.0f} s of processors  {name}")
    minutes = sum(seconds for _, _, seconds, _ in steps) / 60
    failed = [name for name, passed, _, _ in steps if not passed]
    if is_short and minutes > MOST_MINUTES:
        print(f"cuda_host: warning: it took more than {MOST_MINUTES} minutes, as two idle cores should not")
    print(f"cuda_host: {'failed: ' + '; '.join(failed) if failed else 'all passed'} in {minutes:.1f} minutes")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--all", action="store_true", help="also what takes long")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument(
        "--package", type=Path, help="the package aten of the CPU; default: the installed one"
    )
    parser.add_argument("--part", help="only the part of this name")
    parser.add_argument(
        "--until", type=float, default=float("inf"), help="seconds since 1970: no step begins later"
    )
    parser.add_argument(
        "--continue",
        dest="state",
        metavar="STATE",
        help="leave out steps that passed in earlier runs of the same state of the sources",
    )
    given = parser.parse_args()
    parts = tuple(p for p in (LONG if given.all else SHORT) if given.part in (None, p.name))
    if not parts:
        parser.error(f"no part is named {given.part}; parts: {', '.join(p.name for p in (*SHORT, *LONG))}")
    return 0 if run(parts, given) else 1


def passed_before(state: str | None) -> set[str]:
    """Returns the steps that passed in earlier runs of this state of the sources."""
    kept = json.loads(PASSED.read_text()) if PASSED.exists() else {}
    return set(kept.get(state, ()))


def keep(state: str | None, step: tuple[str, bool, float, float]) -> None:
    name, passed, _, _ = step
    if state and passed:
        files.write(PASSED, json.dumps({state: sorted({*passed_before(state), name})}))


def run(parts: tuple[Part, ...], given: argparse.Namespace) -> bool:
    targets = build.targets(short_loops=any("short_loops" in p.settings for p in parts))
    package = given.package or build.installed()
    steps = [timed("build", lambda: build.build(package, given.jobs, targets) is None)]
    for pattern, reason in differences.patterns().items():
        print(f"cuda_host: left out: {pattern.pattern}: {reason}")
    if not given.all:
        print("cuda_host: leaving out samples marked slow, which `make test-cuda-host-all` runs")
    tests = [(PROGRAMS.name, lambda: programs(given.jobs))] if given.part is None else []
    tests += steps_of(parts, given.jobs)
    passed = passed_before(given.state)
    if done := [name for name, _ in tests if name in passed]:
        print(f"cuda_host: {given.state} has passed before: {'; '.join(done)}")
    left = [(name, step) for name, step in tests if name not in passed]
    while left and time.time() < given.until:
        steps.append(timed(*left.pop(0)))
        keep(given.state, steps[-1])
    if left:
        names = "; ".join(name for name, _ in left)
        print(f"cuda_host: the time is up; left out, with what is concluded from all: {names}")
    elif given.part is None:
        steps.append(timed("launches", lambda: every_launch_ran(parts)))
    summary(steps, is_short=not given.all and given.part is None)
    return all(passed for _, passed, _, _ in steps)


if __name__ == "__main__":
    sys.exit(main())
