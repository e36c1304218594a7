"""docs/reference/core-aten.md: which aspects of each overload equal PyTorch's, according to the tests of
recorded calls.

`pytest tests/ops/pytorch/test_recorded_calls.py -n auto --write-core-aten` writes it. Whenever all of these
run, the table is made again; the run fails if a line got worse, and says which.
"""

from __future__ import annotations

import dataclasses
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import core_aten_page
import pytest

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "core-aten.md"
PROPERTY = "core-aten"  # what a test hands over: its dtype, and counts by overload and aspect
DTYPES = ("float32", "float64", "int64", "bool", "bfloat16", "complex64")
ASPECTS = (*DTYPES, "meta", "gradients", "forms", "errors")


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


class CoreAten:
    """Collects the tests' results in the process that reports, not in the workers."""

    def __init__(self, config: pytest.Config) -> None:
        self.counts: Counts = defaultdict(lambda: defaultdict(Count))
        self.expected, self.seen = 0, 0
        self.worse: list[str] = []
        self._write = config.getoption("--write-core-aten")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when != "call":
            return
        for name, value in report.user_properties:
            if name == PROPERTY:
                self.take(json.loads(str(value)))

    def take(self, found: dict[str, Any]) -> None:
        self.expected, self.seen = found["tests"], self.seen + 1
        for key, count in found["counts"].items():
            overload, aspect = key.split(" ")
            self.counts[overload][found["dtype"] if aspect == "values" else aspect].add(*count)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if not self.seen or self.seen < self.expected:
            return
        rows = lines(self.counts)
        if self._write:
            PAGE.write_text(core_aten_page.page(rows, ASPECTS), encoding="utf-8")
        elif PAGE.exists():
            self.worse = worse(core_aten_page.read(PAGE.read_text(encoding="utf-8")), rows)
            if self.worse:
                session.exitstatus = 1

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self.worse:
            terminalreporter.section("docs/reference/core-aten.md: lines that got worse", red=True)
            for line in self.worse:
                terminalreporter.line(line)


def lines(counts: Counts) -> dict[str, dict[str, str]]:
    """Returns a word for each aspect of each overload; core overloads that are not declared are missing."""
    import aten

    declared = {n.removeprefix("aten::") for n in aten._C._operator_names() if n.startswith("aten::")}
    made: dict[str, dict[str, str]] = {}
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


RANK = {"missing": 0, "-": 1, "partly": 2, "passing": 3}


def worse(before: dict[str, dict[str, str]], now: dict[str, dict[str, str]]) -> list[str]:
    """Returns the cells that are worse than before."""
    found = []
    for name, cells in before.items():
        for aspect, word in cells.items():
            got = now.get(name, {}).get(aspect, "missing")
            if RANK[got] < RANK[word]:
                found.append(f"{name}: {aspect} was {word}, is {got}")
    return found
