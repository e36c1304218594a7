"""Commits named in the documentation exist, so that a figure's sources can be checked out."""

from __future__ import annotations

import re
import subprocess

import pytest
from house import ROOT

# Seven digits of hexadecimal, with a letter and a digit: neither a word nor a number.
COMMIT = re.compile(r"(?<![\w#])(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{7}(?!\w)")


def git(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", *command], cwd=ROOT, capture_output=True, text=True, check=False)


def test_commits_are_there() -> None:
    if git("rev-parse", "--is-shallow-repository").stdout.strip() != "false":
        pytest.skip("no repository with its history")
    pages = [ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")]
    named = [(page, commit) for page in pages for commit in COMMIT.findall(page.read_text(encoding="utf-8"))]
    assert len(named) > 10
    missing = [
        f"{page.relative_to(ROOT)}: {commit}"
        for page, commit in named
        if git("cat-file", "-e", f"{commit}^{{commit}}").returncode
    ]
    assert not missing, "name a commit of this history, or measure again"
