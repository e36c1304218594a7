"""The examples of docs/export.md: the texts are those that the code gives."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import aten
import pytest
from aten import export
from handmade import FLOAT32, files, floats, node, tensor, tensor_meta, zipped

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "export.md").read_text(encoding="utf-8")


def example(name: str) -> str:
    found = re.search(rf"<!-- text: {name} -->\n```python\n(.*?)```", PAGE, re.DOTALL)
    assert found, name
    return found[1]


def archive() -> bytes:
    """relu(layer(x)) with a dynamic batch."""
    rows = {"as_expr": {"expr_str": "Symbol('s0', positive=True, integer=True)", "hint": {"as_int": 3}}}

    def batch(columns: int) -> Any:
        return {**tensor_meta([0, columns]), "sizes": [rows, {"as_int": columns}]}

    weights = {
        "layer.weight": (tensor_meta([4, 16], dtype=FLOAT32), "weight_0"),
        "layer.bias": (tensor_meta([4]), "weight_1"),
    }
    trace = 'File "model.py", line 9, in forward\n    return relu(self.layer(x))'
    nodes = [
        node(
            "torch.ops.aten.linear.default",
            *map(tensor, ("x", "p_layer_weight", "p_layer_bias")),
            name="linear",
        ),
        node("torch.ops.aten.relu.default", tensor("linear"), name="relu"),
    ]
    for made in nodes:
        made["metadata"] = {
            "stack_trace": trace,
            "nn_module_stack": "L__self__,,m.Net;L__self__layer,layer,n.Linear",
        }
    members = files(nodes, result=tensor("relu"), weights=weights)
    name = "archive/models/model.json"
    text = members[name].decode().replace('"p_layer.', '"p_layer_')
    described = json.loads(text)
    values = described["graph_module"]["graph"]["tensor_values"]
    values.update(x=batch(16), linear=batch(4), relu=batch(4))
    described["range_constraints"] = {"s0": {"min_val": 1, "max_val": 64}}
    members[name] = json.dumps(described).encode()
    contents = {"weight_0": floats(64), "weight_1": floats(4)}
    return zipped({**members, **{f"archive/data/weights/{n}": c for n, c in contents.items()}}).getvalue()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: Any) -> Path:
    (tmp_path / "model.pt2").write_bytes(archive())
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_text(folder: Path) -> None:
    program = export.load(folder / "model.pt2")
    assert program.print_readable(print_output=False) == example("readable")
    assert str(program).endswith("Range constraints: {s0: VR[1, 64]}\n")
    assert repr(program) == "ExportedProgram(2 nodes, 2 operators, 2 parameters of 68 elements)"


def test_the_drawing(folder: Path, capsys: Any) -> None:
    exec(example("drawing"), {"program": export.load(folder / "model.pt2")})
    assert (folder / "model.svg").read_text().startswith("<svg")
    assert '"in:x" -> "call:linear" [label="f32[s0, 16]"]' in capsys.readouterr().out


def test_the_writing(folder: Path) -> None:
    names: dict[str, Any] = {"aten": aten}
    exec(example("writing"), names)
    assert names["found"] == {"labels.txt": "cat dog"}
    program = names["program"]
    assert program.state_dict["layer.bias"].tolist() == [0] * 4
    assert program(aten.zeros(5, 16)).tolist() == [[0.0] * 4] * 5
    assert export.load("model.pt2")(aten.zeros(2, 16)).tolist() == [[0.0, 1.0, 2.0, 3.0]] * 2
    with pytest.raises(export.ProgramError, match=r"dimension 0 is 65; the program was exported for 1\.\.64"):
        program(aten.zeros(65, 16))
