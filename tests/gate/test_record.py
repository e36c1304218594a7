"""What a run's record says at its end: times, then why tests failed, also one whose process crashed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from gate import inner

CONFTEST = """
from gate import record

def pytest_configure(config):
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(record.Recorder())
"""
FAILS = """
import os, pytest, subprocess, sys

@pytest.fixture(scope="module")
def broken(): raise OSError("no such fixture")

def test_one(broken): pass
def test_two(broken): pass
def test_passes(): pass
def test_fails(): assert "what was got" == "what was expected"
def test_crashes(): os._exit(7)
def test_runs_another():
    assert subprocess.run([sys.executable, "-m", "pytest", "-n", "0", "of_a_test.py"]).returncode == 1
"""


def test_failures_come_last(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_it.py").write_text(FAILS)
    (tmp_path / "of_a_test.py").write_text("def test_inner(): assert False\n")
    lines = tmp_path / "gate.jsonl"
    tests = [sys.executable, "-m", "pytest", "-n", "2", "test_it.py"]
    recorded = inner.environment(TEST_RECORD=str(lines))
    done = subprocess.run(tests, cwd=tmp_path, env=recorded, capture_output=True, check=False)
    assert done.returncode == 1
    report = [sys.executable, inner.TESTS / "gate" / "record.py", lines]
    said = subprocess.run(report, capture_output=True, text=True, check=True).stdout
    times, _, failures = said.partition("failed: ")
    assert "test_it.py::test_passes" in times and "test_passes" not in failures
    assert "'what was got' == 'what was expected'" in failures
    assert failures.count("def broken()") == 1
    assert "test_it.py::test_one\nfailed: test_it.py::test_two\n" in failures
    assert "test_inner" not in said and "test_runs_another" in times
    assert "crashed while running 'test_it.py::test_crashes'" in failures
