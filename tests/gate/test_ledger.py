"""A run of all tests that was killed goes on where it was, and runs again what failed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import campaign
import pytest
from gate import files, ledger, whole
from gate.inner import environment

CONFTEST = """
from gate import ledger

pytest_addoption = ledger.add_options

def pytest_configure(config):
    config.pluginmanager.register(ledger.Ledger(config))
"""
# The test in the middle ends its process, and the one that started it, as long as there is a file "kill".
MANY = """
import os, pathlib, signal
import pytest

@pytest.mark.parametrize("number", range(30))
def test_number(number, record_property):
    record_property("seen", number)
    if number == 15 and pathlib.Path("kill").exists():
        os.kill(int(os.environ["STARTED"]), signal.SIGKILL)
        os.kill(os.getpid(), signal.SIGKILL)
    if number == 3:
        pytest.skip("not here")
    assert number != 7 or pathlib.Path("mended").exists()
"""
START = "import os, pytest; os.environ['STARTED'] = str(os.getpid()); raise SystemExit(pytest.main({}))"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = {"conftest.py": CONFTEST, "pytest.ini": "[pytest]\n", "tests/test_many.py": MANY}
    files["tests/projects/test_built.py"] = "def test_one(): pass\n"
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def ran(folder: Path, part: str, jobs: int) -> tuple[int, str]:
    options = ["-n", str(jobs), "--part", part, "--ledger", str(folder / "ledger"), "tests"]
    command = [sys.executable, "-c", START.format(options)]
    done = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("jobs", [0, 2])
def test_killed_then_mended(folder, jobs):
    kept = folder / "ledger"
    (folder / "kill").touch()
    assert ran(folder, "python", jobs)[0] < 0
    before = ledger.outcomes(files.lines(kept))
    assert 0 < len(before) < 30
    (folder / "kill").unlink()
    status, said = ran(folder, "python", jobs)
    again = before.keys() & {"tests/test_many.py::test_number[7]"}
    assert status == 1 and f"{len(before) - len(again)} tests of python had ended before" in said
    (folder / "mended").touch()
    status, said = ran(folder, "python", jobs)
    assert status == 0 and "1 passed" in said
    assert sorted(ledger.properties(kept, "seen")) == [n for n in range(30) if n != 3]
    figures = whole.figures(kept, "python")
    assert (figures["passed"], figures["skipped"], figures["failed"]) == (29, 1, 0)


def test_a_part_has_its_own_tests(folder):
    assert "1 passed" in ran(folder, "builds", 2)[1]
    assert set(ledger.outcomes(files.lines(folder / "ledger"))) == {"tests/projects/test_built.py::test_one"}


def test_a_line_that_was_being_written(tmp_path):
    kept = tmp_path / "ledger"
    ledger.add(kept, part="python", test="one", outcome="passed", properties=[])
    kept.write_text(kept.read_text() + '{"part": "python", "te')
    assert ledger.outcomes(files.lines(kept)) == {"one": "passed"}
    ledger.add(kept, part="python", test="two", outcome="passed", properties=[])
    assert set(ledger.outcomes(files.lines(kept))) == {"one", "two"}


def test_the_minutes_of_a_killed_run_count(tmp_path, monkeypatch):
    kept = tmp_path / "ledger"
    for at, line in (
        (1000, {"begins": True}),
        (1090, {"test": "one", "outcome": "passed"}),  # killed here
        (9000, {"begins": True}),
        (9060, {"test": "two", "outcome": "passed"}),
        (9090, {"status": 0}),
    ):
        monkeypatch.setattr(ledger.time, "time", lambda at=at: at)
        ledger.add(kept, part="python", **line)
    assert whole.figures(kept, "python")["minutes"] == 3


def conclude(tmp_path: Path, monkeypatch, **statuses: int) -> tuple[int, bool]:
    kept, last = tmp_path / "ledger", tmp_path / whole.LAST
    last.parent.mkdir(parents=True, exist_ok=True)
    monkeypatch.setattr(whole, "ROOT", tmp_path)
    for part, status in statuses.items():
        ledger.add(kept, part=part, begins=True)
        ledger.add(kept, part=part, test=f"{part}-1", outcome="passed", properties=[])
        ledger.add(kept, part=part, tests=1)
        ledger.add(kept, part=part, status=status)
    code = whole.conclude(kept, "abc")
    return code, last.exists() and json.loads(last.read_text())["commit"] == "abc"


def test_whole_when_all_parts_are(tmp_path, monkeypatch, capsys):
    some = dict.fromkeys(whole.PARTS[:-1], 0)
    assert conclude(tmp_path, monkeypatch, **some) == (0, False)
    assert "not whole yet: python" in capsys.readouterr().out
    assert conclude(tmp_path, monkeypatch, python=0) == (0, True)


def test_its_numbers_are_no_change_of_what_was_tested(tmp_path, monkeypatch):
    """Or else the run after a whole one would begin again."""
    who = ["-c", "user.name=x", "-c", "user.email=x"]
    (tmp_path / "tests" / "gate").mkdir(parents=True)
    (tmp_path / "tests" / "test_one.py").write_text("")
    for command in (["init", "-q"], ["add", "-A"], [*who, "commit", "-q", "-m", "one"]):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    monkeypatch.setattr(whole, "ROOT", tmp_path)
    monkeypatch.setattr(campaign, "ROOT", tmp_path)
    before = whole.state()
    assert conclude(tmp_path, monkeypatch, **dict.fromkeys(whole.PARTS, 0)) == (0, True)
    assert whole.state() == before and "+" not in before
    (tmp_path / "tests" / "test_one.py").write_text("pass\n")
    assert whole.state().startswith(f"{before}+")


def test_a_conclusion_that_failed_fails_the_run(tmp_path, monkeypatch):
    """Though each test passed: the emulated device's reports, or a page that got worse."""
    assert conclude(tmp_path, monkeypatch, **{**dict.fromkeys(whole.PARTS, 0), "pytorch": 1}) == (1, True)
