"""`opgen build --install` checks what is installed in the environment, whatever has changed it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from front import ROOT
from opgen.build.wheel import WheelSpec, write_wheel

INSTALL = """
import sys
from pathlib import Path
from opgen.build import installing, progress
from opgen.build.toolchain import ToolchainError
try:
    installing.install(Path(sys.argv[1]), "tiny", progress.Progress())
except ToolchainError as error:
    sys.exit(str(error))
"""
VERSION = "import tiny; print(tiny.version)"


class Environment:
    """A Python environment."""

    def __init__(self, folder: Path):
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        self.python = folder / "bin" / "python"

    def run(self, *arguments: object) -> subprocess.CompletedProcess:
        command = [self.python, *map(str, arguments)]
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "cli")}
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    def install(self, wheel: Path) -> str:
        done = self.run("-c", INSTALL, wheel)
        assert done.returncode == 0, done.stderr
        return done.stderr

    def version(self) -> str:
        return self.run("-c", VERSION).stdout.strip()

    def pip(self, *arguments: object) -> None:
        done = self.run("-m", "pip", *arguments)
        assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def environment(tmp_path_factory) -> Environment:
    return Environment(tmp_path_factory.mktemp("install") / "environment")


def wheel_of(folder: Path, version: int) -> Path:
    """Returns a wheel with a package; all have the same version and file name."""
    folder.mkdir()
    (folder / "__init__.py").write_text(f"version = {version}\n")
    spec = WheelSpec("tiny", "1.0", "a summary", "linux_x86_64")
    return write_wheel(spec, [("tiny/__init__.py", folder / "__init__.py")], folder / "dist")


@pytest.fixture
def wheel(tmp_path: Path, environment: Environment) -> Path:
    """A wheel of version 1, which is installed."""
    made = wheel_of(tmp_path / "one", 1)
    environment.install(made)
    return made


def test_what_is_installed_stays(environment, wheel):
    assert "tiny is installed in" in environment.install(wheel)


def test_what_pip_has_removed_is_installed_again(environment, wheel):
    environment.pip("uninstall", "-y", "tiny")
    assert "installed tiny into" in environment.install(wheel) and environment.version() == "1"


def test_what_somebody_else_has_installed_is_replaced(environment, wheel, tmp_path):
    other = wheel_of(tmp_path / "two", 2)
    environment.pip("install", "--quiet", "--no-index", "--force-reinstall", other)
    assert environment.version() == "2"
    assert "installed tiny into" in environment.install(wheel) and environment.version() == "1"


def test_a_package_without_its_files_is_not_installed(environment, wheel):
    (package,) = environment.python.parents[1].glob("lib/python*/site-packages/tiny/__init__.py")
    package.unlink()
    assert "installed tiny into" in environment.install(wheel) and environment.version() == "1"


def test_an_installation_that_fails_says_what_pip_says(environment, wheel, tmp_path):
    """The next installation is not skipped, whatever pip has removed before."""
    broken = tmp_path / "tiny-1.0-py2-none-any.whl"
    broken.write_bytes(wheel.read_bytes())
    environment.pip("uninstall", "-y", "tiny")
    done = environment.run("-c", INSTALL, broken)
    assert done.returncode == 1 and "pip could not install" in done.stderr
    assert "installed tiny into" in environment.install(wheel)
