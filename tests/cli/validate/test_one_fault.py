"""A fault is reported once, and typos on the command line get a suggestion."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from opgen.commands import run

GROUP = """\
- func: f(Tensor self) -> Tensor
  structured_delegate: f.out
  variants: function, method
- func: f_(Tensor(a!) self) -> Tensor(a!)
  structured_delegate: f.out
  variants: function, method
- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch:
    CPU: f_out
"""
DERIVATIVES = "- name: f(Tensor self) -> Tensor\n  self: grad\n  result: auto_linear\n"


def found(capsys, folder: Path) -> list[dict]:
    run(["validate", str(folder), "--format", "json"])
    return json.loads(capsys.readouterr().out)["diagnostics"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "native_functions.yaml").write_text(GROUP)
    (tmp_path / "derivatives.yaml").write_text(DERIVATIVES)
    return tmp_path


def test_the_project_is_sound(project, capsys):
    assert found(capsys, project) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("f(Tensor self)", "f(Tensor self, int n)"),
        ("f(Tensor self)", "f(Tensor self, int n=0)"),
        ("f_(Tensor(a!) self)", "f_(Tensor(a!) self, int n)"),
        ("f.out(Tensor self, *", "f.out(Tensor self, int n, *"),
    ],
)
def test_an_argument_of_one_form(project, capsys, before, after):
    """One of three forms with a derivative has the fault; consequences elsewhere are not reported."""
    (project / "native_functions.yaml").write_text(GROUP.replace(before, after, 1))
    assert [d["code"] for d in found(capsys, project)] == ["OPG612"]


def test_other_operators_are_checked_all_the_same(project, capsys):
    text = GROUP.replace("f(Tensor self)", "f(Tensor self, int n)", 1)
    (project / "native_functions.yaml").write_text(text + "- func: g(Tensor self) -> Tensor\n" * 2)
    assert [d["code"] for d in found(capsys, project)] == ["OPG612", "OPG307"]


@pytest.mark.parametrize(
    ("schema", "column"),
    [
        ("f(Tensor self -> Tensor", 22),
        ("f(Tensor self, float x=1.0 -> Tensor", 35),
        ("f(Tensor self, *, int[2] x=[1, 2] -> Tensor", 42),
        ("f( -> Tensor", 11),
    ],
)
def test_a_parenthesis_that_is_not_there(tmp_path, capsys, schema, column):
    (tmp_path / "native_functions.yaml").write_text(f"- func: {schema}\n")
    faults = [d for d in found(capsys, tmp_path) if d["code"] != "OPG101"]
    assert [(d["code"], d["message"]) for d in faults] == [("OPG104", "expected ')' before '->'")]
    assert faults[0]["column"] == column


@pytest.mark.parametrize(
    ("words", "help"),
    [
        (["valdate"], "there is no command 'valdate'; did you mean 'validate'?"),
        (["Build"], "there is no command 'Build'; did you mean 'build'?"),
        (["frobnicate"], "there is no command 'frobnicate'; `opgen -h` lists them"),
        (["explain", "ff", "FILE"], "there is no operator 'ff'"),
        (["dispatch", "halve_att", "FILE"], "there is no operator 'halve_att'; did you mean 'halve_at'?"),
        (
            ["generate", "FILE", "--name", "x", "--extend", "aten", "--ops", "halve_att", "--dry-run"],
            "no such operator: 'halve_att' (did you mean 'halve_at'?)",
        ),
    ],
)
def test_a_slip_gets_a_suggestion(tmp_path, capsys, words, help):
    file = tmp_path / "native_functions.yaml"
    file.write_text("- func: halve_at(Tensor self) -> Tensor\n")
    assert run([str(file) if word == "FILE" else word for word in words]) == 2
    assert help in capsys.readouterr().err
