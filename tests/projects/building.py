"""Shared by the tests of this folder: building a project with opgen, and running programs with the result."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def needs_aten() -> None:
    if importlib.util.find_spec("aten") is None:
        pytest.skip("needs the installed aten (make build)")


def environment(first: Path) -> dict[str, str]:
    paths = [str(first), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def build(
    folder: Path, project: Path, name: str, kernels: Sequence[Path], *more: str, **variables: str
) -> subprocess.CompletedProcess:
    """Builds `project` in `folder`, with additional environment variables, and unpacks its wheel into
    `folder`/site.
    """
    command = [sys.executable, "-m", "opgen", "build", str(project), "--name", name, "--backend", "cpu"]
    for each in kernels:
        command += ["--kernels", str(each)]
    command += ["--out", f"generated/{name}", *more]
    given = environment(ROOT / "cli") | variables
    done = subprocess.run(command, cwd=folder, env=given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    wheel = next((folder / "dist").glob(f"{name}-*.whl"))
    zipfile.ZipFile(wheel).extractall(folder / "site")
    return done


def run(folder: Path, *command: str) -> str:
    """Returns the output of a Python program that finds the wheels unpacked in `folder`."""
    given = environment(folder / "site")
    done = subprocess.run(
        [sys.executable, *command], cwd=folder, env=given, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
