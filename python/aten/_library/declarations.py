"""Where operators are declared: the lists `declarations.txt` of this package and of extensions."""

from __future__ import annotations

from pathlib import Path

from .._C import OpOverload

_lists = [Path(__file__).parents[1] / "declarations.txt"]
_read: dict[Path, dict[str, str]] = {}  # the places by name, of the lists that were asked for


def add(file: Path) -> None:
    """Adds an extension's list."""
    _lists.append(file)


def place_of(func: OpOverload) -> str | None:
    """Returns "native_functions.yaml:12"; None for an operator that Python code defines."""
    schema = func._schema
    wanted = f"{schema.name}.{schema.overload_name}" if schema.overload_name else schema.name
    return next((found[wanted] for found in map(_places, _lists) if wanted in found), None)


def _places(file: Path) -> dict[str, str]:
    if file not in _read:
        lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
        _read[file] = dict(line.split(" ", 1) for line in lines if " " in line)
    return _read[file]
