"""A share of the tests, until a time: the pytest plugin of `make test-share`, for its options --share and
--until.

    pytest -m slow --share 3/6 --until $(($(date +%s) + 1200)) tests

Shares are by a hash of the test's name, so that a commit's share has the same tests everywhere. Those of a
file whose fixtures build something are in one share. What builds begins first, beside other tests. When the
time is up no further test begins; their names are in build/share.json.
"""

from __future__ import annotations

import json
import time
import zlib
from pathlib import Path
from typing import Any

import pytest

KEPT = Path("build", "share.json")
# Each file's tests share what a fixture compiles.
BUILDS = ("tests/integration/", "tests/projects/", "tests/cli/building/")


def add_options(parser: pytest.Parser) -> None:
    group = parser.getgroup("share")
    group.addoption("--share", metavar="I/N", help="only the I-th of N shares of the tests, from 1 on")
    group.addoption(
        "--until", type=float, default=float("inf"), help="seconds since 1970: no test begins later"
    )


def has_share(config: pytest.Config) -> bool:
    return bool(config.getoption("--share"))


class Share:
    """Chooses and stops in the workers, which collect and run the tests; sums up where they were started."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._number, self._of = parsed(config.getoption("--share"))
        self._until: float = config.getoption("--until")
        self._others = 0  # tests of other shares
        self._left: list[str] = []
        self._seconds: dict[str, float] = {}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        chosen: list[pytest.Item] = []
        others: list[pytest.Item] = []
        for item in items:
            (chosen if share_of(item.nodeid, self._of) == self._number else others).append(item)
        config.hook.pytest_deselected(items=others)
        self._others = len(others)
        items[:] = sorted(chosen, key=lambda item: not item.nodeid.startswith(BUILDS))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> bool | None:
        if time.time() < self._until:
            return None
        self._left.append(item.nodeid)
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._seconds[report.nodeid] = self._seconds.get(report.nodeid, 0) + report.duration

    def pytest_sessionfinish(self) -> None:
        if hasattr(self._config, "workeroutput"):
            self._config.workeroutput["share"] = (self._others, self._left)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        others, left = getattr(node, "workeroutput", {}).get("share", (0, []))
        self._others = max(self._others, others)
        self._left += left

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        file = self._config.rootpath / KEPT
        file.parent.mkdir(exist_ok=True)
        kept = {"share": self._number, "of": self._of, "seconds": self._seconds, "left out": self._left}
        file.write_text(json.dumps(kept, indent=0) + "\n")
        write = terminalreporter.write_line
        write("the slowest tests:")
        for name, seconds in sorted(self._seconds.items(), key=lambda each: -each[1])[:20]:
            write(f"{seconds:8.1f} s {name}")
        ran, left = len(self._seconds), len(self._left)
        write(f"share {self._number} of {self._of}: {ran} tests ran; {self._others} are in other shares")
        if left:
            write(f"{left} tests of this share are left out, for the time was up: {KEPT}")


def parsed(share: str) -> tuple[int, int]:
    """Returns (I, N) of "I/N"."""
    number, _, of = share.partition("/")
    if not (number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of)):
        raise pytest.UsageError(f"--share is {share!r}; expected I/N with I from 1 to N, as 3/6")
    return int(number), int(of)


def share_of(name: str, of: int) -> int:
    """Returns the number, from 1 on, of the share that a test belongs to."""
    if name.startswith(BUILDS):
        name = name.partition("::")[0]
    return zlib.crc32(name.encode()) % of + 1
