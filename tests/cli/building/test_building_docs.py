"""The statements of docs/building.md about the shell and about options are true."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import click
import pytest
from front import ROOT
from opgen.build.toolchain import LAUNCHERS
from opgen.commands import build

PAGE = (ROOT / "docs" / "building.md").read_text(encoding="utf-8")


def opgen(**variables: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "cli"), **variables}
    command = [sys.executable, "-m", "opgen"]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False).stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_its_script(shell):
    assert f"_OPGEN_COMPLETE={shell}_source opgen" in PAGE
    assert f"_OPGEN_COMPLETE={shell}_complete" in opgen(_OPGEN_COMPLETE=f"{shell}_source")


@pytest.mark.parametrize(
    ("words", "number", "expected"),
    [
        ("opgen bu", 1, {"build"}),
        ("opgen build --launch", 2, {"--launcher"}),
        ("opgen build --launcher ", 3, {"auto", "none", *LAUNCHERS}),
    ],
)
def test_what_is_completed(words, number, expected):
    variables = {"_OPGEN_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(number)}
    assert {line.partition(",")[2] for line in opgen(**variables).splitlines()} == expected


def test_options_that_the_page_names():
    known = {n for p in build.command.params if isinstance(p, click.Option) for n in p.opts}
    known |= {"--check"}  # an option of `opgen generate`
    for line in re.findall(r"`[^`\n]*opgen[^`\n]*`|^ +opgen .*$", PAGE, re.MULTILINE):
        assert set(re.findall(r"(?<= )-{1,2}[\w-]+", line)) <= known, line
