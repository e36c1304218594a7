"""A failure is named with a command that repeats it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from gate import inner

CONFTEST = """
from failure_lines import FailureLines

def pytest_configure(config):
    config.pluginmanager.register(FailureLines(config))
"""
# It fails only with the plugin, in the setting, and with the parameter that has a space and a quote.
FAILS = """
import os, sys
import pytest

@pytest.mark.parametrize("text", ["it's one", "two"])
def test_text(text):
    assert not (text == "it's one" and os.environ.get("ATEN_WHERE") == "a b" and "extra" in sys.modules)
"""


def test_the_command_repeats_it(tmp_path):
    for name, text in (("conftest.py", CONFTEST), ("extra.py", ""), ("tests/test_it.py", FAILS)):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    first = [sys.executable, "-m", "pytest", "-n", "2", "-p", "extra", "tests"]
    found = os.pathsep.join(str(folder) for folder in (inner.TESTS / "tools", tmp_path))
    said = run(first, tmp_path, inner.environment(ATEN_WHERE="a b", PYTHONPATH=found))
    assert "1 failed, 1 passed" in said and "FAILED tests/test_it.py::test_text[it's one] (call):" in said
    alone = next(line for line in said.splitlines() if line.startswith("  alone: "))
    again = run(["sh", "-c", alone.removeprefix("  alone: ")], tmp_path, inner.environment())
    assert "1 failed" in again and "passed" not in again


def run(command: list[str], folder: Path, environment: dict[str, str]) -> str:
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stdout
