"""Installing opgen: the requirements of its wheel, and the commands in the documentation."""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[3]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that `pip wheel --no-deps .` makes, with the installed build backend."""
    pytest.importorskip("hatchling", reason="hatchling is not installed (make build installs it)")
    out = tmp_path_factory.mktemp("wheel")
    options = ["--no-deps", "--no-build-isolation", "--disable-pip-version-check", "--quiet"]
    command = [sys.executable, "-m", "pip", "wheel", *options, "--wheel-dir", str(out), "."]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return next(out.glob("opgen-*.whl"))


def requirements(wheel: Path, extra: str = "") -> set[str]:
    """Returns the packages that are installed with the wheel."""
    with zipfile.ZipFile(wheel) as archive:
        name = next(n for n in archive.namelist() if n.endswith(".dist-info/METADATA"))
        metadata = Parser().parsestr(archive.read(name).decode())
    declared = map(Requirement, metadata.get_all("Requires-Dist"))
    return {r.name for r in declared if r.marker is None or r.marker.evaluate({"extra": extra})}


def test_linting_needs_no_build_tools(wheel: Path) -> None:
    assert {"click", "mako", "pyyaml"} <= requirements(wheel)
    assert not requirements(wheel) & {"cmake", "ninja"}


def test_the_extra_build_has_cmake_and_ninja(wheel: Path) -> None:
    assert requirements(wheel, "build") - requirements(wheel) == {"cmake", "ninja"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_opgen_is_installed_from_where_it_is(page: Path) -> None:
    """No index has opgen: a command names a clone, a repository or a wheel file."""
    named = re.findall(r"pip install ((?:-\S+ )*)(\S+)", page.read_text())
    assert not [target for _, target in named if re.fullmatch(r"['\"]?opgen(\[\w+\])?['\"]?`?", target)]
