"""Pictures of graphs: boxes for calls within frames for modules, and sizes on the edges."""

from __future__ import annotations

import dataclasses
import itertools
import os
from collections.abc import Iterable, Iterator
from os import PathLike
from typing import Any

from ._folding import folded
from ._graph import Graph, Input, Node, names, refs
from ._readable import annotation, called, printable
from ._svg import svg


@dataclasses.dataclass(frozen=True)
class Box:
    """A call, an input, the results, or a whole module; `path` are the modules around it."""

    name: str
    lines: tuple[str, ...]
    path: tuple[str, ...] = ()
    tip: str = ""


@dataclasses.dataclass(frozen=True)
class Frame:
    """A module: what is drawn in its frame, in order."""

    title: str
    items: tuple[Box | Frame, ...]


@dataclasses.dataclass(frozen=True)
class Edge:
    """A value that goes from one box to another."""

    source: str
    target: str
    label: str


class Drawing:
    """A picture of a graph: `dot` is its text for Graphviz, `svg` a picture that needs no other program."""

    def __init__(self, items: tuple[Box | Frame, ...], edges: list[Edge]) -> None:
        self._items, self._edges = items, edges

    @property
    def dot(self) -> str:
        """The text for Graphviz; modules are clusters."""
        settings = 'node [shape=box, fontname="monospace"]; edge [fontname="monospace", fontsize=10];'
        edges = [
            f"  {_quoted(e.source)} -> {_quoted(e.target)} [label={_quoted(e.label)}];" for e in self._edges
        ]
        body = "\n".join([*_dot(self._items, itertools.count()), *edges])
        return f"digraph program {{\n  {settings}\n{body}\n}}\n"

    @property
    def svg(self) -> str:
        """The picture: calls from top to bottom in the order in which they run."""
        return svg(self._items, self._edges)

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the picture to a file whose name ends with .dot or .svg."""
        ending = os.path.splitext(path)[1]
        if ending not in (".dot", ".svg"):
            raise ValueError(f"draw(): expected a path that ends with .dot or .svg, got {os.fspath(path)!r}")
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.dot if ending == ".dot" else self.svg)

    def _repr_svg_(self) -> str:
        """The picture in notebooks."""
        return self.svg


def draw(graph: Graph, path: str | PathLike[str] | None, depth: int | None) -> Drawing:
    """The picture of a graph, in which modules deeper than `depth` are one box each."""
    if depth is not None and (type(depth) is not int or depth < 0):
        raise ValueError(
            f"draw(): argument 'depth': expected an integer of at least 0 or None, got {depth!r}"
        )
    graph = folded(graph)
    classes = {p: c.rpartition(".")[2] for node in graph.nodes for p, c in node.modules}
    boxes, owners = _boxes(graph, depth, classes)
    made = Drawing(tuple(_framed(boxes, 0, classes)), _edges(graph, owners))
    if path is not None:
        made.save(path)
    return made


def _boxes(graph: Graph, depth: int | None, classes: dict[str, str]) -> tuple[list[Box], dict[str, str]]:
    """The boxes in order, and the name of the box of each input and node."""
    arguments = [i for i in graph.inputs if i.kind == "user_input"]
    state = {i.name: i for i in graph.inputs if i.kind != "user_input"}
    boxes = [Box(f"in:{i.name}", (i.name, *_nonempty(annotation(i.meta)))) for i in arguments]
    owners = {i.name: f"in:{i.name}" for i in arguments}
    for node in graph.nodes:
        path = tuple(node.module.split(".")) if node.module else ()
        if depth is None or len(path) <= depth:
            boxes.append(_call(node, path, state))
        else:
            cut = path[:depth] if depth else ()
            module = ".".join(path[: depth + 1])
            lines = (module, *_nonempty(classes.get(module, "")))
            if not (boxes[-1:] and boxes[-1].lines == lines and boxes[-1].path == cut):
                boxes.append(Box(f"module:{node.name}", lines, cut))
        owners[node.name] = boxes[-1].name
    return [*boxes, Box("out:", ("results",))], owners


def _call(node: Node, path: tuple[str, ...], state: dict[str, Input]) -> Box:
    read = dict.fromkeys(refs(node.args, tuple(node.kwargs.values())))
    used = [f"{state[r].target} {annotation(state[r].meta)}".strip() for r in read if r in state]
    operator = called(node.target).removeprefix("aten.ops.").removeprefix("aten.").removesuffix(".default")
    return Box(f"call:{node.name}", (f"{node.name} = {operator}", *used), path, node.origin)


def _nonempty(text: str) -> tuple[str, ...]:
    return (text,) if text else ()


def _framed(boxes: Iterable[Box], level: int, classes: dict[str, str]) -> Iterator[Box | Frame]:
    """Boxes, and frames around those that follow each other in one module."""
    for key, group in itertools.groupby(boxes, lambda b: b.path[level : level + 1]):
        inner = list(group)
        if not key:
            yield from inner
            continue
        path = ".".join(inner[0].path[: level + 1])
        title = f"{path}: {classes[path]}" if path in classes else path
        yield Frame(title, tuple(_framed(inner, level + 1, classes)))


def _edges(graph: Graph, owners: dict[str, str]) -> list[Edge]:
    """One for each value that a box takes from another, also if it takes it twice."""
    made = {i.name: (owners[i.name], i.meta) for i in graph.inputs if i.name in owners}
    found: dict[Edge, None] = {}

    def connect(target: str, *values: Any) -> None:
        for name in refs(*values):
            if name in made and made[name][0] != target:
                found[Edge(made[name][0], target, annotation(made[name][1]))] = None

    for node in graph.nodes:
        connect(owners[node.name], node.args, tuple(node.kwargs.values()))
        made.update((name, (owners[node.name], meta)) for name, meta in _results(node.results, node.meta))
    connect("out:", *(o.value for o in graph.outputs))
    return list(found)


def _results(results: Any, meta: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(results, tuple):
        metas = meta if isinstance(meta, tuple) else (None,) * len(results)
        for result, inner in zip(results, metas, strict=True):
            yield from _results(result, inner)
    else:
        yield from ((name, meta) for name in names(results))


def _dot(items: tuple[Box | Frame, ...], numbers: Iterator[int], indent: str = "  ") -> Iterator[str]:
    for item in items:
        if isinstance(item, Frame):
            yield f"{indent}subgraph cluster_{next(numbers)} {{"
            yield f"{indent}  label={_quoted(item.title)};"
            yield from _dot(item.items, numbers, indent + "  ")
            yield f"{indent}}}"
        else:
            tip = f", tooltip={_quoted(item.tip)}" if item.tip else ""
            label = "\\n".join(_escaped(line) for line in item.lines)
            yield f'{indent}{_quoted(item.name)} [label="{label}"{tip}];'


def _escaped(text: str) -> str:
    return printable(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _quoted(text: str) -> str:
    return f'"{_escaped(text)}"'
