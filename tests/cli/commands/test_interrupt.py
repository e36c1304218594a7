"""Ctrl-C, from the first moment on: exit code 130 and no traceback."""

from __future__ import annotations

import itertools
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from front import ROOT

LINES = {
    "validate": ("validate", "good.yaml"),
    "breaking": ("breaking", "good.yaml", "--against", "good.yaml", "--format", "sarif"),
    "explain": ("explain", "f", "good.yaml"),
    "help": ("--help",),
    "a fault": ("validate", "none.yaml"),
}
# At the start of each module, and in each callback that the import system gives a weak reference, a child is
# forked and interrupted. The program prints the number of interruptions, and those that did not end well.
AT_EVERY_IMPORT = """
import os, signal, sys

begun, children, bad = False, 0, []

def interrupt(frame, event, argument):
    global begun, children
    name = frame.f_code.co_name
    begun = begun or (name == "main" and frame.f_code.co_filename.endswith("commands/__init__.py"))
    if event != "call" or not begun or name not in ("<module>", "cb"):
        return
    children += 1
    said = f"{sys.argv[0]}/{children}"
    child = os.fork()
    if child == 0:
        sys.setprofile(None)
        end = os.open(said, os.O_WRONLY | os.O_CREAT)
        os.dup2(end, 1), os.dup2(end, 2)
        signal.raise_signal(signal.SIGINT)
        return
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    text = open(said).read()
    if code != 130 or text not in ("", "interrupted\\n"):
        bad.append((frame.f_code.co_filename, code, text))

from opgen.commands import main
out = os.dup(1)
folder = sys.argv.pop(1)
sys.argv[0] = folder
sys.setprofile(interrupt)
parent = os.getpid()
try:
    main()
finally:
    sys.setprofile(None)
    if os.getpid() == parent:
        os.write(out, f"\\n{children} {bad}".encode())
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "good.yaml").write_text("- func: f(Tensor self) -> Tensor\n")
    (tmp_path / "said").mkdir()
    return tmp_path


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT / "cli")}


@pytest.mark.parametrize("name", LINES)
def test_at_every_import(folder, name):
    command = [sys.executable, "-c", AT_EVERY_IMPORT, folder / "said", *LINES[name]]
    done = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True, check=False)
    children, _, bad = done.stdout.rpartition("\n")[2].partition(" ")
    assert int(children) > 40, done
    assert bad == "[]"


# Before opgen's first line, Python itself runs, and its `site` has a main, too. A clone may be called opgen.
PACKAGE = re.escape(str(ROOT / "cli" / "opgen"))
OURS = re.compile(
    rf'File "{PACKAGE}/(?!__init__\.py|__main__\.py|commands/__init__\.py)'
    rf'|File "{PACKAGE}/[^"]*", line \d+, in main'
)


@pytest.mark.parametrize("name", ["validate", "explain", "help"])
@pytest.mark.parametrize("way", ["script", "module"])
def test_at_many_moments(folder, name, way):
    script = Path(sys.executable).parent / "opgen"
    if way == "script" and not script.is_file():
        pytest.skip("the command is not installed here")
    command = [str(script)] if way == "script" else [sys.executable, "-m", "opgen"]
    seen = set()
    for delay in itertools.chain(range(0, 300, 15), range(300, 10_000, 100)):
        if delay >= 300 and 130 in seen:  # a busy machine takes longer to reach our first line
            break
        process = subprocess.Popen(
            [*command, *LINES[name]], cwd=folder, env=environment(),
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        time.sleep(delay / 1000)
        process.send_signal(signal.SIGINT)
        said = process.communicate()[1]
        assert not OURS.search(said), (delay, said)
        if "Traceback" not in said and "Fatal Python error" not in said:
            assert process.returncode in (130, 0, -signal.SIGINT) and said in ("", "interrupted\n"), said
            seen.add(process.returncode)
    assert 130 in seen


def test_who_ignores_it_is_not_interrupted(folder):
    """SIGINT stays ignored, as set by `nohup` and a shell's `&`."""
    code = "import signal, subprocess, sys; signal.signal(signal.SIGINT, signal.SIG_IGN); "
    code += "sys.exit(subprocess.call(sys.argv[1:]))"
    child = "import signal; from opgen.commands import main, group; "
    child += "group.run = lambda arguments: signal.raise_signal(signal.SIGINT) or 7; main()"
    command = [sys.executable, "-c", code, sys.executable, "-c", child]
    assert subprocess.run(command, cwd=folder, env=environment()).returncode == 7


def test_an_interrupt_that_python_wraps_is_one(folder):
    """Python before 3.12 wraps an exception in a descriptor's __set_name__ in a RuntimeError."""
    child = """
import sys
from opgen.commands import group, main
def raise_wrapped(arguments):
    raise RuntimeError("Error calling __set_name__") from KeyboardInterrupt()
group._invoke = raise_wrapped
main(["validate"])
"""
    command = [sys.executable, "-c", child]
    done = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (130, "interrupted\n")
