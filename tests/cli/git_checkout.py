"""A git repository for tests, independent of this machine's git configuration."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest


class Checkout:
    """A repository in `folder` with the branch main; commits have fixed authors and no hooks."""

    def __init__(self, folder: Path):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *words: str) -> str:
        quiet = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
        author = [f"{who}_{what}" for who in ("GIT_AUTHOR", "GIT_COMMITTER") for what in ("NAME", "EMAIL")]
        environment = {**os.environ, **quiet, **dict.fromkeys(author, "tester")}
        command = ["git", "-c", "protocol.file.allow=always", *words]
        done = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def write(self, **files: str) -> None:
        """`write(schemas__native_functions="...")` writes schemas/native_functions.yaml."""
        for name, text in files.items():
            path = self.folder / (name.replace("__", "/") + ".yaml")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def commit(self, **files: str) -> str:
        """Commits the files and returns the id of the commit."""
        self.write(**files)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message=x")
        return self.git("rev-parse", "HEAD")


def needs_git() -> None:
    if shutil.which("git") is None:
        pytest.skip("needs git")
