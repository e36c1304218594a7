"""The shares of the tests: together they are all tests, and none begins when the time is up."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from gate.inner import environment

CONFTEST = """
from gate import share

pytest_addoption = share.add_options

def pytest_configure(config):
    if share.has_share(config):
        config.pluginmanager.register(share.Share(config))
"""
MANY = """
import pytest

@pytest.mark.parametrize("number", range(60))
def test_number(number):
    pass
"""
TWO = "def test_one(): pass\ndef test_two(): pass\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = {"conftest.py": CONFTEST, "pytest.ini": "[pytest]\n"}
    files |= {"tests/test_many.py": MANY, "tests/projects/test_built.py": TWO}
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def ran(folder: Path, *options: str, status: int = 0) -> tuple[dict, str]:
    """Returns what build/share.json has, and what was printed."""
    command = [sys.executable, "-m", "pytest", "-n", "2", *options, "tests"]
    done = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stdout + done.stderr
    kept = folder / "build" / "share.json"
    return json.loads(kept.read_text()) if kept.exists() else {}, done.stdout + done.stderr


def test_each_test_is_in_one_share(folder):
    shares = [set(ran(folder, "--share", f"{i}/3")[0]["ran"]) for i in (1, 2, 3)]
    assert sum(map(len, shares)) == len(set.union(*shares)) == 62
    assert min(map(len, shares)) > 10
    assert [sum("test_built" in name for name in share) for share in shares].count(2) == 1


def test_campaigns_take_more_turns(folder):
    marked = MANY.replace("@pytest", "@pytest.mark.campaign\n@pytest", 1)
    (folder / "tests" / "test_many.py").write_text(marked)
    turns = [set(ran(folder, "-n", "0", "--share", f"{i}/1")[0]["ran"]) for i in range(1, 11)]
    of_campaign = [name for turn in turns for name in turn if "test_number" in name]
    assert sorted(of_campaign) == sorted(f"tests/test_many.py::test_number[{i}]" for i in range(60))
    assert all("tests/projects/test_built.py::test_one" in turn for turn in turns)


def test_no_share_has_no_tests_but_touched_ones(folder):
    assert ran(folder, "--share", "0/3", status=5)[0]["ran"] == []


def test_no_test_begins_late(folder):
    kept, said = ran(folder, "--share", "1/1", "--until", "1")
    assert not kept["ran"] and len(kept["left out"]) == 62
    assert "62 tests are left out, for the time is up: 0 that are touched, 62 others" in said


def test_a_busy_machine_takes_longer(folder):
    (folder / "tests" / "gate").mkdir()
    name = "tests/projects/test_built.py::test_one"
    (folder / "tests" / "gate" / "seconds.json").write_text(json.dumps({name: 500}))
    for minutes, left_out in ((20, [name]), (30, [])):
        kept = ran(folder, "--share", "1/1", "--until", str(time.time() + 60 * minutes))[0]
        assert kept["left out"] == left_out


def test_a_test_that_hangs_is_stopped_and_named(folder):
    (folder / "conftest.py").write_text(CONFTEST + "share.HANGS = 1\n")
    hangs = "import time\ndef test_it(): time.sleep(1000)\ndef test_other(): pass\n"
    (folder / "tests" / "test_hangs.py").write_text(hangs)
    kept, said = ran(folder, "--share", "1/1", "--until", str(time.time() + 10), status=1)
    assert "crashed while running 'tests/test_hangs.py::test_it'" in said
    assert 'test_hangs.py", line 2 in test_it' in said
    assert "tests/test_hangs.py::test_other" in [*kept["ran"], *kept["left out"]]


def test_some_long_ones_come_first(folder):
    """The second of four ends the five minutes; another share takes others. The rest comes last."""
    long = [f"tests/test_long_{i}.py::test_it" for i in range(4)]
    for name in long:
        (folder / name.partition("::")[0]).write_text("def test_it(): pass\n")
    (folder / "tests" / "gate").mkdir()
    (folder / "tests" / "gate" / "seconds.json").write_text(json.dumps(dict.fromkeys(long, 250)))
    turns = []
    for turn in range(1, 9):
        turns.append(ran(folder, "-n", "0", "--share", f"{turn}/1")[0]["ran"])
    assert all(len(names) == 66 for names in turns)
    assert all({*names[:2], *names[-2:]} == set(long) for names in turns)
    assert set().union(*(names[:2] for names in turns)) == set(long)
    assert len({names.index("tests/projects/test_built.py::test_one") for names in turns}) == 2


def test_what_is_left_out_leaves_nothing_set_up(folder):
    """A test that fits in runs after one of another file that doesn't."""
    for name in ("one", "two"):
        text = "import pytest\n@pytest.fixture(scope='module')\ndef whole(): yield print('ended')\n"
        text += "def test_short(whole): pass\ndef test_long(whole): pass\n"
        (folder / "tests" / f"test_{name}.py").write_text(text)
    names = [f"tests/test_{name}.py::test_long" for name in ("one", "two")]
    (folder / "tests" / "gate").mkdir()
    (folder / "tests" / "gate" / "seconds.json").write_text(json.dumps(dict.fromkeys(names, 5000)))
    (folder / "conftest.py").write_text(CONFTEST + "share.LONG = 10_000\n")  # so that files stay together
    kept, said = ran(folder, "-n", "0", "-s", "--share", "1/1", "--until", str(time.time() + 300))
    assert sorted(kept["left out"]) == names and len(kept["ran"]) == 64
    assert said.count("ended") == 2


@pytest.mark.parametrize("until", [600, 6000])
def test_the_order_does_not_depend_on_the_time(folder, until):
    """A fast machine and a slow one begin with the same tests."""
    names = [f"tests/test_many.py::test_number[{i}]" for i in range(60)]
    (folder / "tests" / "gate").mkdir()
    (folder / "tests" / "gate" / "seconds.json").write_text(json.dumps(dict.fromkeys(names, 20)))
    kept = ran(folder, "-n", "0", "--share", "1/1", "--until", str(time.time() + until))[0]
    assert [name.partition("[")[0] for name in kept["ran"][13:19]] == [
        *["tests/test_many.py::test_number"] * 2,
        "tests/projects/test_built.py::test_one",
        "tests/projects/test_built.py::test_two",
        *["tests/test_many.py::test_number"] * 2,
    ]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
def test_a_full_disk_is_named_after_the_results(folder):
    (folder / "build").mkdir()
    (folder / "build" / "share.json.new").symlink_to("/dev/full")
    said = ran(folder, "--share", "1/1", status=1)[1]
    assert "62 passed" in said and "share.json cannot be written: No space left on device" in said


@pytest.mark.parametrize("share", ["1/-3", "1/0", "1", "one/3"])
def test_a_share_that_is_none_is_an_error(folder, share):
    said = ran(folder, "-n", "0", "--share", share, status=4)[1]
    assert f"--share is {share!r}; expected I/N with N from 1 on" in said
