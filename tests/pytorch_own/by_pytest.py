"""Test files that are written for pytest, without classes of unittest."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest


def names(file: Path) -> list[str]:
    """Returns the names of a file's tests."""
    found = _Tests(None, lambda **values: None)
    _main(file, found, "--collect-only")
    return found.collected


def run(file: Path, chosen: Sequence[str], say: Callable[..., None]) -> None:
    """Runs tests; says when each begins and ends."""
    _main(file, _Tests(set(chosen), say))


def _main(file: Path, plugin: _Tests, *options: str) -> None:
    pytest.main(
        [
            "-q",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:xdist",
            "--noconftest",
            "-c",
            os.devnull,
            *options,
            str(file),
        ],
        plugins=[plugin],
    )


class _Tests:
    """A plugin that chooses tests and says what they come to."""

    def __init__(self, chosen: set[str] | None, say: Callable[..., None]) -> None:
        self.chosen, self.say, self.collected = chosen, say, []
        self.result: dict[str, Any] = {}

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        self.collected += [_name(item.nodeid) for item in items]
        if self.chosen is not None:
            items[:] = [item for item in items if _name(item.nodeid) in self.chosen]

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.say(begins=_name(nodeid))
        self.result = {"what": "passed", "text": "", "seconds": time.monotonic()}

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.outcome == "failed" or (report.outcome == "skipped" and not hasattr(report, "wasxfail")):
            crash = getattr(report.longrepr, "reprcrash", None)
            text = (
                f"{crash.message}\n{Path(crash.path).name}:{crash.lineno}" if crash else str(report.longrepr)
            )
            self.result.update(what=report.outcome, text=text[:1000])

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        seconds = round(time.monotonic() - self.result["seconds"], 2)
        self.say(ends=_name(nodeid), **{**self.result, "seconds": seconds})


def _name(nodeid: str) -> str:
    return nodeid.partition("::")[2]
