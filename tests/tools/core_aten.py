"""ops/pytorch/core_aten.txt: which aspects of each overload equal PyTorch's, according to the tests of
recorded calls; docs/reference/core-aten.md sums it up.

`ATEN_ALL_SAMPLES=1 pytest tests/ops/pytorch/test_recorded_calls.py -n auto --write-core-aten` writes both.
Whenever all tests of a column run, it is made again; the run fails if a line got worse, and says which. A run
that takes only some of an operator's samples doesn't reach all overloads: that isn't worse, and is counted.
"""

from __future__ import annotations

import dataclasses
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

import core_aten_page
import pytest
import thinned
from core_aten_page import ASPECTS, DATA, DTYPES, PAGE
from gate import ledger

PROPERTY = "core-aten"  # what a test hands over: its dtype, and counts by overload and aspect
# The dtype of the tests that fill a column, or None if those of every dtype do; error samples have no dtype.
FILLED_BY = {**{d: d for d in DTYPES}, "meta": None, "gradients": "float64", "forms": None, "errors": ""}


@dataclasses.dataclass
class Count:
    """Calls that were compared, those that differ, and those whose difference is known."""

    calls: int = 0
    failed: int = 0
    known: int = 0

    def add(self, calls: int, failed: int, known: int) -> None:
        self.calls, self.failed, self.known = self.calls + calls, self.failed + failed, self.known + known

    @property
    def word(self) -> str:
        return "-" if not self.calls else "partly" if self.failed or self.known else "passing"


Counts = dict[str, dict[str, Count]]  # by overload and aspect
Table = dict[str, dict[str, str]]  # a word for each overload and aspect


class CoreAten:
    """Collects the tests' results in the process that reports, not in the workers."""

    def __init__(self, config: pytest.Config) -> None:
        self.counts: Counts = defaultdict(lambda: defaultdict(Count))
        self.absent: set[str] = set()
        self.expected: dict[str, int] = {}  # tests of each dtype
        self.seen: dict[str, int] = defaultdict(int)
        self.worse: list[str] = []
        self.unreached = 0  # cells whose samples this run left out
        self._write = config.getoption("--write-core-aten")
        if file := config.getoption("--ledger"):  # tests that passed before do not run again
            for value in ledger.properties(file, PROPERTY):
                self.take(json.loads(str(value)))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when != "call":
            return
        for name, value in report.user_properties:
            if name == PROPERTY:
                self.take(json.loads(str(value)))

    def take(self, found: dict[str, Any]) -> None:
        self.expected = found["tests"]
        self.seen[found["dtype"]] += 1
        self.absent.update(found["absent"])
        for key, count in found["counts"].items():
            overload, aspect = key.split(" ")
            self.counts[overload][found["dtype"] if aspect == "values" else aspect].add(*count)

    def filled(self) -> list[str]:
        """Returns the columns whose tests all ran."""
        ran = {d for d, count in self.expected.items() if self.seen[d] >= count}
        return [a for a, dtype in FILLED_BY.items() if dtype in ran or ran == set(self.expected)]

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        filled = self.filled() if self.seen else []
        if not filled:
            return
        rows = lines(self.counts)
        if self._write and len(filled) == len(ASPECTS) and thinned.TAKES_ALL:
            core = core_overloads()
            DATA.write_text(core_aten_page.data(rows, ASPECTS, self.absent, core), encoding="utf-8")
            PAGE.write_text(core_aten_page.page(rows, ASPECTS, self.absent, core), encoding="utf-8")
        else:
            text = DATA.read_text(encoding="utf-8")
            before = core_aten_page.read(text, ASPECTS)
            self.unreached = fill_unreached(before, rows, filled) if not thinned.TAKES_ALL else 0
            self.worse = worse(before, rows, filled)
            self.worse += newly_absent(core_aten_page.read_absent(text), self.absent)
            if self.worse:
                session.exitstatus = 1

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_terminal_summary(self, terminalreporter: Any) -> Iterator[None]:
        """Comes after pytest's own, so that the last lines of a run say why it failed."""
        yield
        if self.unreached:
            note = "cells of core_aten.txt are not compared: no sample of this run reached them"
            terminalreporter.line(f"{self.unreached} {note} (ATEN_ALL_SAMPLES=1 takes all)")
        if self.worse:
            terminalreporter.section("tests/ops/pytorch/core_aten.txt: lines that got worse", red=True)
            for line in self.worse:
                terminalreporter.line(line)


def lines(counts: Counts) -> Table:
    """Returns a word for each aspect of each overload; core overloads that are not declared are missing."""
    import aten

    declared = {n.removeprefix("aten::") for n in aten._C._operator_names() if n.startswith("aten::")}
    made: Table = {}
    for name in sorted(declared | core_overloads()):
        found = {
            a: (counts[name][a] if a != "errors" else counts[name.partition(".")[0]][a]).word for a in ASPECTS
        }
        made[name] = found if name in declared else dict.fromkeys(ASPECTS, "missing")
    return made


def core_overloads() -> set[str]:
    """Returns the overloads that PyTorch tags as core."""
    import torch

    names = torch._C._dispatch_get_all_op_names() if hasattr(torch._C, "_dispatch_get_all_op_names") else []
    found = set()
    for name in names:
        space, _, rest = name.partition("::")
        packet, _, overload = rest.partition(".")
        if space == "aten" and hasattr(torch.ops.aten, packet):
            func = getattr(getattr(torch.ops.aten, packet), overload or "default", None)
            if func is not None and torch.Tag.core in func.tags:
                found.add(rest)
    return found


def newly_absent(before: set[str], now: set[str]) -> list[str]:
    """Returns the overloads that PyTorch's samples reach, and that are neither declared nor listed."""
    return [f"{name}: is not declared, and core_aten.txt doesn't list it" for name in sorted(now - before)]


def fill_unreached(before: Table, now: Table, aspects: Iterable[str]) -> int:
    """Takes the cells that no sample reached from the table before; returns their number."""
    cells = [(n, a) for n in before.keys() & now.keys() for a in aspects]
    unreached = [(n, a) for n, a in cells if now[n][a] == "-" and before[n][a] in ("partly", "passing")]
    for name, aspect in unreached:
        now[name][aspect] = before[name][aspect]
    return len(unreached)


RANK = {"missing": 0, "-": 1, "partly": 2, "passing": 3}


def worse(before: Table, now: Table, aspects: Iterable[str] = ASPECTS) -> list[str]:
    """Returns the cells of these columns that are worse than before."""
    found = []
    for name, cells in before.items():
        for aspect in aspects:
            word, got = cells[aspect], now.get(name, {}).get(aspect, "missing")
            if RANK[got] < RANK[word]:
                found.append(f"{name}: {aspect} was {word}, is {got}")
    return found
