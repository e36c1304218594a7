"""What generation writes: it replaces its own tree atomically, and touches nothing else."""

from __future__ import annotations

import fcntl
import os
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import test_generate_tree
from front import ROOT
from opgen.render import tree as tree_module
from opgen.render.tree import ForeignTree
from test_generate_command import EXTENSION, generate, opgen, project, tree  # noqa: F401
from test_generate_tree import state, version_of, write

# The system calls of publishing, as Python's audit events name them.
STEPS = ("open", "os.mkdir", "os.link", "os.rename", "os.rmdir", "os.remove", "os.scandir", "ctypes.dlopen")


class Interceptor:
    """An audit hook, which stays for ever (Python cannot remove it), but only acts on steps during run()."""

    def __init__(self) -> None:
        self.count = 0
        self.act: Callable[[int, str], None] | None = None
        sys.addaudithook(self._see)

    def _see(self, event: str, arguments: tuple) -> None:
        if self.act is not None and event in STEPS:
            self.count += 1
            self.act(self.count, f"{event} {arguments[:1]}")

    def run(self, act: Callable[[int, str], None], action: Callable[[], object]) -> int:
        """Returns how many steps `action` took; `act` is called before each one."""
        self.count, self.act = 0, act
        try:
            action()
        finally:
            self.act = None
        return self.count


@pytest.fixture(scope="module")
def interceptor() -> Interceptor:
    return Interceptor()


@pytest.fixture
def steps(interceptor: Interceptor, monkeypatch: pytest.MonkeyPatch) -> Interceptor:
    monkeypatch.setattr(test_generate_tree, "FILES", 12)  # each of their steps is a test
    return interceptor


