"""The state after `opgen build` was killed, with concurrent builds, and on a full disk."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import tiny_build
from front import ROOT
from kill import MARK, Building, alive
from opgen.build.toolchain import Toolchain, ToolchainError
from opgen.build.wheel import WheelSpec, write_wheel

TINY = Path(tiny_build.__file__)
SLEEPING = """#!/bin/sh
case "$*" in *three.cpp*) touch '{began}'; trap '' TERM; sleep 60 & wait;; esac
exec {cxx} "$@"
"""


@pytest.fixture(autouse=True)
def tools() -> Toolchain:
    try:
        return Toolchain.find("cpu")
    except ToolchainError as error:
        pytest.skip(str(error))


def start(folder: Path, version: int = 0, **environment: str) -> subprocess.Popen:
    env = {**os.environ, "PYTHONPATH": str(ROOT / "cli"), **environment}
    command = [sys.executable, str(TINY), str(version), str(folder)]
    return subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def finished(run: subprocess.Popen) -> tuple[int, str]:
    said = run.communicate(timeout=120)[1]
    return run.returncode, said


def built(folder: Path, version: int = 0) -> tuple[int, str]:
    return finished(start(folder, version))


def version_of(folder: Path) -> int:
    with zipfile.ZipFile(next((folder / "dist").glob("*.whl"))) as wheel:
        assert wheel.testzip() is None
        return int(wheel.read("tiny/__init__.py").split()[-1])


@pytest.fixture
def stubborn(tmp_path: Path, tools: Toolchain) -> Path:
    """A compiler that hangs at its third file and ignores SIGTERM."""
    compiler = tmp_path / "stubborn++"
    compiler.write_text(SLEEPING.format(began=tmp_path / "began", cxx=tools.cxx))
    compiler.chmod(0o755)
    return compiler


def at_the_compiler(folder: Path, compiler: Path) -> subprocess.Popen:
    run = start(folder, CXX=str(compiler), **{MARK: str(folder)})
    while not (compiler.parent / "began").exists():
        assert run.poll() is None, run.stderr.read()
        time.sleep(0.02)
    return run


def test_a_killed_build_leaves_no_compiler(tmp_path, stubborn):
    """The next build begins when the last process of the killed one has ended."""
    folder = tmp_path / "folder"
    folder.mkdir()
    killed = at_the_compiler(folder, stubborn)
    killed.kill()
    killed.wait()
    second = start(folder)
    said = []
    for line in second.stderr:
        said.append(line)
        if line.startswith("opgen: configuring"):
            assert not alive(str(folder))
    assert second.wait() == 0, said
    assert any(
        line.startswith("opgen: waiting for a run that uses tree: process ") for line in said
    ) or not alive(str(folder))
    assert version_of(folder) == 0


def test_two_builds_of_one_folder(tmp_path):
    assert built(tmp_path, 0)[0] == 0
    runs = [start(tmp_path, version) for version in (0, 1, 0, 1)]
    said = [finished(run) for run in runs]
    assert [code for code, _ in said] == [0, 0, 0, 0], said
    left = sorted(p.name for p in (tmp_path / "dist").iterdir())
    assert len(left) == 1 and left[0].endswith(".whl")
    for version in (1, 0):
        code, text = built(tmp_path, version)
        assert code == 0 and version_of(tmp_path) == version, text


def test_a_tree_is_not_changed_under_a_build(tmp_path, stubborn):
    folder = tmp_path / "folder"
    folder.mkdir()
    first = at_the_compiler(folder, stubborn)
    second = start(folder, 1)
    while not (line := second.stderr.readline()).startswith("opgen: waiting"):
        assert line
    assert f"process {first.pid} (" in line and "tiny_build.py 0" in line
    assert "version = 0" in (folder / "tree/python/tiny/__init__.py").read_text()
    first.terminate()
    assert first.wait(60) == 130
    assert finished(second)[0] == 0 and version_of(folder) == 1


def test_a_build_killed_before_its_wheel(tmp_path):
    """Nothing is left to compile then, and the existing wheel is younger than the tree, but outdated."""
    assert built(tmp_path)[0] == 0
    wheel = next((tmp_path / "dist").iterdir())
    before = wheel.stat().st_mtime_ns
    (tmp_path / "build/tiny/CMakeCache.txt").unlink()
    killed = start(tmp_path, CXXFLAGS="-DNDEBUG")
    for line in killed.stderr:
        if line.startswith("opgen: ") and "build steps" in line:
            killed.kill()
    assert killed.wait() == -signal.SIGKILL and wheel.stat().st_mtime_ns == before
    code, text = built(tmp_path)
    assert code == 0 and "nothing to compile" in text
    assert wheel.stat().st_mtime_ns != before and version_of(tmp_path) == 0


def test_a_first_configuration_that_was_killed(tmp_path):
    """CMake's results about the compiler are incomplete, and Ninja has nothing to do yet."""
    assert built(tmp_path)[0] == 0
    folder = tmp_path / "build" / "tiny"
    (folder / "build.ninja").unlink()
    (found,) = (folder / "CMakeFiles").glob("*/CMakeCXXCompiler.cmake")
    found.write_text(found.read_text()[:100])
    code, text = built(tmp_path)
    assert code == 0 and version_of(tmp_path) == 0, text


