"""Names each failure as it happens, so that a run which is ended before its summary has said what failed."""

from __future__ import annotations

import pytest


class FailureLines:
    """Writes a line for each failure, in the process that shows the results."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        terminal = self._config.pluginmanager.get_plugin("terminalreporter")
        if report.failed and terminal is not None:
            crash = getattr(report.longrepr, "reprcrash", None)
            message = (crash.message if crash else report.longreprtext).strip().partition("\n")[0]
            terminal.line("")
            terminal.write_line(f"FAILED {report.nodeid} ({report.when}): {message[:200]}")
