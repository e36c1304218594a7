"""Colours on a terminal, and plain text elsewhere."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest
from front import ROOT
from opgen.build.progress import Progress
from opgen.colours import coloured

BAD = "- func: f(Tensr self) -> Tensor\n"
ESCAPE = re.compile(r"\x1b\[[\d;]*m")


class Terminal:
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def terminal(monkeypatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)


def on_a_terminal(folder: Path, *arguments: str) -> str:
    """Returns a command's output on a terminal."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "cli")}
    command = [sys.executable, "-m", "opgen", *arguments]
    subprocess.run(command, cwd=folder, stdout=theirs, stderr=theirs, env=environment, check=False)
    os.close(theirs)
    said = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:  # Linux signals the end of the terminal like this
            part = b""
        if not part:
            os.close(ours)
            return said.decode().replace("\r\n", "\n")
        said += part


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    (tmp_path / "bad.yaml").write_text(BAD)
    return tmp_path


def test_faults_on_a_terminal(bad):
    said = on_a_terminal(bad, "validate", "bad.yaml")
    assert "\x1b[1;31merror[OPG108 unknown-type]\x1b[0m: there is no type 'Tensr'" in said
    assert "\x1b[1;32m^^^^^\x1b[0m" in said and "\x1b[36m-->\x1b[0m bad.yaml:1:11" in said
    command = [sys.executable, "-m", "opgen", "validate", "bad.yaml"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "cli")}
    plain = subprocess.run(command, cwd=bad, capture_output=True, text=True, env=environment, check=False)
    assert ESCAPE.sub("", said) == plain.stdout and "\x1b" not in plain.stdout


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_terminals_that_are_to_have_none(bad, monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    assert "\x1b" not in on_a_terminal(bad, "validate", "bad.yaml")


def test_an_empty_no_color_says_nothing(bad, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "")
    assert "\x1b[1;31m" in on_a_terminal(bad, "validate", "bad.yaml")


def test_what_is_for_machines_has_none(bad):
    assert "\x1b" not in on_a_terminal(bad, "validate", "bad.yaml", "--format", "json")


def test_escapes_of_the_input_are_not_obeyed(tmp_path):
    (tmp_path / "bad.yaml").write_text('- func: "f(\\e[31mTensr self) -> Tensor"\n')
    said = on_a_terminal(tmp_path, "validate", "bad.yaml")
    assert "error" in said and "\x1b[31m" not in said


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("k/one.cpp:2:7: warning: unused", "k/one.cpp:2:7: \x1b[1;33mwarning\x1b[0m: unused"),
        (
            "f.yaml:7: error: kernel at::native::f is",
            "f.yaml:7: \x1b[1;31merror\x1b[0m: kernel at::native::f is",
        ),
        ("opgen: note: none for f", "opgen: \x1b[1;36mnote\x1b[0m: none for f"),
        ("  = help: write Tensor", "  \x1b[36m= help:\x1b[0m write Tensor"),
        ("an error: of the text", "an error: of the text"),
        ("errors: 2", "errors: 2"),
    ],
)
def test_lines(line, shown):
    assert coloured(f"{line}\n\n", Terminal()) == f"{shown}\n\n"


def test_a_build_colours_what_it_says(monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    Progress().warn("one.cpp:1:1: error: no")
    assert "one.cpp:1:1: \x1b[1;31merror\x1b[0m: no\n" in capsys.readouterr().err
