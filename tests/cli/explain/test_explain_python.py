"""`opgen explain` of what is written in Python, and of derivatives through other operators."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from opgen.commands import run
from opgen.explain import python_layer, python_sources

ROOT = Path(__file__).parents[3]
PACKAGE = ROOT / "python" / "aten"


def imported(module: Path, prefix: str) -> list[str]:
    """Returns the public names that a module imports from files of the package, not from the compiled one nor
    from array_api, which fills its namespace as it is imported.
    """
    body = ast.parse(module.read_text(encoding="utf-8")).body
    elsewhere = (None, "_C", "array_api")
    found = (n for n in body if isinstance(n, ast.ImportFrom) and n.level and n.module not in elsewhere)
    names = (alias.asname or alias.name for node in found for alias in node.names)
    return [prefix + name for name in names if name.islower() and not name.startswith("_")]


def test_every_python_function_that_the_package_exports():
    names = imported(PACKAGE / "__init__.py", "aten.") + imported(PACKAGE / "nn" / "functional.py", "F.")
    names += imported(PACKAGE / "func" / "__init__.py", "torch.func.")
    package = python_layer.Package(PACKAGE)
    assert len(names) > 150
    values = {"aten.ops", "aten.default_generator"}
    for name in sorted(set(names) - values):
        part = package.function(name)
        assert part is not None, name
        line = part.path.read_text(encoding="utf-8").splitlines()[part.line - 1]
        assert line.startswith(("def ", "class ", f"{name.rpartition('.')[2]} = ")), (name, part, line)


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("aten.tensor", "python/aten/_creation.py"),
        ("torch.tensor", "python/aten/_creation.py"),
        ("optim.SGD", "python/aten/optim/sgd.py"),
        ("nn.utils.clip_grad_norm_", "python/aten/nn/utils/clip_grad.py"),
        ("cross_entropy", "python/aten/nn/_losses.py"),
        ("nn.functional.cross_entropy", "python/aten/nn/_losses.py"),
        ("Conv2d", "python/aten/nn/modules/_conv.py"),
    ],
)
def test_names_as_users_write_them(monkeypatch, capsys, name, path):
    monkeypatch.chdir(ROOT)
    assert run(["explain", name, "--aten", "--depth", "0"]) == 0
    assert f"  {path}:" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "help"),
    [
        ("nn.functional.cross_entrpy", "did you mean 'nn.functional.cross_entropy'?"),
        ("aten.tensr", "there is no operator 'aten.tensr'"),
        ("optim.SGD.no.such", "there is no operator"),
        ("nn.functional.", "there is no operator"),
        ("...", "there is no operator"),
        ("../etc", "there is no operator"),
    ],
)
def test_no_such_name(monkeypatch, capsys, name, help):
    monkeypatch.chdir(ROOT)
    assert run(["explain", name, "--aten"]) == 2
    assert help in capsys.readouterr().err


def test_imports_that_go_round_in_circles(tmp_path):
    (tmp_path / "__init__.py").write_text("from .a import f\nfrom os import getcwd\n")
    (tmp_path / "a.py").write_text("from .b import f\n")
    (tmp_path / "b.py").write_text("from .a import f\n")
    assert python_sources.find(tmp_path, "f") is python_sources.find(tmp_path, "getcwd") is None


@pytest.mark.parametrize(
    ("name", "through"),
    [("softmax", "_softmax"), ("matmul", "dot, mm, mv, bmm")],
)
def test_a_derivative_through_what_is_called_names_it(monkeypatch, capsys, name, through):
    monkeypatch.chdir(ROOT)
    assert run(["explain", name, "--aten"]) == 0
    rows = [r for r in capsys.readouterr().out.splitlines() if r.startswith("    through what it calls: ")]
    assert rows == [f"    through what it calls: {through}"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("cross_entropy", "none of these is declared in native_functions.yaml; --aten reads those of aten"),
        ("optim.SGD", "none is named by these functions"),
    ],
)
def test_a_projects_own_file_has_no_operators_of_aten(tmp_path, monkeypatch, capsys, name, said):
    (tmp_path / "native_functions.yaml").write_text("- func: mine::f(Tensor self) -> Tensor\n")
    monkeypatch.chdir(tmp_path)
    assert run(["explain", name]) == 0
    assert capsys.readouterr().out.endswith(f"  operators   {said}\n")
