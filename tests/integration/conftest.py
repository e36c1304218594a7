"""Fixtures shared by the tests of this folder: the installed library, and programs run in child processes."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import aten
import pytest

PACKAGE = Path(aten.__file__).parent


@pytest.fixture(scope="session")
def library() -> Path:
    """Returns the shared library beside the Python module."""
    found = PACKAGE / "lib" / "libaten.so"
    assert found.exists()
    return found


@pytest.fixture(scope="session")
def module() -> Path:
    """Returns the Python module's own shared object."""
    return Path(aten._C.__file__)


@pytest.fixture(scope="session")
def headers() -> Path:
    """Returns the folder with the headers for programs."""
    found = PACKAGE / "include" / "aten"
    if not found.is_dir():
        pytest.skip("the package has no headers")
    return found


@pytest.fixture
def python() -> Callable[..., str]:
    """Returns a function that runs a Python program in a fresh process with the same `aten`, and returns its
    output.
    """

    def run(program: str, **environment: str) -> str:
        variables = (
            os.environ | {"PYTHONPATH": os.pathsep.join([str(PACKAGE.parent), *sys.path])} | environment
        )
        done = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(program)],
            env=variables,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run
