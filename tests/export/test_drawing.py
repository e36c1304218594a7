"""Pictures and texts of programs, without PyTorch: boxes lie in their frames, and texts are escaped."""

from __future__ import annotations

import itertools
import json
import re
import xml.dom.minidom
from pathlib import Path
from typing import Any

import pytest
from aten import export
from handmade import files, floats, node, tensor, tensor_meta, zipped


def program(*nodes: Any, **metas: Any) -> export.ExportedProgram:
    weights = {"inner.w": (tensor_meta([2]), "weight_0")}
    made = files(list(nodes), weights=weights)
    name = "archive/models/model.json"
    described = json.loads(made[name])
    described["graph_module"]["graph"]["tensor_values"].update(metas)
    made[name] = json.dumps(described).encode()
    return export.load(zipped({**made, "archive/data/weights/weight_0": floats(2)}))


def within(made: Any, *modules: str) -> Any:
    """The node, called in modules of these paths."""
    stack = ";".join(f"k,{path},a.b.{path.rpartition('.')[2].title()}" for path in modules)
    made["metadata"] = {"nn_module_stack": stack, "stack_trace": 'File "m.py", line 3, in forward\n  go(x)'}
    return made


def nested(name: str = "y") -> export.ExportedProgram:
    meta = tensor_meta([2])
    return program(
        within(node("torch.ops.aten.relu.default", tensor("x"), name="a"), "outer", "outer.first"),
        within(node("torch.ops.aten.neg.default", tensor("a"), name="b"), "outer", "outer.first"),
        within(node("torch.ops.aten.mul.Tensor", tensor("b"), tensor("p_inner.w"), name="c"), "outer"),
        node("torch.ops.aten.add.Tensor", tensor("c"), tensor("x"), name="y"),
        a=meta, b=meta, c=meta, y=meta,
    )  # fmt: skip


def test_the_text_of_a_graph() -> None:
    text = """class GraphModule(aten.nn.Module):
    def forward(self, p_inner.w: "f32[2]", x: "f32[2]"):
        # File: m.py:3 in forward, code: go(x)
        a: "f32[2]" = aten.ops.aten.relu.default(x)
        b: "f32[2]" = aten.ops.aten.neg.default(a);  a = None
        c: "f32[2]" = aten.ops.aten.mul.Tensor(b, p_inner.w);  b = p_inner.w = None

        # No stacktrace found for following nodes
        y: "f32[2]" = aten.ops.aten.add.Tensor(c, x);  c = x = None
        return (y,)
"""
    assert nested().print_readable(print_output=False) == text


def test_printing(capsys: Any) -> None:
    text = nested().graph_module.print_readable()
    assert capsys.readouterr().out == f"{text}\n"


def test_dot_has_clusters_for_modules_and_sizes_on_edges() -> None:
    dot = nested().draw().dot
    assert re.findall(r"label=\"(.*?)\";", dot) == ["outer: Outer", "outer.first: First"]
    assert dot.count("{") == dot.count("}") == 3
    assert re.findall(r'"(\S+)" -> "(\S+)" \[label="(.*)"\]', dot) == [
        ("in:x", "call:a", "f32[2]"),
        ("call:a", "call:b", "f32[2]"),
        ("call:b", "call:c", "f32[2]"),
        ("call:c", "call:y", "f32[2]"),
        ("in:x", "call:y", "f32[2]"),
        ("call:y", "out:", "f32[2]"),
    ]


@pytest.mark.parametrize(
    ("depth", "boxes"),
    [
        (0, ["in:x", "module:a", "call:y", "out:"]),
        (1, ["in:x", "module:a", "call:c", "call:y", "out:"]),
        (None, ["in:x", "call:a", "call:b", "call:c", "call:y", "out:"]),
    ],
)
def test_modules_collapse(depth: int | None, boxes: list[str]) -> None:
    dot = nested().draw(depth=depth).dot
    assert re.findall(r'^ *"(\S+)" \[label', dot, re.MULTILINE) == boxes


def rectangles(svg: str, kind: str) -> list[tuple[float, ...]]:
    found = xml.dom.minidom.parseString(svg).getElementsByTagName("rect")
    sides = ("x", "y", "width", "height")
    return [tuple(float(r.getAttribute(s)) for s in sides) for r in found if r.getAttribute("class") == kind]


@pytest.mark.parametrize("depth", [None, 0, 1])
def test_the_picture_is_laid_out(depth: int | None) -> None:
    svg = nested().draw(depth=depth).svg
    width, height = map(float, re.findall(r'width="(\d+)" height="(\d+)" viewBox', svg)[0])
    boxes, frames = rectangles(svg, "box"), rectangles(svg, "frame")
    for x, y, w, h in boxes + frames:
        assert 0 <= x <= x + w <= width
        assert 0 <= y <= y + h <= height
    for (_, y, _, h), (_, below, _, _) in itertools.pairwise(boxes):
        assert y + h < below
    inside = [[b for b in boxes if f[1] <= b[1] and b[1] + b[3] <= f[1] + f[3]] for f in frames]
    assert [len(i) for i in inside] == {None: [3, 2], 0: [], 1: [2]}[depth]
    for frame, held in zip(frames, inside, strict=True):
        assert all(frame[0] <= x and x + w <= frame[0] + frame[2] for x, _, w, _ in held)


def test_names_of_an_archive_are_escaped() -> None:
    evil = 'a"]; <script>\x1b'
    made = program(
        node("torch.ops.aten.relu.default", tensor("x"), name=evil),
        node("torch.ops.aten.neg.default", tensor(evil)),
    )
    drawing = made.draw()
    xml.dom.minidom.parseString(drawing.svg)
    for text in (drawing.dot, drawing.svg, made.print_readable(print_output=False)):
        assert "\x1b" not in text
    assert "<script>" not in drawing.svg
    assert '"call:a\\"]; <script>\\\\x1b"' in drawing.dot


def test_drawing_to_files(tmp_path: Path) -> None:
    for ending, begins in ((".dot", "digraph"), (".svg", "<svg")):
        path = tmp_path / f"picture{ending}"
        nested().draw(path)
        assert path.read_text().startswith(begins)
    with pytest.raises(ValueError, match=r"expected a path that ends with \.dot or \.svg, got 'x\.png'"):
        nested().draw("x.png")
    with pytest.raises(ValueError, match="'depth': expected an integer of at least 0 or None, got -1"):
        nested().draw(depth=-1)
