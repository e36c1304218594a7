"""What ended of all tests, kept by commit, so that `make test-all` goes on where it was stopped: the pytest
plugin for its options --part and --ledger.

A line of JSON for each test that ended, with what it hands over for core_aten.txt; for each run
of a part one where it begins, one with the number of tests and one with its status. Each has the time.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from gate import files, seconds, share

# By the beginnings of names; the rest is "python", and the emulated device runs beside pytest.
PARTS = {"builds": share.BUILDS, "pytorch": seconds.PYTORCH}
OTHERS = "python"
OUTCOMES = ("passed", "skipped", "failed")


def part_of(name: str) -> str:
    return next((part for part, starts in PARTS.items() if name.startswith(starts)), OTHERS)


def outcomes(found: Iterable[dict[str, Any]]) -> dict[str, str]:
    """Returns the last outcome of each test."""
    return {line["test"]: line["outcome"] for line in found if "test" in line}


def add(file: Path, **line: Any) -> None:
    files.append(file, {**line, "at": round(time.time(), 1)})


def seconds_of(found: Iterable[dict[str, Any]]) -> float:
    """Returns those of all runs, of a killed one until its last test ended."""
    total, last = 0.0, 0.0
    for line in found:
        total += 0 if "begins" in line else line["at"] - last
        last = line["at"]
    return total


def add_options(parser: pytest.Parser) -> None:
    group = parser.getgroup("ledger")
    group.addoption("--part", choices=[*PARTS, OTHERS], help="of all tests")
    group.addoption("--ledger", type=Path, metavar="FILE", help="tests that passed, which do not run again")


def has_ledger(config: pytest.Config) -> bool:
    return bool(config.getoption("--ledger"))


class Ledger:
    """Chooses in the workers, which collect and run the tests; writes in the process that started them."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._file: Path = config.getoption("--ledger")
        self._part: str = config.getoption("--part")
        self._is_worker = hasattr(config, "workerinput")
        self._tests = 0  # of the part
        self._reports: dict[str, list[pytest.TestReport]] = {}
        if self._is_worker:  # one that takes the place of a crashed one has to choose as that one did
            self._done = set(config.workerinput["ledger"])
        else:
            before = outcomes(line for line in files.lines(self._file) if line["part"] == self._part)
            self._done = {name for name, outcome in before.items() if outcome != "failed"}

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        node.workerinput["ledger"] = sorted(self._done)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        mine = [item for item in items if part_of(item.nodeid) == self._part]
        self._tests = len(mine)
        workers = getattr(config, "workerinput", {}).get("workercount", 1)
        hands: list[list[pytest.Item]] = [[] for _ in range(workers)]
        left = [item for item in mine if item.nodeid not in self._done]
        share.deal(left, hands, share.Plan(0, seconds.recorded(config.rootpath), float("inf")))
        items[:] = [item for hand in hands for item in hand]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keeps the outcome of a test when it has ended, or its process has (`when` is "???" then)."""
        if self._is_worker:
            return
        reports = self._reports.setdefault(report.nodeid, [])
        reports.append(report)
        if report.when in ("setup", "call"):
            return
        found = {r.outcome for r in reports}
        with files.or_exit():
            add(
                self._file,
                part=self._part,
                test=report.nodeid,
                outcome=next(o for o in reversed(OUTCOMES) if o in found),
                seconds=round(sum(r.duration for r in reports), 3),
                properties=[pair for r in reports if r.when == "call" for pair in r.user_properties],
            )
        del self._reports[report.nodeid]

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionfinish(self) -> Iterator[None]:
        if self._is_worker:
            self._config.workeroutput["ledger"] = self._tests
        yield
        if not self._is_worker:
            with files.or_exit():
                add(self._file, part=self._part, tests=self._tests)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        self._tests = max(self._tests, getattr(node, "workeroutput", {}).get("ledger", 0))

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if count := len(self._done):
            terminalreporter.write_line(f"{count} tests of {self._part} had ended before: {self._file}")


def properties(file: Path, name: str) -> Iterator[Any]:
    """Yields what the tests that passed before handed over under a name."""
    ended = (line for line in files.lines(file) if "test" in line)
    last = {line["test"]: line for line in ended if line["outcome"] == "passed"}
    for line in last.values():
        yield from (value for key, value in line["properties"] if key == name)
