"""Publishing a tree is atomic, whatever happens meanwhile."""

from __future__ import annotations

import os
import random
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from opgen.render.manifest import Manifest
from opgen.render.pages import File
from opgen.render.tree import ForeignTree, locked, publish, require_ours

# A writer that alternately publishes two versions of a tree until it is killed.
WRITER = """
import sys
from pathlib import Path
sys.path.insert(0, {tests!r})
from test_generate_tree import tree_files, write
print("ready", flush=True)
while True:
    for version in (1, 2):
        write(Path({tree!r}), version)
"""
FILES = 60


def tree_files(version: int) -> list[File]:
    """Returns the files of a version: a third is the same in all versions; each version has one file of its
    own.
    """
    text = [f"file {i} of version {version if i % 3 else 0}\n" * 50 for i in range(FILES)]
    files = [File(f"folder{i % 7}/file{i}.h", t.encode(), "template") for i, t in enumerate(text)]
    return sorted([*files, File(f"only{version}.h", b"", "template")], key=lambda f: f.path)


def write(tree: Path, version: int):
    files = tree_files(version)
    with locked(tree):
        return publish(tree, files, Manifest.of("x", f"inputs {version}", files))


def version_of(tree: Path) -> int:
    """Returns the version that `tree` holds completely; fails for a mixture."""
    manifest = Manifest.read(tree)
    assert manifest is not None
    version = int(manifest.inputs.split()[1])
    found = {f.relative_to(tree).as_posix(): f.read_bytes() for f in tree.rglob("*") if f.is_file()}
    del found["manifest.json"]
    assert found == {f.path: f.content for f in tree_files(version)}
    return version


def state(tree: Path) -> dict[str, tuple[int, int]]:
    found = {}
    for file in tree.rglob("*"):
        if file.is_file():
            stat = file.stat()
            found[file.relative_to(tree).as_posix()] = (stat.st_ino, stat.st_mtime_ns)
    return found


def test_publishing_again_touches_nothing(tmp_path):
    tree = tmp_path / "tree"
    write(tree, 1)
    before = state(tree)
    changes = write(tree, 1)
    assert changes.same and state(tree) == before


def test_only_changed_files_are_new(tmp_path):
    tree = tmp_path / "tree"
    write(tree, 1)
    before = state(tree)
    changes = write(tree, 2)
    after = state(tree)
    assert changes.removed == ["only1.h"]
    assert {p for p in after if before.get(p) != after[p]} == {*changes.written, "manifest.json"}
    assert changes.kept == FILES // 3


def test_a_damaged_file_is_written_again(tmp_path):
    tree = tmp_path / "tree"
    write(tree, 1)
    (tree / "only1.h").write_text("edited")
    (tree / "folder0" / "file0.h").unlink()
    assert write(tree, 1).written == ["folder0/file0.h", "only1.h"]
    assert version_of(tree) == 1


def test_killed_at_any_moment(tmp_path):
    tree = tmp_path / "tree"
    write(tree, 1)
    code = WRITER.format(tests=str(Path(__file__).parent), tree=str(tree))
    generator = random.Random(20)
    seen = set()
    for _ in range(40):
        process = subprocess.Popen(
            [sys.executable, "-c", code], start_new_session=True, stdout=subprocess.PIPE
        )
        assert process.stdout.readline() == b"ready\n"
        time.sleep(generator.random() * 0.15)
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        seen.add(version_of(tree))
    assert seen == {1, 2}
    write(tree, 1)
    assert sorted(p.name for p in tmp_path.iterdir()) == [".tree.lock", "tree"]


def test_full_disk(tmp_path):
    tree = tmp_path / "tree"
    write(tree, 1)
    before = state(tree)
    code = f"""
import resource, signal, sys
from pathlib import Path
sys.path.insert(0, {str(Path(__file__).parent)!r})
from test_generate_tree import write
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (600, 600))
try:
    write(Path({str(tree)!r}), 2)
except OSError as error:
    sys.exit(error.errno)
"""
    done = subprocess.run([sys.executable, "-c", code], check=False)
    assert done.returncode == 27  # EFBIG, which a size limit gives instead of ENOSPC
    assert state(tree) == before and version_of(tree) == 1
    assert not list(tmp_path.glob(".tree.stage*"))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_unwritable_parent(tmp_path):
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(OSError):
            write(tmp_path / "tree", 1)
    finally:
        tmp_path.chmod(0o700)


def test_writers_wait_for_each_other(tmp_path):
    tree = tmp_path / "tree"
    code = WRITER.format(tests=str(Path(__file__).parent), tree=str(tree)).replace(
        "while True", "for _ in range(5)"
    )
    writers = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(3)]
    assert [w.wait() for w in writers] == [0, 0, 0]
    assert version_of(tree) == 2


def test_foreign_places_are_refused(tmp_path):
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    (theirs / "thesis.txt").write_text("all my work")
    link = tmp_path / "link"
    link.symlink_to(theirs)
    file = tmp_path / "file"
    file.write_text("")
    for place in (theirs, link, file):
        with pytest.raises(ForeignTree):
            require_ours(place)
        with pytest.raises(ForeignTree):
            write(place, 1)
    assert (theirs / "thesis.txt").read_text() == "all my work"
    empty = tmp_path / "empty"
    empty.mkdir()
    write(empty, 1)
    assert version_of(empty) == 1


def test_the_message_names_a_few_files_and_counts_the_others(tmp_path):
    tree = tmp_path / "tree"
    write(tree, 1)
    foreign = [f"mine{i:02}.txt" for i in range(20)]
    for name in foreign[:1]:
        (tree / name).write_text("mine")
    with pytest.raises(ForeignTree) as raised:
        write(tree, 2)
    assert "mine00.txt; " in str(raised.value) and "more" not in str(raised.value)
    for name in foreign:
        (tree / name).write_text("mine")
    with pytest.raises(ForeignTree) as raised:
        write(tree, 2)
    named = [name for name in foreign if name in str(raised.value)]
    assert named == foreign[: len(named)] and f" and {20 - len(named)} more; " in str(raised.value)


def test_too_many_open_files(tmp_path):
    """Publishing keeps few files open at a time."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    used = len(os.listdir("/proc/self/fd"))
    resource.setrlimit(resource.RLIMIT_NOFILE, (used + 8, hard))
    try:
        write(tmp_path / "tree", 1)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert version_of(tmp_path / "tree") == 1
