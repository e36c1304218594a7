"""Runs tests against a mutant, in a fork of a process that has only pytest loaded."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

from .copies import Copy
from .covering import Test
from .mutant import Mutant

# CPU time, so that a busy machine makes no mutant hang; the limit of wall-clock time is larger.
SECONDS = 60
CLOCK_SECONDS = 10 * SECONDS
MEMORY = 4 << 30  # beside what the process that forks has
# The user ends the campaign: this is no result of the mutant.
STOPPED = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
# How many test files the first processes run; the last one runs all others.
FIRST_FILES = (1, 2, 4, 8)


@dataclass(frozen=True)
class Outcome:
    """`kind` is noticed, timeout or survived; `by` the first test that failed or hung."""

    kind: str
    by: str | None = None


class _Watch:
    """A pytest plugin: runs the tests of `chosen`, in its order, and records the current one.

    A test that is not in `known` got its name from the mutant; it runs as well.
    """

    def __init__(self, chosen: list[str], known: set[str], report: Path) -> None:
        self.order = {name: index for index, name in enumerate(chosen)}
        self.known, self.report = known, report

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        kept = [i for i in items if i.nodeid in self.order or i.nodeid not in self.known]
        items[:] = sorted(kept, key=lambda i: self.order.get(i.nodeid, len(self.order)))

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.report.write_text(nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.report.write_text(f"{report.nodeid} (when it is imported)")


def tried(copy: Copy, mutant: Mutant, groups: list[list[Test]], known: set[str]) -> Outcome:
    """Tests a mutant. `groups` are the tests of each file; the first failure ends the run."""
    with copy.with_mutant(mutant):
        for files in _portions(groups):
            tests = [test.name for group in files for test in group]
            outcome = _run(copy, [group[0].file for group in files], tests, known)
            if outcome.kind != "survived":
                return outcome
    return Outcome("survived")


def _portions(groups: list[list[Test]]) -> Iterable[list[list[Test]]]:
    at = 0
    for size in (*FIRST_FILES, len(groups)):
        if groups[at : at + size]:
            yield groups[at : at + size]
        at += size


def _run(copy: Copy, files: list[str], tests: list[str], known: set[str]) -> Outcome:
    report = copy.folder / "at.txt"
    report.unlink(missing_ok=True)
    watch = _Watch(tests, known, report)
    arguments = ["-x", "-q", "-m", "not slow", "-p", "no:cacheprovider", "--rootdir", str(copy.tree), *files]
    child = os.fork()
    if child == 0:
        _alone(copy, lambda: pytest.main(arguments, [watch]))
    status = _waited(child, CLOCK_SECONDS)
    by = report.read_text() if report.exists() else None
    if status is not None and os.WIFSIGNALED(status) and os.WTERMSIG(status) in STOPPED:
        raise SystemExit("mutate: stopped; the same command goes on")
    if status is None or (os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL)):
        return Outcome("timeout", by)
    passed = os.WIFEXITED(status) and os.WEXITSTATUS(status) in (
        pytest.ExitCode.OK,
        pytest.ExitCode.NO_TESTS_COLLECTED,
    )
    return Outcome("survived") if passed else Outcome("noticed", by)


def _alone(copy: Copy, run: Callable[[], int]) -> None:
    """Runs in the child: output to a file, the copy's package first, no compiled files, limited time."""
    code = 70
    try:
        os.setsid()
        os.chdir(copy.tree)
        with open(copy.folder / "log.txt", "w") as log:
            os.dup2(log.fileno(), 1)
            os.dup2(log.fileno(), 2)
        sys.path.insert(0, str(copy.imports))
        os.environ |= {**copy.environment, "PYTHONDONTWRITEBYTECODE": "1"}
        sys.dont_write_bytecode = True
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 5))
        resource.setrlimit(resource.RLIMIT_AS, (_size() + MEMORY, resource.RLIM_INFINITY))
        code = int(run())
    finally:
        os._exit(code)


def _size() -> int:
    """Returns the bytes of the address space of this process; 0 where the system doesn't say."""
    with contextlib.suppress(OSError):
        return int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def _waited(child: int, seconds: float) -> int | None:
    """Returns the child's exit status; None when it had to be killed, with all its processes."""
    end = time.monotonic() + seconds
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done or time.monotonic() > end:
            break
        time.sleep(0.02)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    if done:
        return status
    os.waitpid(child, 0)
    return None
