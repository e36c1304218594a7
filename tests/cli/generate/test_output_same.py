"""The same tree from concurrent runs, after killed runs, on another machine and with another Python."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from front import ROOT
from test_generate_command import EXTENSION, generate, project, tree  # noqa: F401
from test_output_safety import edit, start


def test_runs_at_the_same_time(project, tmp_path):  # noqa: F811
    other = tmp_path / "other"
    shutil.copytree(project, other)
    edit(other)
    for folder, out in ((project, "a"), (other, "b")):
        assert generate(folder, tmp_path / out).returncode == 0
    expected = [tree(tmp_path / out) for out in ("a", "b")]
    runs = [start(folder, tmp_path / "c") for folder in (project, other, project)]
    assert [run.wait(60) for run in runs] == [0, 0, 0]
    assert tree(tmp_path / "c") in expected


BACKWARDS = """
import os
_list, _scan = os.listdir, os.scandir
class Backwards(list):
    def __enter__(self): return self
    def __exit__(self, *error): pass
    def close(self): pass
os.listdir = lambda *a: sorted(_list(*a), reverse=True)
os.scandir = lambda *a: Backwards(sorted(_scan(*a), key=lambda e: e.name, reverse=True))
"""


def test_the_same_bytes_whatever_the_machine_is_like(project, tmp_path):  # noqa: F811
    """Bytes don't depend on the order of folders, the locale, the umask and the path's depth; see also
    test_generate_command.
    """
    (project / "functors" / "a.h").write_text("// one\n")
    (project / "functors" / "Z.h").write_text("// two\n")
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(BACKWARDS)
    assert generate(project, tmp_path / "a", PYTHONHASHSEED="0").returncode == 0
    old = os.umask(0o077)
    try:
        places = {"PYTHONPATH": f"{ROOT / 'cli'}:{tmp_path / 'site'}", "HOME": "/nowhere"}
        settings = {"LC_ALL": "tr_TR.UTF-8", "LANG": "C", "TZ": "Pacific/Kiritimati", "PYTHONUTF8": "0"}
        deep = tmp_path / ("d" * 200) / ("e" * 200)
        second = generate(project, deep / "b", PYTHONHASHSEED="4294967295", **places, **settings)
    finally:
        os.umask(old)
    assert second.returncode == 0, second.stderr
    assert tree(tmp_path / "a") == tree(deep / "b")


@pytest.mark.parametrize("version", ["3.10", "3.11", "3.12", "3.13", "3.14"])
def test_the_same_bytes_from_every_python(project, tmp_path, version):  # noqa: F811
    python = sys.executable if sys.version.startswith(version) else shutil.which(f"python{version}")
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "cli")}
    probe = [python, "-c", "import click, mako, yaml._yaml"]
    if python is None or subprocess.run(probe, env=environment, capture_output=True, check=False).returncode:
        pytest.skip(f"needs a Python {version} with click, mako and PyYAML")
    command = ["-m", "opgen", "generate", project, *EXTENSION, project / "functors", "--out"]
    for run, out in ((sys.executable, "a"), (python, "b")):
        subprocess.run([run, *command, tmp_path / out], env=environment, capture_output=True, check=True)
    assert tree(tmp_path / "a") == tree(tmp_path / "b")


def sources(out: Path) -> dict[str, str]:
    """Returns all files but the manifest, with the digest of opgen itself, which may be edited meanwhile."""
    return {path: digest for path, digest in tree(out).items() if path != "manifest.json"}


def test_a_run_that_changes_nothing_removes_what_killed_ones_left(project, tmp_path):  # noqa: F811
    out, left = tmp_path / "out", tmp_path / ".out.stage.1"
    assert generate(project, out).returncode == 0
    left.mkdir()
    (left / "half").write_text("")
    assert "up to date" in generate(project, out).stdout
    assert not left.exists()
