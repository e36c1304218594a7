"""A share of the tests, until a time: the pytest plugin of `make test-share`, for its options --share and
--until. Of the tests marked campaign, which are many, it has a smaller one.

    pytest -m slow --share 3/5 --until $(($(date +%s) + 1200)) tests

Tests that the last day's commits touch come first (touched.py), then the share of the others, by a hash of
their names, so that a commit has the same tests in the same order everywhere. Some long ones begin first;
which, and the order of the others' files, changes with the share. When the time is up no further test
begins, nor one whose recorded time doesn't fit in three times, as a busy machine may need; their names are in
build/share.json. A test that runs ten minutes longer hangs: its process prints where it is, and ends.
"""

from __future__ import annotations

import faulthandler
import json
import os
import signal
import time
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from gate import files, seconds
from gate.touched import Touched, touched

KEPT = Path("build", "share.json")
MOST_NAMED = 50  # of the touched tests that had no time
CAMPAIGN_SHARES = 10  # for each of the others
BUSY = 3  # times as long as recorded may a test take
HANGS = 600  # seconds after the end
LONG = 10  # seconds, from which on a group of tests counts as long
LONG_FIRST = 300  # recorded seconds, of all workers together, after which no more long ones begin first
# A fixture of each file compiles something: its tests stay together.
BUILDS = ("tests/integration/", "tests/projects/", "tests/cli/building/")


def add_options(parser: pytest.Parser) -> None:
    group = parser.getgroup("share")
    group.addoption(
        "--share",
        metavar="I/N",
        help="touched tests and the I-th of N shares of the others; N+1 is the first again, 0 none",
    )
    group.addoption(
        "--until", type=float, default=float("inf"), help="seconds since 1970: no test begins later"
    )


def has_share(config: pytest.Config) -> bool:
    return bool(config.getoption("--share"))


@dataclass
class Plan:
    """Which long tests begin first; of these, `seconds` are left."""

    turn: int
    recorded: dict[str, float]
    seconds: float = LONG_FIRST

    def choose(self, lengths: dict[str, float]) -> tuple[list[str], list[str]]:
        """Returns the groups that come first and the others, each with the longest first."""
        chosen: list[str] = []
        for name in self.shuffled(lengths):
            if self.seconds > 0:
                chosen.append(name)
                self.seconds -= lengths[name]
        others = set(lengths).difference(chosen)
        return sorted(chosen, key=lambda n: -lengths[n]), sorted(others, key=lambda n: (-lengths[n], n))

    def shuffled(self, names: Iterable[str]) -> list[str]:
        """Sorts in an order of this turn's by the names' files, so that in time all come first."""
        return sorted(names, key=lambda name: zlib.crc32(f"{self.turn} {name.partition('::')[0]}".encode()))


