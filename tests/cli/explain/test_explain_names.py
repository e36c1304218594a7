"""The names of operators that `explain` and `dispatch` print and accept: those that Python users see."""

from __future__ import annotations

import importlib
import json
from functools import reduce
from pathlib import Path

import pytest
from opgen import pipeline
from opgen.api import python_names
from opgen.commands import run
from opgen.explain import names

SCHEMAS = Path(__file__).parents[3] / "schemas"
MODULES = ("special", "fft", "linalg")


@pytest.fixture(scope="module")
def program():
    return pipeline.load(SCHEMAS, checked=False)[0]


@pytest.fixture(scope="module")
def aten():
    return pytest.importorskip("aten", reason="the library is not installed (make build installs it)")


def is_there(aten, name: str) -> bool:
    try:
        reduce(getattr, name.removeprefix("aten.").split("."), aten)
    except AttributeError:
        return False
    return True


def test_every_name_that_is_printed_is_there(program, aten):
    printed = {name for f in program.functions for name in python_names.of(f)}
    assert len(printed) > 2000
    assert not sorted(name for name in printed if not is_there(aten, name))


def test_every_name_that_is_printed_is_taken(program):
    """Each printed name finds its function, possibly among others of the same name."""
    lost = [
        (name, str(f.name))
        for f in program.functions[::3]
        for name in python_names.of(f)
        if f not in names.find(name, program)
    ]
    assert not lost


NAMESPACES = """\
- func: first::scale(Tensor x) -> Tensor
- func: second::scale(Tensor x) -> Tensor
- func: second::scale.by(Tensor x, float k) -> Tensor
- func: second::scale.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)
- func: second::relu(Tensor x) -> Tensor
- func: relu(Tensor x) -> Tensor
"""
IN_SECOND = ["second::scale", "second::scale.by", "second::scale.out"]


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("scale", ["first::scale"]),
        ("scale.by", ["second::scale.by"]),
        ("relu", ["relu"]),
        ("second::relu", ["second::relu"]),
        ("second.relu", ["second::relu"]),
        *((name, IN_SECOND) for name in ("second::scale", "second.scale", "ops.second.scale")),
        ("torch.ops.second.scale.by", ["second::scale.by"]),
        ("my_ops.ops.second.scale.default", ["second::scale"]),
        ("my_ops.ops.first.scale", ["first::scale"]),
        ("first.scale.by", []),
        ("third.scale", []),
        ("first::relu", []),
    ],
)
def test_names_in_namespaces(tmp_path, name, found):
    file = tmp_path / "native_functions.yaml"
    file.write_text(NAMESPACES)
    program = pipeline.load(file, checked=False)[0]
    assert [f.qualified_name for f in names.find(name, program)] == found


EXTENSION = {
    "my_lib.relu": "ops::relu",
    "base.Tensor.relu": "ops::relu",
    "base.ops.ops.relu.default": "ops::relu",
    "my_lib.linalg.turn": "ops::linalg_turn",
    "base.ops.ops.linalg_turn.default": "ops::linalg_turn",
    "base.ops.ops._hidden.default": "ops::_hidden",
    "base.ops.more.relu.default": "more::relu",
    "my_lib.twice": "more::twice",
    "base.ops.more.twice.default": "more::twice",
}


def test_names_of_an_extension(tmp_path):
    """They are those of its package, which need not be a namespace's, and the first namespace has a name."""
    file = tmp_path / "native_functions.yaml"
    file.write_text(
        "- func: ops::relu(Tensor self) -> Tensor\n  variants: function, method\n"
        "- func: ops::linalg_turn(Tensor self) -> Tensor\n  python_module: linalg\n"
        "- func: ops::_hidden(Tensor self) -> Tensor\n"
        "- func: more::relu(Tensor self) -> Tensor\n"
        "- func: more::twice(Tensor self) -> Tensor\n"
    )
    program = pipeline.load(file, checked=False)[0]
    extension = python_names.Extension("my_lib", "base")
    printed = {name: f.qualified_name for f in program.functions for name in extension.names(f, program)}
    assert printed == EXTENSION
    for name, function in EXTENSION.items():
        assert [f.qualified_name for f in names.find(name, program, extension)] == [function], name


@pytest.mark.parametrize("command", ["explain", "dispatch"])
def test_a_bare_name_of_a_project_of_ones_own(tmp_path, monkeypatch, capsys, command):
    monkeypatch.chdir(tmp_path)
    assert run(["init", "my_ops"]) == 0
    monkeypatch.chdir(tmp_path / "my_ops")
    capsys.readouterr()
    for name in ("rms", "my_ops::rms", "my_ops.ops.my_ops.rms"):
        assert run([command, name]) == 0
        assert "my_ops::rms" in capsys.readouterr().out
    assert run(["explain", "rms"]) == 0
    assert "  Python     my_ops.rms, aten.ops.my_ops.rms.default\n" in capsys.readouterr().out


