"""What git knows of the commits: which share one has, and where its day begins."""

from __future__ import annotations

import subprocess
from pathlib import Path

DAY = 24 * 60 * 60
SHALLOW = "the clone is shallow (`git fetch --unshallow` gets the history)"


def git(root: Path, *command: str) -> str | None:
    """Returns what the command says, None if it fails."""
    done = subprocess.run(["git", *command], cwd=root, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else None


def is_shallow(root: Path) -> bool:
    return git(root, "rev-parse", "--is-shallow-repository") == "true"


def day_before(root: Path) -> tuple[str | None, str]:
    """Returns the last commit that is a day older than HEAD's own date, and what to say of it."""
    date = git(root, "show", "-s", "--format=%ct", "HEAD")
    base = git(root, "rev-list", "-1", f"--before={int(date) - DAY}", "HEAD") if date else None
    if base:
        return base, f"since {base[:9]}"
    why = f"{SHALLOW} and has" if is_shallow(root) else "here is"
    return None, f"{why} no commit that is a day older than HEAD, so none counts as touched"


def turn(root: Path) -> tuple[int, str]:
    """Returns the turn of HEAD, from 1 on, and what chose it: each commit has the next one."""
    if is_shallow(root):
        return int(git(root, "rev-parse", "HEAD")[:7], 16) + 1, f"{SHALLOW}: HEAD's hash chooses the share"
    count = git(root, "rev-list", "--count", "HEAD")
    if count is None:
        return 1, "git knows no commits here, so the first share runs; --turn chooses another"
    return int(count), f"HEAD is commit {count}, which chooses the share"
