"""The version of a library, set on the command line or in the configuration, reaches the tree, the wheel and
Python.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from opgen.breaking.version import Version
from opgen.commands import run
from opgen.request import VERSION
from packaging.version import Version as PythonVersion

GOOD = ("2", "1.4", "1.4.0", "0.2.10", "1.4.0rc1", "1.4.0a2.dev3", "1.4.0.post1", "1.4.0+cu12.x1")
BAD = (
    "",
    "v1.4",
    "1.4.0.1",
    "01.2",
    "1.4-rc1",
    "1.4.0RC1",
    "1.4 ",
    "1.4\n",
    "1;2",
    "${X}",
    "1.4.0+a-b",
    "latest",
)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "native_functions.yaml").write_text("- func: mine::f(Tensor self) -> Tensor\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def generate(*options: str) -> int:
    given = ["native_functions.yaml", "--name", "mine", "--extend", "aten", "--missing-kernels", "stub"]
    return run(["generate", *given, "--out", "tree", *options])


def versions(project: Path) -> tuple[str, str]:
    """Returns the versions of the CMake package and of the wheel."""
    text = (project / "tree" / "cmake" / "library.cmake").read_text()
    found = dict(re.findall(r"set\(LIBRARY_(VERSION|WHEEL_VERSION) (\S+)\)", text))
    return found["VERSION"], found["WHEEL_VERSION"]


@pytest.mark.parametrize("version", GOOD)
def test_the_tree_has_it(version: str, project: Path) -> None:
    assert generate("--version", version) == 0
    assert versions(project) == (PythonVersion(version).base_version, version)


@pytest.mark.parametrize("version", GOOD)
def test_it_is_one_that_wheels_and_check_bump_know(version: str) -> None:
    assert str(PythonVersion(version)) == version  # normalised, as in the wheel's name
    ours = Version.parse(version)
    assert ours is not None
    assert (ours.major, ours.minor, ours.patch) == (*PythonVersion(version).release, 0, 0)[:3]


@pytest.mark.parametrize("version", BAD)
def test_others_are_refused(version: str, project: Path, capsys: pytest.CaptureFixture) -> None:
    assert generate("--version", version) == 2
    said = capsys.readouterr().err
    assert "Invalid value for '--version': got" in said and "such as 1.4.0, 1.4.0rc1" in said
    assert not (project / "tree").exists()


def test_the_configuration_says_it_and_the_command_line_wins(
    project: Path, capsys: pytest.CaptureFixture
) -> None:
    assert generate() == 0
    assert versions(project) == (VERSION, VERSION)
    (project / "opgen.toml").write_text('version = "2.1.0"\n')
    assert generate() == 0
    assert versions(project) == ("2.1.0", "2.1.0")
    assert generate("--version", "3.0") == 0
    assert versions(project) == ("3.0", "3.0")
    (project / "opgen.toml").write_text('version = "two"\n')
    assert generate() == 2
    assert "opgen.toml:1: 'version': got 'two', expected" in capsys.readouterr().err
