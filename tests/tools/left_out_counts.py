"""What a run left out, printed at its end: tests by their marks, which pytest-xdist's own summary doesn't
count, and samples of tests that take only some of many.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import thinned

KEY = "left out"


class LeftOut:
    """Counts in the workers, which collect and run the tests, and prints in the process that started them."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._tests = self._samples = 0

    def pytest_deselected(self, items: list[pytest.Item]) -> None:
        self._tests += len(items)

    def pytest_sessionfinish(self) -> None:
        if hasattr(self._config, "workeroutput"):
            self._config.workeroutput[KEY] = (self._tests, thinned.left_out)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Takes a worker's numbers: each collects all tests, and runs some."""
        tests, samples = getattr(node, "workeroutput", {}).get(KEY, (0, 0))
        self._tests = max(self._tests, tests)
        self._samples += samples

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        line: Callable[[str], None] = terminalreporter.line
        if self._tests:
            line(f"{self._tests} tests are left out (-m or --deselect)")
        if samples := self._samples + thinned.left_out:
            line(f"{samples} samples of operators with many are left out (ATEN_ALL_SAMPLES=1 takes all)")