def edit(project: Path, old: str = "int[1] shifts,", new: str = "int[1] by,") -> None:  # noqa: F811
    file = project / "native_functions.yaml"
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def start(project: Path, out: Path, **options: object) -> subprocess.Popen:  # noqa: F811
    arguments = ("generate", project, *EXTENSION, project / "functors", "--out", out)
    return subprocess.Popen(
        [sys.executable, "-m", "opgen", *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT / "cli"), "PYTHONDONTWRITEBYTECODE": "1"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


# -- other people's files ----------------------------------------------------------------------------------


def test_what_others_put_into_the_tree_is_never_lost(project, tmp_path):  # noqa: F811
    out = tmp_path / "out"
    assert generate(project, out).returncode == 0
    (out / "src" / "notes.txt").write_text("mine")
    (out / "link").symlink_to(project)
    edit(project)
    before = tree(out)
    refused = generate(project, out)
    assert refused.returncode == 2
    assert f"{out} holds what opgen did not write" in refused.stderr
    assert "link, src/notes.txt" in refused.stderr
    assert tree(out) == before
    (out / "src" / "notes.txt").unlink()
    (out / "link").unlink()
    assert generate(project, out).returncode == 0
    assert "by" in (out / "include/golden/ATen/ops/turn.h").read_text()


def test_caches_of_python_do_not_count(tmp_path):
    write(tmp_path / "tree", 1)
    cache = tmp_path / "tree" / "folder1" / "__pycache__"
    cache.mkdir()
    (cache / "x.cpython-310.pyc").write_bytes(b"")
    write(tmp_path / "tree", 2)
    assert version_of(tmp_path / "tree") == 2


@pytest.mark.parametrize(
    "text",
    ['{"name": "a web page", "version": 3}', "[]", "null", "[" * 100_000, '{"format": 99}', ""],
    ids=["other", "list", "null", "deep", "newer", "empty"],
)
def test_a_folder_with_another_manifest_is_not_ours(tmp_path, text):
    (tmp_path / "manifest.json").write_text(text)
    (tmp_path / "thesis.txt").write_text("all my work")
    with pytest.raises(ForeignTree, match=r"manifest\.json of this version"):
        write(tmp_path, 1)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["manifest.json", "thesis.txt"]


def test_links_are_not_followed(tmp_path):
    tree_, elsewhere = tmp_path / "tree", tmp_path / "elsewhere"
    write(tree_, 1)
    shutil.copytree(tree_ / "folder1", elsewhere)
    file = tree_ / "folder2" / "file2.h"
    (elsewhere / "copy.h").write_bytes(file.read_bytes())
    file.unlink()
    file.symlink_to(elsewhere / "copy.h")
    assert write(tree_, 1).written == ["folder2/file2.h"]
    assert not file.is_symlink() and version_of(tree_) == 1
    shutil.rmtree(tree_ / "folder1")
    (tree_ / "folder1").symlink_to(elsewhere)
    before = state(elsewhere)
    with pytest.raises(ForeignTree, match="folder1"):
        write(tree_, 2)
    assert state(elsewhere) == before


def test_the_lock_is_no_way_to_another_file(tmp_path):
    theirs = tmp_path / "theirs"
    theirs.write_text("all my work")
    (tmp_path / ".tree.lock").symlink_to(theirs)
    with pytest.raises(OSError, match="symbolic links"):
        write(tmp_path / "tree", 1)
    (tmp_path / ".tree.lock").unlink()
    theirs.rename(tmp_path / ".tree.lock")
    write(tmp_path / "tree", 1)
    assert (tmp_path / ".tree.lock").read_text() == "all my work"


def test_only_leftovers_of_ours_are_collected(tmp_path):
    theirs = (".tree.stage.backup", ".tree.stage.1.old.mine", ".tree2.stage.1")
    for name in (".tree.stage.4194305", *theirs):
        (tmp_path / name).mkdir()
    write(tmp_path / "tree", 1)
    assert not (tmp_path / ".tree.stage.4194305").exists()
    assert all((tmp_path / name).exists() for name in theirs)


def test_names_with_a_pattern_in_them(tmp_path):
    (tmp_path / ".x.stage.1").mkdir()
    write(tmp_path / "[x]", 1)
    assert version_of(tmp_path / "[x]") == 1 and (tmp_path / ".x.stage.1").exists()


def test_a_tree_that_was_set_aside_comes_back(tmp_path, monkeypatch):
    """Where the system has no exchange, a kill between two renames leaves the tree aside."""
    write(tmp_path / "tree", 1)
    (tmp_path / "tree").rename(tmp_path / ".tree.stage.7.old")
    assert not write(tmp_path / "tree", 1).written
    assert version_of(tmp_path / "tree") == 1 and not list(tmp_path.glob(".tree.stage*"))


def test_the_current_folder_as_tree(project, tmp_path):  # noqa: F811
    out = tmp_path / "here"
    out.mkdir()
    arguments = ("generate", project, *EXTENSION, project / "functors", "--out", ".")
    assert opgen(*arguments, cwd=out).returncode == 0
    assert (out / "manifest.json").is_file() and not list(out.glob(".*"))


# -- failures and kills ------------------------------------------------------------------------------------


def after_each_step(tmp_path: Path, steps: Interceptor, act: Callable) -> list[int]:
    """Publishes version 2 over version 1 with `act` at step 1, at step 2, ...; returns the versions found
    then.
    """
    tree_, found = tmp_path / "tree", []
    write(tree_, 1)
    write(tmp_path / "other", 1)
    total = steps.run(lambda n, what: None, lambda: write(tmp_path / "other", 2))
    for wanted in range(1, total + 2):
        write(tree_, 1)
        act(steps, wanted, lambda: write(tree_, 2))
        found.append(version_of(tree_))
    write(tree_, 1)
    assert sorted(p.name for p in tmp_path.iterdir()) == [".other.lock", ".tree.lock", "other", "tree"]
    return found


@pytest.mark.parametrize("error", [OSError(28, "disk full"), KeyboardInterrupt()], ids=["full", "ctrl-c"])
def test_any_step_may_fail(tmp_path, steps, error):
    def fail(steps: Interceptor, wanted: int, action: Callable) -> None:
        def act(number: int, what: str) -> None:
            if number == wanted:
                raise error

        try:
            steps.run(act, action)
        except (OSError, KeyboardInterrupt) as raised:
            assert raised is error
        except ForeignTree:  # its manifest could not be read
            assert "full" in str(error)

    found = after_each_step(tmp_path, steps, fail)
    assert set(found) == {1, 2} and found[-1] == 2


def test_killed_before_any_step(tmp_path, steps):
    def kill(steps: Interceptor, wanted: int, action: Callable) -> None:
        child = os.fork()
        if child == 0:
            steps.run(lambda n, what: os.kill(os.getpid(), signal.SIGKILL) if n == wanted else None, action)
            os._exit(0)
        os.waitpid(child, 0)

    found = after_each_step(tmp_path, steps, kill)
    assert found[0] == 1 and found[-1] == 2 and found == sorted(found)


def test_without_an_exchange_of_folders(tmp_path, monkeypatch):
    write(tmp_path / "tree", 1)

    def absent(*arguments: object, **options: object) -> None:
        raise OSError("no such library")

    monkeypatch.setattr(tree_module.ctypes, "CDLL", absent)
    write(tmp_path / "tree", 2)
    assert version_of(tmp_path / "tree") == 2
    assert sorted(p.name for p in tmp_path.iterdir()) == [".tree.lock", "tree"]


def limited_files() -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))


def test_the_command_says_what_could_not_be_written(project, tmp_path):  # noqa: F811
    out = tmp_path / "out"
    assert generate(project, out).returncode == 0
    edit(project)
    before = tree(out)
    full = start(project, out, preexec_fn=limited_files)
    assert full.wait(60) == 2
    assert f"{out}: File too large; what was there before is untouched" in full.stderr.read()
    assert tree(out) == before and not list(tmp_path.glob(".out.stage*"))
    inside_a_file = generate(project, project / "native_functions.yaml" / "out")
    assert inside_a_file.returncode == 2 and "native_functions.yaml" in inside_a_file.stderr


def test_interrupted(project, tmp_path):  # noqa: F811
    """An interrupted run, for example while it waits for another, ends without a traceback."""
    out = tmp_path / "out"
    with open(tmp_path / ".out.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        waiting = start(project, out)
        while not (line := waiting.stderr.readline()).startswith("opgen: waiting"):
            assert line.startswith("opgen: ")
        assert line.startswith(f"opgen: waiting for a run that uses {out}: process ")
        waiting.send_signal(signal.SIGINT)
        assert waiting.wait(20) == 130
    assert waiting.stderr.read().strip() == "interrupted" and not out.exists()
