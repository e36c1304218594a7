"""A companion (tags.yaml and the like) as FILE: it stands for its functions file, or says what to name."""

from __future__ import annotations

import pytest
from breaking_pair import breaking
from git_checkout import Checkout, needs_git
from opgen.commands import run
from opgen.request import AUTOCAST_FILE, BATCHING_FILE, COMPANIONS

FUNCTIONS = "- func: f(Tensr self) -> Tensor\n"


@pytest.mark.parametrize("name", COMPANIONS)
@pytest.mark.parametrize(
    "command", [("validate",), ("dump",), ("generate", "--name=ours", "--dry-run")], ids=lambda c: c[0]
)
def test_a_companion_stands_for_the_functions_file_beside_it(tmp_path, monkeypatch, capsys, command, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ops").mkdir()
    (tmp_path / "ops" / "native_functions.yaml").write_text(FUNCTIONS)
    code = run([*command, "ops/native_functions.yaml"])
    assert "ops/native_functions.yaml:1:11" in "".join(capsys.readouterr())
    assert run([*command, f"ops/{name}"]) == code
    assert "ops/native_functions.yaml:1:11" in "".join(capsys.readouterr())


@pytest.mark.parametrize("name", COMPANIONS)
def test_without_one_it_says_what_to_name(tmp_path, monkeypatch, capsys, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text("- name: f(Tensor self) -> Tensor\n")
    assert run(["validate", name]) == 2
    said = capsys.readouterr().err
    assert "there is no native_functions.yaml beside it; name the functions file" in said
    assert (f"--{name[:-5]} {name}" in said) is (name not in (AUTOCAST_FILE, BATCHING_FILE))
    assert len(said.splitlines()) == 1
    assert run(["validate", name, "--skip-unrelated"]) == 0
    assert capsys.readouterr().out == "no functions file: no errors\n"


@pytest.mark.parametrize("kind", ["tags", "derivatives", "checks", "docs"])
def test_the_configuration_names_them_together(tmp_path, monkeypatch, capsys, kind):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "ours.yaml").write_text("")
    (tmp_path / "functions.yaml").write_text(FUNCTIONS)
    (tmp_path / "opgen.toml").write_text(f'schemas = "functions.yaml"\n{kind} = "tools/ours.yaml"\n')
    assert run(["validate", "tools/ours.yaml"]) == 1
    assert "functions.yaml:1:11" in capsys.readouterr().out


def test_each_functions_file_is_checked_once(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "native_functions.yaml").write_text(FUNCTIONS)
    assert run(["validate", "tags.yaml", "native_functions.yaml", ".", "docs.yaml"]) == 1
    assert capsys.readouterr().out.count("OPG108") == 1


@pytest.mark.parametrize("name", COMPANIONS)
def test_breaking_takes_them_too(tmp_path, monkeypatch, capsys, name):
    needs_git()
    checkout = Checkout(tmp_path)
    checkout.commit(ops__native_functions="- func: f(Tensor self, int k) -> Tensor\n")
    checkout.write(ops__native_functions="- func: f(Tensor self, int j) -> Tensor\n")
    (tmp_path / "ops" / name).touch()
    monkeypatch.chdir(tmp_path)
    expected = (1, [("arg-renamed", "error", "f", 1)])
    assert breaking(capsys, new=f"ops/{name}", old="HEAD") == expected
    assert breaking(capsys, new="ops", old=f"HEAD:ops/{name}") == expected
