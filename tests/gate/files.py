"""Files that a run keeps: texts, and lines of JSON that are added one by one. A run that is killed, or a full
disk, leaves what was there readable; errors name the file.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest


def write(file: Path, text: str) -> None:
    new = file.with_name(f"{file.name}.new")
    with _named(file):
        file.parent.mkdir(parents=True, exist_ok=True)
        try:
            new.write_text(text, encoding="utf-8")
            os.replace(new, file)
        finally:
            new.unlink(missing_ok=True)


def append(file: Path, line: dict[str, Any]) -> None:
    with _named(file):
        file.parent.mkdir(parents=True, exist_ok=True)
        with open(file, "a", encoding="utf-8") as lines:
            lines.write(f"\n{json.dumps(line)}\n")  # what a killed run was writing stays a line of its own


def lines(file: Path) -> Iterator[dict[str, Any]]:
    """Yields the lines but those that a killed run was writing."""
    for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
        try:
            yield json.loads(line)
        except ValueError:
            continue


@contextmanager
def or_exit() -> Iterator[None]:
    """Ends pytest where a file cannot be written, with the reason and without a traceback."""
    try:
        yield
    except OSError as error:
        pytest.exit(str(error), returncode=1)


@contextmanager
def _named(file: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OSError(f"{file} cannot be written: {error.strerror}") from error
