"""Runs of pytest that tests of the runner start."""

from __future__ import annotations

import os
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]


def environment(**settings: str) -> dict[str, str]:
    """Returns that of a run with the modules of tests/. It begins in half the time, for it has no plugins but
    pytest-xdist.
    """
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST_", "ATEN_", "EMULATOR_"))}
    plugins = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_PLUGINS": "xdist.plugin"}
    return {**kept, **plugins, "PYTHONPATH": str(TESTS), **settings}
