"""Standard streams that are closed, full or no longer read: the documented exit code, a message if it can be
printed, and nothing written elsewhere.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from front import ROOT
from opgen.commands.group import COMMANDS

GOOD = "- func: f(Tensor self) -> Tensor\n"
BAD = "- func: f(Tensr self) -> Tensor\n"
# Command lines that print, to stdout, to stderr, or to both.
LINES = {
    "validate": ("validate", "good.yaml"),
    "validate, findings": ("validate", "bad.yaml", "--format", "json"),
    "dump": ("dump", "good.yaml"),
    "dump, notes": ("dump", "bad.yaml"),
    "generate": ("generate", "good.yaml", "--name", "x", "--extend", "aten", "--out", "made", "--dry-run"),
    "build": ("build", "bad.yaml", "--name", "x", "--extend", "aten", "--out", "made"),
    "breaking": ("breaking", "bad.yaml", "--against", "good.yaml"),
    "dispatch": ("dispatch", "f", "good.yaml"),
    "explain": ("explain", "OPG108"),
    "explain, much": ("explain", "--rules"),
    "schema": ("schema",),
    "init": ("init", "new"),
    "--help": ("--help",),
    "--version": ("--version",),
    "-V": ("-V",),
    "validate --help": ("validate", "--help"),
    "no command": (),
    "no such option": ("validate", "--nope"),
    "no such file": ("validate", "none.yaml"),
}
UNWANTED = ("Traceback", "internal error", "Exception ignored", "Error in sys.excepthook")


def test_every_command_has_a_line():
    assert {words[0] for words in LINES.values() if words} >= {*COMMANDS}


def run(folder: Path, words: tuple[str, ...], redirections: str = "") -> subprocess.CompletedProcess[str]:
    """Runs the command with its streams redirected by a shell; GONE is a pipe without a reader."""
    folder.mkdir()
    (folder / "good.yaml").write_text(GOOD)
    (folder / "bad.yaml").write_text(BAD)
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "cli")}
    command = [sys.executable, "-m", "opgen", *words]
    reader, gone = os.pipe()
    os.close(reader)
    try:
        script = f'exec "$@" {redirections.replace("GONE", f"&{gone}")}'
        shell = ["bash", "-c", script, "bash", *command]
        return subprocess.run(
            shell, cwd=folder, env=environment, pass_fds=(gone,), capture_output=True, text=True
        )
    finally:
        os.close(gone)


REDIRECTIONS = [
    *((f"1>{to}", True, False) for to in ("&-", "/dev/full", "GONE")),
    *((f"1>{to} 2>{to}", True, True) for to in ("&-", "/dev/full", "GONE")),
    ("2>&-", False, True),
    ("2>/dev/full", False, True),
    ("0<&- 1>&- 2>&-", True, True),
]


@pytest.mark.slow
@pytest.mark.parametrize("name", LINES)
def test_the_exit_code_and_the_message(tmp_path, name):
    usual = run(tmp_path / "usual", LINES[name])
    assert usual.returncode in (0, 1, 2, 4) and usual.stdout + usual.stderr
    for number, (redirections, no_out, no_err) in enumerate(REDIRECTIONS):
        folder = tmp_path / str(number)
        done = run(folder, LINES[name], redirections)
        lost = (no_out and usual.stdout) or (no_err and usual.stderr)
        assert done.returncode == (2 if lost else usual.returncode), (redirections, done)
        assert not any(word in done.stdout + done.stderr for word in UNWANTED), (redirections, done.stderr)
        if no_out and usual.stdout and not no_err and "GONE" not in redirections:
            assert done.stderr.rstrip().endswith(("No space left on device", "Bad file descriptor"))
        written = {f.name: f.read_text() for f in folder.glob("*.yaml")}
        assert written == {"good.yaml": GOOD, "bad.yaml": BAD}


@pytest.mark.parametrize("name", LINES)
def test_a_closed_input_is_nothing_to_anybody(tmp_path, name):
    usual, done = run(tmp_path / "a", LINES[name]), run(tmp_path / "b", LINES[name], "0<&-")
    assert (done.returncode, done.stdout, done.stderr) == (usual.returncode, usual.stdout, usual.stderr)


def test_no_file_takes_the_place_of_a_closed_stream(tmp_path):
    """With descriptors 0 to 2 closed, the first file that is opened would get one of them."""
    code = (
        "import os, sys; from opgen import commands; commands._open_streams(); "
        "file = open('numbers', 'w'); file.write(f'{file.fileno()}'); file.close()"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "cli")}
    shell = ["bash", "-c", 'exec "$@" 0<&- 1>&- 2>&-', "bash", sys.executable, "-c", code]
    assert subprocess.run(shell, cwd=tmp_path, env=environment).returncode == 0
    assert int((tmp_path / "numbers").read_text()) > 2