class Share:
    """Chooses and stops in the workers, which collect and run the tests; sums up where they were started."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._turn, self._of = parsed(config.getoption("--share"))
        self._until: float = config.getoption("--until")
        self._touched, self._since = touched(config.rootpath)
        self._recorded = seconds.recorded(config.rootpath)
        self._others = 0  # tests of other shares
        self._left: list[str] = []
        self._ran: dict[str, None] = {}
        # At SIGALRM, also inside a call that doesn't return, prints the stacks and ends the process. What a
        # test forks has no timer, and no lock of faulthandler's that nobody unlocks.
        stderr = os.fdopen(os.dup(2), "w")  # as it is before pytest captures it
        faulthandler.register(signal.SIGALRM, stderr, chain=True)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        first: list[pytest.Item] = []
        mine: list[pytest.Item] = []
        last: list[pytest.Item] = []  # also touched, but so many that they would take all the time
        others: list[pytest.Item] = []
        for item in items:
            is_campaign = item.get_closest_marker("campaign") is not None
            is_mine = self._has_turn(item.nodeid, self._of * (CAMPAIGN_SHARES if is_campaign else 1))
            place = mine if is_mine else others
            if self._touched.has(item.nodeid):
                place = last if is_campaign else first
            place.append(item)
        config.hook.pytest_deselected(items=others)
        self._others = len(others)
        workers = getattr(config, "workerinput", {}).get("workercount", 1)
        plan = Plan(self._turn, self._recorded)
        hands: list[list[pytest.Item]] = [[] for _ in range(workers)]
        for part in (first, mine, last):
            deal(part, hands, plan)
        items[:] = [item for hand in hands for item in hand]

    def _has_turn(self, name: str, of: int) -> bool:
        return self._turn > 0 and share_of(name, of) == (self._turn - 1) % of + 1

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
        left = self._until - time.time()
        if BUSY * self._recorded.get(item.nodeid, 0) < left:
            if left < float("inf"):
                signal.setitimer(signal.ITIMER_REAL, left + HANGS)
            return None
        self._left.append(item.nodeid)
        # The test before kept what this one needs; the next one may be of another file.
        item.session._setupstate.teardown_exact(nextitem)
        return True

    def pytest_runtest_logfinish(self) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._ran[report.nodeid] = None

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionfinish(self) -> Iterator[None]:
        is_worker = hasattr(self._config, "workeroutput")
        if is_worker:
            self._config.workeroutput["share"] = (self._others, self._left)
        yield
        if not is_worker:
            kept = {"share": self._turn, "of": self._of, "touched": str(self._touched)}
            kept |= {"ran": list(self._ran), "left out": self._left}
            with files.or_exit():
                files.write(self._config.rootpath / KEPT, json.dumps(kept, indent=0) + "\n")

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        others, left = getattr(node, "workeroutput", {}).get("share", (0, []))
        self._others = max(self._others, others)
        self._left += left

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        for line in summary(self._touched, self._since, list(self._ran), self._left):
            terminalreporter.write_line(line)
        share = f"share {(self._turn - 1) % self._of + 1} of {self._of}" if self._turn else "no share"
        terminalreporter.write_line(f"{share}: {self._others} tests are in other shares and left out")


def summary(what: Touched, since: str, ran: list[str], left: list[str]) -> list[str]:
    """Says by number what ran and what did not; names the touched tests that had no time."""
    lines = [f"touched, {since}: {what}"]
    for names, word in ((ran, "ran"), (left, "are left out, for the time is up")):
        count = sum(map(what.has, names))
        lines.append(f"{len(names)} tests {word}: {count} that are touched, {len(names) - count} others")
    unmet = [name for name in left if what.has(name)]
    lines += [f"  left out, though touched: {name}" for name in unmet[:MOST_NAMED]]
    if (more := len(unmet) - MOST_NAMED) > 0:
        lines.append(f"  left out, though touched: {more} more, all in {KEPT}")
    return lines if left else lines[:2]


def deal(items: list[pytest.Item], hands: list[list[pytest.Item]], plan: Plan) -> None:
    """Gives each worker its part: the plan's long groups, the longest first, in turn, so that they run side
    by side; then as many of the short tests, neighbours together, for pytest-xdist cuts the
    list into parts of one length; then the other long ones.
    """
    groups: dict[str, list[pytest.Item]] = {}
    for item in items:
        groups.setdefault(group_of(item.nodeid), []).append(item)
    known = plan.recorded
    lengths = {name: sum(known.get(item.nodeid, 0) for item in group) for name, group in groups.items()}
    first, last = plan.choose({name: length for name, length in lengths.items() if length >= LONG})
    short = [item for name in plan.shuffled(groups) if lengths[name] < LONG for item in groups[name]]
    for long, others in ((first, short), (last, [])):
        for turn, name in enumerate(long):
            hands[turn % len(hands)] += groups[name]
        for number, hand in enumerate(hands):
            hand += others[len(others) * number // len(hands) : len(others) * (number + 1) // len(hands)]


def parsed(share: str) -> tuple[int, int]:
    """Returns (I, N) of "I/N"."""
    number, _, of = share.partition("/")
    if not (number.isdecimal() and of.isdecimal() and int(of)):
        raise pytest.UsageError(f"--share is {share!r}; expected I/N with N from 1 on, as 3/6")
    return int(number), int(of)


def group_of(name: str) -> str:
    return name.partition("::")[0] if name.startswith(BUILDS) else name


def share_of(name: str, of: int) -> int:
    """Returns the number, from 1 on, of the share that a test belongs to."""
    return zlib.crc32(group_of(name).encode()) % of + 1
