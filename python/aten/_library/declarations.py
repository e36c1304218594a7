"""Where operators are declared: the lists `declarations.txt` of this package and of extensions."""

from __future__ import annotations

import functools
from pathlib import Path

from .._C import OpOverload

_lists = [Path(__file__).parents[1] / "declarations.txt"]


def add(file: Path) -> None:
    """Adds an extension's list."""
    _lists.append(file)


def place_of(func: OpOverload) -> str | None:
    """Returns "native_functions.yaml:12"; None for an operator that Python code defines."""
    schema = func._schema
    wanted = f"{schema.name}.{schema.overload_name}" if schema.overload_name else schema.name
    return next((found[wanted] for found in map(_read, _lists) if wanted in found), None)


@functools.cache
def _read(file: Path) -> dict[str, str]:
    """Returns the places by name; none where there is no such file."""
    if not file.is_file():
        return {}
    lines = file.read_text(encoding="utf-8").splitlines()
    return dict(line.split(" ", 1) for line in lines if " " in line)
