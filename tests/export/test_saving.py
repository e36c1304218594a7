"""Files of programs, without PyTorch: what an archive holds, that it is complete or not there, and errors."""

from __future__ import annotations

import dataclasses
import io
import json
import os
import stat
import zipfile
from pathlib import Path
from typing import Any

import aten
import pytest
from aten import export
from aten.export._graph import Graph, Input, Node, Output, Ref, TensorMeta
from aten.export._inputs import Signature
from aten.export._structure import Structure
from aten.export._symbols import Expression, parsed, symbol
from handmade import files, floats, node, tensor, tensor_meta, zipped

LEAF = Structure()
META = TensorMeta(aten.float32, (2, 3), (3, 1), aten.device("cpu"))


def scaled(weight: Any = None, meta: Any = META, **changes: Any) -> export.ExportedProgram:
    """A program that was made here: x * w + x, with w as a parameter."""
    weight = aten.nn.Parameter(aten.full((2, 3), 2.0)) if weight is None else weight
    nodes = (
        Node("mul", "aten::mul.Tensor", (Ref("x"), Ref("p_w")), {}, "mul", meta=meta, module="a.b"),
        Node("add", "aten::add.Tensor", (Ref("mul"), Ref("x")), {"alpha": 1}, "add", meta=META),
    )
    inputs = (Input("parameter", "p_w", "w", meta=META), Input("user_input", "x", meta=META))
    graph = Graph(inputs, nodes, (Output("user_output", Ref("add")),))
    arguments = Structure("tuple", (), (Structure("tuple", (), (LEAF,)), Structure("dict")))
    signature = Signature(arguments, LEAF, ("x",))
    return export.ExportedProgram(dataclasses.replace(graph, **changes), signature, {"w": weight}, {}, {})


def test_a_program_made_here_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "scaled.pt2"
    export.save(scaled(), path)
    loaded = export.load(path)
    assert loaded(aten.ones(2, 3)).tolist() == [[3, 3, 3]] * 2
    assert [n.modules for n in loaded.graph.nodes] == [(("", ""), ("a", ""), ("a.b", "")), ()]
    assert loaded.state_dict["w"].requires_grad
    again = io.BytesIO()
    loaded.save(again)
    assert again.getvalue() == path.read_bytes()


