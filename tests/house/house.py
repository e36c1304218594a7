"""What the house tests share: where the repository is, and its files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CPP = (".h", ".cpp", ".cuh", ".cu")


def files(folder: str, *suffixes: str) -> Iterator[Path]:
    """Files of a top folder with one of these endings (all, without any), sorted."""
    for file in sorted((ROOT / folder).rglob("*")):
        hidden = any(part.startswith(".") or part == "__pycache__" for part in file.relative_to(ROOT).parts)
        if file.is_file() and not hidden and (not suffixes or file.name.endswith(suffixes)):
            yield file


def name(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()