@pytest.mark.parametrize("module", MODULES)
def test_every_function_of_a_module_is_an_operator(program, aten, module):
    public = vars(importlib.import_module(f"aten.{module}"))
    functions = [n for n, f in public.items() if callable(f) and not isinstance(f, type) and n[0] != "_"]
    assert functions
    for name in functions:
        found = names.find(f"aten.{module}.{name}", program)
        assert found, name
        assert {str(f.name.name) for f in found} <= {name, f"{module}_{name}"}
        assert any(f"aten.{module}.{name}" in python_names.of(f) for f in found)


@pytest.mark.parametrize(
    ("name", "operators"),
    [
        ("special.log_softmax", {"special_log_softmax"}),
        ("log_softmax", {"log_softmax"}),
        ("aten.nn.functional.gelu", {"gelu"}),
        ("torch.nn.functional.conv2d", {"conv2d"}),
        ("aten.Tensor.add_", {"add_"}),
        ("Tensor.add_", {"add_"}),
        ("aten.ops.aten.add.Tensor", {"add"}),
        ("at::fft_fft", {"fft_fft"}),
    ],
)
def test_names_of_all_kinds(program, name, operators):
    assert {str(f.name.name) for f in names.find(name, program)} == operators


def test_functions_without_an_own_name_have_that_of_ops(program):
    by_name = program.by_name
    assert python_names.of(by_name["gelu_backward"]) == ["aten.ops.aten.gelu_backward.default"]
    assert python_names.of(by_name["add.Scalar"]) == ["aten.ops.aten.add.Scalar"]
    assert python_names.of(by_name["fft_fft"])[0] == "aten.fft.fft"


@pytest.mark.parametrize(
    ("name", "help"),
    [
        ("relux", "relu"),
        ("aten.fft.fftt", "fft.fft"),
        ("aten.add.Tensr", "add.Tensor"),
        ("special.entrr", "special.entr"),
    ],
)
def test_a_slip_gets_a_suggestion(program, name, help):
    assert not names.find(name, program)
    assert names.unknown(name, program) == f"there is no operator '{name}'; did you mean '{help}'?"


@pytest.fixture
def two(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    one, two = "- func: f.A(Tensor self) -> Tensor\n", "- func: f.B(Tensor self, int n) -> Tensor\n"
    text = f"{one}{two}  dispatch:\n    CPU: f_cpu\n"
    (tmp_path / "native_functions.yaml").write_text(text)


def test_dispatch_prints_the_tables_of_all_overloads(two, capsys):
    assert run(["dispatch", "aten.f"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("f.A\n") and "\n\nf.B\n" in printed


def test_dispatch_as_json_is_of_one(two, capsys):
    assert run(["dispatch", "f", "--format", "json"]) == 2
    assert "'f' has 2 overloads; name one of f.A, f.B" in capsys.readouterr().err
    assert run(["dispatch", "aten.ops.aten.f.B", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["op"] == "f.B"


def test_keys_that_run_the_same_share_a_row(two, capsys):
    assert run(["dispatch", "f.B", "--all"]) == 0
    lines = capsys.readouterr().out.splitlines()
    rows = [line for line in lines if line.startswith("  ") and not line.startswith("   ")]
    assert [row.split()[0] for row in rows] == ["at::native::f_cpu", "fallback", "fallthrough"]
    assert lines[lines.index(rows[0]) + 1].split() == ["CPU"]
    keys = "\n".join(lines)
    assert all(keys.count(key) == 1 for key in ("BackendSelect", "AutogradMeta", "PreDispatch"))


def test_composites_are_differentiated_through_what_they_call(tmp_path, capsys):
    """Composites need no entry; a function with neither an entry nor a composite kernel has no derivative."""
    (tmp_path / "native_functions.yaml").write_text(
        "- func: whole(Tensor self) -> Tensor\n"
        "- func: leaf(Tensor self) -> Tensor\n  dispatch:\n    CPU: leaf\n"
        "- func: whole.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)\n"
    )
    (tmp_path / "derivatives.yaml").write_text("")
    for name, said in (("whole", "through what it calls"), ("leaf", "none"), ("whole.out", "none")):
        assert run(["explain", name, str(tmp_path)]) == 0
        assert f"derivative\n    {said}\n" in capsys.readouterr().out


def test_paths_count_from_here(monkeypatch, capsys):
    """Paths below the current folder are relative; `explain` names opgen's own kernels, too."""
    monkeypatch.chdir(SCHEMAS.parent)
    assert run(["explain", "--aten", "conv2d"]) == 0
    printed = capsys.readouterr().out
    assert "  declared   schemas/native_functions.yaml:" in printed
    assert str(SCHEMAS.parent) not in printed and "convolution" in printed
