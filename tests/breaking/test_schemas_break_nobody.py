"""schemas/ breaks no C++ or Python caller and no exported program of the last merged version. Intended breaks
are accepted in opgen.toml (docs/breaking.md).
"""

from __future__ import annotations

import shutil
import subprocess

import pytest
from house import ROOT
from opgen.commands import run


def commit(ref: str) -> str | None:
    asked = ["git", "rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}"]
    done = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else None


def landed() -> str:
    """Returns the last merged commit: origin's main, or, if that is this commit, the one before."""
    if shutil.which("git") is None or commit("HEAD") is None:
        pytest.skip("no git checkout: there is nothing to compare with")
    if commit("origin/main") not in (None, commit("HEAD")):
        return "origin/main"
    if commit("HEAD~1") is None:
        pytest.skip("the commit before this one is not in this clone (fetch-depth: 2 has it)")
    return "HEAD~1"


def test_schemas_break_nobody(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    base = landed()
    code = run(["breaking", "schemas", "--against", base])
    shown = capsys.readouterr()
    assert code == 0, f"\n{shown.out}{shown.err}"
