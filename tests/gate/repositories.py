"""Repositories whose commits have dates."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path


def repository(root: Path, days: Iterable[int] = ()) -> Path:
    """Makes one, or goes on with it: an empty commit for each day."""
    subprocess.run(["git", "init", "-q", root], check=True)
    for day in days:
        commit(root, {}, day)
    return root


def commit(root: Path, files: Mapping[str, str], day: int) -> None:
    """Writes the files and commits them, at noon of a day in January."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    date = f"2026-01-{day:02} 12:00:00 +0000"
    who = {f"GIT_{role}_{what}": "x" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    environment = {**os.environ, **who, "GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
    for command in (["add", "-A"], ["commit", "-q", "--allow-empty", "-m", f"day {day}"]):
        subprocess.run(["git", "-C", root, *command], env=environment, check=True)
