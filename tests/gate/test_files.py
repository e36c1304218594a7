"""What runs keep survives a full disk and a kill, and they say what could not be written."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from gate import files
from gate.inner import environment

FULL = Path("/dev/full")  # each write to it fails as on a full disk
needs_full = pytest.mark.skipif(not FULL.exists(), reason="the system has no /dev/full")


def test_a_line_that_was_being_written(tmp_path):
    kept = tmp_path / "folder" / "kept"
    files.append(kept, {"a": 1})
    kept.write_text(kept.read_text() + '{"b": ')
    files.append(kept, {"c": 3})
    assert list(files.lines(kept)) == [{"a": 1}, {"c": 3}]


def test_what_was_there_stays(tmp_path):
    kept = tmp_path / "kept"
    files.write(kept, "old")
    with pytest.raises(UnicodeEncodeError):
        files.write(kept, "new, cut off \udc80")
    assert kept.read_text() == "old" and [*tmp_path.iterdir()] == [kept]


@needs_full
def test_a_full_disk_is_named():
    with pytest.raises(OSError, match=r"^/dev/full cannot be written: No space left on device$"):
        files.append(FULL, {"a": 1})


@needs_full
@pytest.mark.parametrize("jobs", ["0", "2"])
def test_a_run_ends_with_the_reason(tmp_path, jobs):
    (tmp_path / "conftest.py").write_text(
        "from gate import record\n"
        "def pytest_configure(config):\n"
        "    if not hasattr(config, 'workerinput'): config.pluginmanager.register(record.Recorder())\n"
    )
    (tmp_path / "test_it.py").write_text("def test_it(): pass\n")
    full = environment(TEST_RECORD=str(FULL))
    command = [sys.executable, "-m", "pytest", "-n", jobs]
    done = subprocess.run(command, cwd=tmp_path, env=full, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "1 passed" in done.stdout
    assert "/dev/full cannot be written: No space left on device" in done.stderr
    assert "Traceback" not in done.stdout + done.stderr
