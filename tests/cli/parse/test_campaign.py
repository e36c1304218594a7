"""A killed campaign is continued, and counts no inputs that were tried with other files."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from campaign import ROOT, Campaign, Running, digest

PATHS = (ROOT / "pyproject.toml",)
SLOW = """
import sys, time
sys.path[:0] = {path!r}
from pathlib import Path
from campaign import Campaign
from test_campaign import PATHS

def work(seed, first, count):
    time.sleep(0.02)
    with open({log!r}, "a") as log:
        log.write(f"{{first}} {{count}}\\n")
    return ["bad"] if first == 10 else []

Campaign.open("slow", 1000, PATHS, 7, Path({folder!r})).run(work, 10, 2, print)
"""


def begun(folder: Path, size: int, done: int, seed: int | None = 7) -> Campaign:
    made = Campaign.open("some", size, PATHS, seed, folder)
    made.done = done
    made.save()
    os.close(made._lock)
    return made


def seen(folder: Path, size: int, seed: int | None = None, paths=PATHS) -> tuple[bool, int]:
    """Returns whether it is the campaign of seed 7, and from where it continues."""
    made = Campaign.open("some", size, paths, seed, folder)
    os.close(made._lock)
    return made.seed == 7, made.done


def test_which_one_goes_on(tmp_path):
    begun(tmp_path, 1000, 300)
    assert seen(tmp_path, 1000) == (True, 300)
    assert seen(tmp_path, 1000, 7) == (True, 300)
    assert seen(tmp_path, 2000, 7) == (True, 300)
    assert seen(tmp_path, 2000) == (False, 0)
    assert seen(tmp_path, 1000, 8) == (False, 0)
    assert seen(tmp_path, 300, 7) == (True, 0)
    assert seen(tmp_path, 1000, paths=(ROOT / "README.md",)) == (False, 0)
    assert seen(tmp_path, 1000, 7, (ROOT / "README.md",)) == (True, 0)


def test_a_state_that_cannot_be_read_is_none(tmp_path):
    begun(tmp_path, 1000, 300).path.write_text("{")
    assert seen(tmp_path, 1000) == (False, 0) and seen(tmp_path, 1000, 7) == (True, 0)


def test_one_process_a_campaign(tmp_path):
    first = Campaign.open("some", 10, PATHS, 7, tmp_path)
    with pytest.raises(Running, match="seed 7"):
        Campaign.open("some", 10, PATHS, 7, tmp_path)
    os.close(first._lock)
    Campaign.open("some", 10, PATHS, 7, tmp_path)


def test_a_digest_is_about_names_and_contents():
    here = Path(__file__)
    assert digest([here]) != digest([here.with_name("test_fuzz.py")])
    assert digest([here.parent]) == digest([here.parent]) != digest([here])


def test_a_killed_campaign_goes_on(tmp_path):
    """Nothing is left out; inputs in progress when it was killed are tried again, and no worker process
    survives.
    """
    folder, log = tmp_path / "fuzz", tmp_path / "log"
    path = [str(Path(__file__).parent), str(ROOT / "tests" / "tools")]
    code = SLOW.format(path=path, log=str(log), folder=str(folder))
    run = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.DEVNULL, start_new_session=True)
    while not log.exists() or log.read_text().count("\n") < 20:
        time.sleep(0.02)
    run.kill()
    run.wait()
    deadline = time.monotonic() + 60
    while alive(run.pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not alive(run.pid)
    again = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "from " in again.stdout.splitlines()[0]
    assert again.stdout.splitlines()[-1].startswith("slow: 1000 inputs, 1 failures")
    firsts = [int(line.split()[0]) for line in log.read_text().splitlines()]
    assert set(firsts) == set(range(0, 1000, 10)) and len(firsts) < 110


def alive(session: int) -> bool:
    try:
        os.killpg(session, signal.SIGCONT)
    except ProcessLookupError:
        return False
    return True
