"""Shared by the tests of the repository's structure: its root and its files."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CPP = (".h", ".cpp", ".cuh", ".cu")
# `# ---- Elementwise: arithmetic` is the heading of a section of the subject elementwise.
SECTION = re.compile(r"# -{4,} (\w+)")
ENTRY = re.compile(r"(?:- func|  autogen): (.+)")


def files(folder: str, *suffixes: str) -> Iterator[Path]:
    """Yields the files of a top folder with one of these endings (all, without any), sorted."""
    for file in sorted((ROOT / folder).rglob("*")):
        hidden = any(part.startswith(".") or part == "__pycache__" for part in file.relative_to(ROOT).parts)
        if file.is_file() and not hidden and (not suffixes or file.name.endswith(suffixes)):
            yield file


def kept(*which: str) -> list[str]:
    """Returns the names of files that git tracks, or would with `git add`; `which` are pathspecs."""
    git = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *which]
    names = subprocess.run(git, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    return [n for n in names if n and (ROOT / n).is_file()]


def name(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


def subjects() -> dict[str, str]:
    """Returns the subject of each operator, declared or generated: that of its section of
    native_functions.yaml, and the folder of ops/ that defines it. In-place operators have the functional
    name, `fill` for `fill_`.
    """
    found: dict[str, str] = {}
    subject = ""
    for line in (ROOT / "schemas" / "native_functions.yaml").read_text(encoding="utf-8").splitlines():
        if section := SECTION.match(line):
            subject = section[1].lower()
        elif entry := ENTRY.match(line):
            for text in entry[1].partition("(")[0].split(","):
                operator = text.strip().partition(".")[0]
                found.setdefault(operator if operator.endswith("__") else operator.removesuffix("_"), subject)
    return found