# -- disks -------------------------------------------------------------------------------------------------


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("needs the right to mount a file system")
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)


def remount(disk: Path, options: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{options}", disk], check=True)


def test_a_full_disk_at_any_point(disk):
    """There is a little more space each time; the message says what is wrong, and with enough space the build
    succeeds.
    """
    codes = []
    for kilobytes in (8, 16, 24, 32, 48, 64, 96, 128, 160, 192, 224, 256, 320, 384, 448, 512, 4096):
        remount(disk, f"size={kilobytes}k")
        code, said = built(disk)
        codes.append(code)
        assert code in (0, 2, 4), said
        assert "Traceback" not in said and "internal error" not in said, said
        if code == 2:
            assert "No space left on device" in said and "cannot go on" not in said, said
        assert not list(disk.rglob("*.part")), said
    assert {2, 4} <= set(codes) and codes[-1] == 0, codes
    assert version_of(disk) == 0


def test_a_disk_that_is_full_for_the_wheel(tmp_path, disk):
    """The existing wheel stays; the error names it."""
    spec = WheelSpec("tiny", "1.0", "a summary", "linux_x86_64")
    small, large = tmp_path / "small", tmp_path / "large"
    small.write_bytes(b"")
    large.write_bytes(os.urandom(1 << 20))
    before = write_wheel(spec, [("a", small)], disk)
    content = before.read_bytes()
    with pytest.raises(OSError, match="No space left") as caught:
        write_wheel(spec, [("a", large)], disk)
    assert caught.value.filename == str(before)
    assert list(disk.iterdir()) == [before] and before.read_bytes() == content
    (disk / before.name.replace(".whl", ".part")).write_bytes(b"left by a killed one" * 1000)
    assert write_wheel(spec, [("a", small)], disk).read_bytes() == content


def test_a_folder_that_cannot_be_written(disk):
    remount(disk, "size=8m")
    assert built(disk, 0)[0] == 0
    remount(disk, "ro")
    for version in (0, 1):
        code, said = built(disk, version)
        assert code in (2, 4) and "Read-only file system" in said, said
    remount(disk, "rw")
    assert built(disk, 1)[0] == 0 and version_of(disk) == 1


def test_what_the_scene_of_the_campaign_notices(tmp_path):
    """An additional file and a different wheel are noticed."""
    scene = Building(tmp_path)
    assert scene.wanted[0] != scene.wanted[1] and scene.left() == []
    (tmp_path / "dist" / "x.part").touch()
    assert scene.left() == ["x.part"]
