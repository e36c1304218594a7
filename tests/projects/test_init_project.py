"""`opgen init`, then the two commands that it prints: from nothing to passing tests, in a Python environment
with opgen and the wheel of aten.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from building import ROOT, needs_aten

SECONDS = 60  # CPU time, from nothing to passing tests, so that other work on the machine is not counted


@pytest.fixture(scope="module")
def environment(tmp_path_factory) -> Path:
    """Returns the programs of a Python environment that finds the packages of this one."""
    needs_aten()
    folder = tmp_path_factory.mktemp("init") / "environment"
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    (site,) = folder.glob("lib/python*/site-packages")
    (site / "other.pth").write_text(f"{ROOT / 'cli'}\n{sysconfig.get_path('platlib')}\n")
    return folder / "bin"


def run(programs: Path, *arguments: str, cwd: Path) -> str:
    """Returns the output of a Python module."""
    environment = {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": ""}
    command = [programs / "python", "-m", *arguments]
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def processor_time() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def test_from_nothing_to_passing_tests(environment, tmp_path):
    before = processor_time()
    said = run(environment, "opgen", "init", "my_ops", cwd=tmp_path)
    commands = said.splitlines()[-1].removeprefix("next: cd my_ops && ").split(" && ")
    assert commands == ["opgen build --install", "python -m pytest"]
    folder = tmp_path / "my_ops"
    built = run(environment, "opgen", "build", "--install", cwd=folder)
    assert "installed my_ops into" in built and "warning" not in built
    assert "8 passed" in run(environment, "pytest", cwd=folder)
    assert processor_time() - before < SECONDS
    again = run(environment, "opgen", "build", "--install", cwd=folder)
    assert "up to date" in again and "nothing to compile" in again and "my_ops is installed in" in again
    assert "up to date" in run(environment, "opgen", "generate", "--check", cwd=folder)
