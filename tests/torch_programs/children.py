"""Runs programs in child processes, with this library as their torch."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def python(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Runs Python to its end."""
    return subprocess.run(
        [sys.executable, *arguments], cwd=cwd, capture_output=True, text=True, check=False, timeout=600
    )


def printed(*arguments: str, cwd: Path) -> str:
    """What `python -m aten.torch --replace` prints for a program that ends well."""
    done = python("-m", "aten.torch", "--replace", *arguments, cwd=cwd)
    assert done.returncode == 0, done.stderr
    return done.stdout
