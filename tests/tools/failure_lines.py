"""Names each failure as it happens, so that a run which is ended before its summary has said what failed,
with the command that runs the test alone.
"""

from __future__ import annotations

import itertools
import os
import shlex
import sys

import pytest

SETTINGS = ("ATEN_", "EMULATOR_", "PYTHONPATH")  # the beginnings of variables that change what tests do


class FailureLines:
    """Writes two lines for each failure, in the process that shows the results."""

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
            terminal.write_line(f"  alone: {command(self._config, report.nodeid)}")


def command(config: pytest.Config, name: str) -> str:
    """Returns what runs one test as this run does, in a shell in the root of the repository."""
    settings = [f"{key}={shlex.quote(text)}" for key, text in os.environ.items() if key.startswith(SETTINGS)]
    python = os.path.relpath(sys.executable, config.rootpath)
    if python.startswith(os.pardir):
        python = sys.executable
    pairs = itertools.pairwise(map(str, config.invocation_params.args))
    plugins = [word for option, plugin in pairs if option == "-p" for word in (option, plugin)]
    words = [python, "-m", "pytest", "-n", "0", *plugins, name]
    return " ".join([*sorted(settings), shlex.join(words)])
