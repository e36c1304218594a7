"""`opgen init` makes a valid project under the given name, which can be generated."""

from __future__ import annotations

import subprocess

from front import ROOT
from opgen.commands import init, run
from test_generate_command import opgen


def test_a_new_project_is_valid_and_generates(tmp_path):
    folder = tmp_path / "my-ops"
    done = opgen("init", folder)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith(f"next: cd {folder} && opgen build --install && python -m pytest\n")
    made = {f.relative_to(folder).as_posix() for f in folder.rglob("*") if f.is_file()}
    listed = ["git", "ls-files", "examples/quadratic"]
    tracked = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=False).stdout.split()
    if tracked:
        names = {f.removeprefix("examples/quadratic/").replace("quadratic", "my_ops") for f in tracked}
        assert made == names
    assert {"opgen.toml", ".gitignore", "derivatives.yaml", "tests/test_my_ops.py"} <= made
    assert not [f for f in made if "quadratic" in (folder / f).read_text()]
    assert opgen("validate", cwd=folder).returncode == 0
    done = opgen("generate", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert (folder / "generated/my_ops/include/my_ops/ATen/ops/my_ops_rms.h").is_file()


def test_what_to_do_next_includes_what_is_not_installed(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(init, "find_spec", lambda name: None)
    assert run(["init", str(tmp_path / "mine")]) == 0
    said = capsys.readouterr().out
    assert said.endswith("&& opgen build --install && pip install pytest && python -m pytest\n")


def test_nothing_is_overwritten(tmp_path):
    (tmp_path / "mine").write_text("")
    assert opgen("init", tmp_path, "--name", "x").returncode == 2
    assert sorted(p.name for p in tmp_path.iterdir()) == ["mine"]


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    done = opgen("init", tmp_path / "file" / "mine")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"opgen: {tmp_path}/file/mine/") and "Not a directory" in done.stderr


def test_a_name_must_be_an_identifier(tmp_path):
    assert opgen("init", tmp_path / "x", "--name", "1; rm").returncode == 2
    assert opgen("init", tmp_path / "Großes").returncode == 2
    assert not list(tmp_path.iterdir())