def test_pytorch_loads_a_program_made_here(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch, the oracle, is not installed")
    path = tmp_path / "scaled.pt2"
    scaled().save(path)
    back = torch.export.load(path)
    x = torch.randn(2, 3)
    torch.testing.assert_close(back.module()(x), x * 2 + x, rtol=0, atol=0)
    assert [n.name for n in back.graph.nodes] == ["p_w", "x", "mul", "add", "output"]


def test_the_archive_is_as_pytorch_writes_it() -> None:
    file = io.BytesIO()
    export.save(scaled(), file)
    with zipfile.ZipFile(file) as found:
        assert set(found.namelist()) == {
            f"archive/{name}"
            for name in """models/model.json data/weights/weight_0 data/weights/model_weights_config.json
            data/constants/model_constants_config.json data/sample_inputs/model.pt archive_format
            archive_version .data/version byteorder""".split()
        }
        described = json.loads(found.read("archive/models/model.json"))
        assert found.read("archive/data/weights/weight_0") == aten.full((6,), 2.0).numpy().tobytes()
    assert described["schema_version"] == {"major": 8, "minor": 20}
    assert all(info.header_offset >= 0 and info.compress_type == 0 for info in found.infolist())


def test_an_error_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "scaled.pt2"
    path.write_bytes(b"old")
    with pytest.raises(export.ProgramError, match=r"save\(\): the tensor 'w' has no data"):
        export.save(scaled(aten.nn.Parameter(aten.empty((2, 3), device="meta"))), path)
    with pytest.raises(export.ProgramError, match=r"node 'mul' \(aten::mul.Tensor\): the dtype .* 'mul'"):
        export.save(scaled(meta=None), path)
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["scaled.pt2"]


def test_a_failure_while_writing_leaves_the_old_file(tmp_path: Path, monkeypatch: Any) -> None:
    path = tmp_path / "scaled.pt2"
    path.write_bytes(b"old")
    path.chmod(0o640)

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space left"):
            export.save(scaled(), path)
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["scaled.pt2"]
    export.save(scaled(), path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    link = tmp_path / "link.pt2"
    link.symlink_to(path)
    export.save(scaled(), link)
    assert link.is_symlink()


def test_paths_that_cannot_be_written(tmp_path: Path) -> None:
    missing = tmp_path / "none" / "scaled.pt2"
    with pytest.raises(FileNotFoundError) as raised:
        export.save(scaled(), missing)
    assert raised.value.filename == str(missing)
    with pytest.raises(IsADirectoryError) as also:
        export.save(scaled(), tmp_path)
    assert also.value.filename == str(tmp_path)
    with pytest.raises(TypeError, match=r"save\(\): argument 'ep': expected an ExportedProgram, got int"):
        export.save(1, missing)


def test_what_an_archive_cannot_hold_is_named() -> None:
    node = Node("odd", "aten::relu", (object(),), {}, "odd", '"m.py", line 3, in forward', META)
    changes = {"nodes": (node,), "outputs": (Output("user_output", Ref("odd")),)}
    says = r"node 'odd' \(aten::relu\): an argument <object .*> of the type object(.|\n)*m\.py"
    with pytest.raises(export.ProgramError, match=says):
        export.save(scaled(**changes), io.BytesIO())


def test_results_are_selected_by_nodes_or_named_at_the_call() -> None:
    """Both forms of a call with several results are written alike."""
    row = TensorMeta(aten.float32, (1, 3), (3, 1), aten.device("cpu"))
    outputs = (Output("user_output", Ref("second")),)
    called = (Ref("x"), 1)
    selected = (
        Node("split", "aten::split.Tensor", called, {}, "split", meta=(row, row)),
        Node("second", "_operator.getitem", (Ref("split"), 1), {}, "second", meta=row),
    )
    named = (Node("split", "aten::split.Tensor", called, {}, ("split_unused_0", "second"), meta=(row, row)),)
    contents = []
    for nodes in (selected, named):
        file = io.BytesIO()
        export.save(scaled(nodes=nodes, outputs=outputs), file)
        x = aten.arange(6.0).reshape(2, 3)
        assert export.load(file)(x).tolist() == [[3, 4, 5]]
        contents.append(file.getvalue())
    assert contents[0] == contents[1]


def test_a_module_has_the_programs_state() -> None:
    program = scaled()
    module = program.module()
    assert [n for n, _ in module.named_parameters()] == ["w"]
    assert next(module.parameters()) is program.state_dict["w"]
    module(aten.ones(2, 3)).sum().backward()
    assert program.state_dict["w"].grad.tolist() == [[1, 1, 1]] * 2
    module.load_state_dict({"w": aten.zeros(2, 3)})
    assert program(aten.ones(2, 3)).tolist() == [[1, 1, 1]] * 2
    with pytest.raises(NotImplementedError, match="fixed to the mode"):
        module.eval()


def test_a_hostile_name_of_a_state_is_an_error() -> None:
    members = files(
        [node("torch.ops.aten.relu.default", tensor("x"))],
        weights={"forward": (tensor_meta([2]), "weight_0")},
    )
    program = export.load(zipped({**members, "archive/data/weights/weight_0": floats(2)}))
    with pytest.raises(export.ProgramError, match=r"module\(\): parameter 'forward'"):
        program.module()


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("Symbol('s0', positive=True, integer=True)", "s0"),
        ("Mul(Integer(3), Symbol('s0'))", "3*s0"),
        ("Add(Mul(Integer(-1), Symbol('s0')), Integer(2))", "-s0 + 2"),
        ("Add(Symbol('s1'), Mul(Integer(-2), Symbol('s0')))", "s1 - 2*s0"),
        ("Mul(Integer(2), Add(Symbol('s0'), Integer(1)))", "2*(s0 + 1)"),
        ("Pow(Symbol('s0'), Integer(2))", "s0**2"),
        ("Mul(Symbol('s0'), Pow(Symbol('s1'), Integer(-1)))", "s0/s1"),
        ("Mul(Rational(1, 2), Symbol('s0'))", "s0/2"),
        ("FloorDiv(Add(Symbol('s0'), Integer(1)), Integer(2))", "((s0 + 1)//2)"),
        ("Max(Integer(4), Symbol('s0'))", "Max(4, s0)"),
        ("StrictGreaterThan(Symbol('s0'), Integer(1))", "s0 > 1"),
        ("Equality(Symbol('s0'), Integer(4))", "Eq(s0, 4)"),
        ("oo", "oo"),
    ],
)
def test_expressions(text: str, printed: str) -> None:
    made = parsed(text, 5)
    assert str(made) == printed
    assert made.written == text
    assert made.hint == 5


def test_expressions_print_as_sympy_does() -> None:
    sympy = pytest.importorskip("sympy")
    s0, s1 = sympy.symbols("s0 s1", positive=True, integer=True)
    for made in (
        s0 + s1,
        2 * s0 * s1 + 3,
        s0**2 - s1,
        (s0 + 1) * s1,
        s0 / 2,
        s0 / s1,
        -s0,
        1 / s0,
        s0**2 / 3,
    ):
        assert str(parsed(sympy.srepr(made))) == str(made)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1",
        "f(",
        "f)",
        "f(,)",
        "f(x y)",
        "f('a",
        "a.b",
        "f(1",
        "lambda: 1",
        "f(**x)",
        "f(" * 5000,
        "f() g",
    ],
)
def test_text_that_is_no_expression(text: str) -> None:
    with pytest.raises(export.ProgramError, match="expected an expression"):
        parsed(text)


def test_symbols() -> None:
    assert symbol("s0", 3) == parsed("Symbol('s0', positive=True, integer=True)")
    assert (symbol("s0", 3).hint, symbol("s0").symbol, Expression("oo").symbol) == (3, "s0", None)
    with pytest.raises(ValueError, match="expected an identifier, got 'a b'"):
        symbol("a b")
