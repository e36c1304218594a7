"""Extensions whose library is not installed or has their operators already; projects whose name is taken."""

from __future__ import annotations

from pathlib import Path

import pytest
from opgen.build import installed
from opgen.commands import run

HEADER = """\
struct TORCH_API scale_out {
  static constexpr const char* name = "theirs::scale";
  static constexpr const char* overload_name = "out";
};
struct TORCH_API sum {
  static constexpr const char* name = "aten::sum";
  static constexpr const char* overload_name = "";
};
"""
OURS = "- func: theirs::scale(Tensor self) -> Tensor\n- func: sum(Tensor self) -> Tensor\n"


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A package with the headers of two operators, as a wheel installs them."""
    ops = tmp_path / "site" / "basic_ops" / "include" / "basic_ops" / "ATen" / "ops"
    ops.mkdir(parents=True)
    (ops / "both_ops.h").write_text(HEADER)
    (tmp_path / "site" / "basic_ops" / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    monkeypatch.chdir(tmp_path)
    return "basic_ops"


def extend(library: str, text: str, *command: str) -> int:
    Path("native_functions.yaml").write_text(text)
    return run([*command, "--name", "ours", "--extend", library])


def test_operators_of_the_library_are_each_told(library, capsys):
    assert installed.operators(library) == {"theirs::scale.out", "aten::sum"}
    text = OURS + "- func: theirs::scale.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)\n"
    assert extend(library, text, "generate") == 1
    said = capsys.readouterr().err
    assert said.count("OPG904") == 2 and not Path("generated").exists()
    assert "'aten::sum' is an operator of basic_ops, which this extends" in said
    assert "native_functions.yaml:2:9" in said and "native_functions.yaml:3:9" in said
    assert "func: mine::sum(...)" in said


def test_other_operators_and_overloads_are_not(library):
    assert extend(library, "- func: theirs::scale(Tensor self) -> Tensor\n", "generate") == 0


def test_the_shipped_library_need_not_be_installed(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(installed, "package", lambda library: None)
    assert extend("aten", "- func: relu(Tensor self) -> Tensor\n", "generate") == 1
    assert "'aten::relu' is an operator of aten" in capsys.readouterr().err
    assert extend("aten", "- func: mine::relu(Tensor self) -> Tensor\n", "generate") == 0


def test_a_library_that_is_not_installed(tmp_path, monkeypatch, capsys):
    """The error, with instructions, comes before anything is generated."""
    monkeypatch.chdir(tmp_path)
    assert extend("not_installed", "- func: mine::f(Tensor self) -> Tensor\n", "build") == 2
    said = capsys.readouterr().err
    assert "--extend not_installed: no library of this name is installed in" in said
    assert "pip install not_installed-VERSION.whl" in said and "opgen build --aten --install" in said
    assert [p.name for p in tmp_path.iterdir()] == ["native_functions.yaml"]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("class", "a keyword of C++'s"),
        ("lambda", "a keyword of Python's"),
        ("aten", "the library that this one extends has that name"),
        ("json", "Python has a module of this name"),
    ],
)
def test_a_project_whose_name_is_taken(tmp_path, monkeypatch, capsys, name, why):
    monkeypatch.chdir(tmp_path)
    assert run(["init", name]) == 2
    said = capsys.readouterr().err
    assert f"DIR '{name}': " in said and why in said and "call it otherwise, or give --name" in said
    assert not list(tmp_path.iterdir())
    assert run(["init", name, "--name", "fine_ops"]) == 0
