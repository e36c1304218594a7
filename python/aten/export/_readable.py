"""A graph as Python code, in the form in which PyTorch prints its graphs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from ._folding import folded
from ._graph import Graph, Node, Ref, ScalarMeta, TensorMeta, refs
from ._signature import ExportGraphSignature

_FRAME = re.compile(r'File "(.+)", line (\d+), in (.+)')
_NO_TRACE = "No stacktrace found for following nodes"
_OPERATORS = {
    **{"eq": "==", "ne": "!=", "lt": "<", "gt": ">", "le": "<=", "ge": ">=", "add": "+", "sub": "-"},
    **{"mul": "*", "floordiv": "//", "truediv": "/", "mod": "%", "pow": "**", "lshift": "<<"},
    **{"rshift": ">>", "and_": "&", "or_": "|"},
}
_SIGNS = {"pos": "+", "neg": "-"}


class GraphModule:
    """A graph and its text."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    @property
    def code(self) -> str:
        """The method `forward` of the text."""
        return "\n".join(_forward(folded(self.graph)))

    def print_readable(self, print_output: bool = True) -> str:
        """The text: a class whose method `forward` makes the calls of the graph. Types and sizes of results
        are annotations, comments name the lines of the model. Printed as well, unless told not to."""
        lines = "".join(f"    {line}\n" if line else "\n" for line in _forward(folded(self.graph)))
        text = printable(f"class GraphModule(aten.nn.Module):\n{lines}")
        if print_output:
            print(text)
        return text


def readable_program(graph: Graph, signature: ExportGraphSignature, ranges: dict[str, Any]) -> str:
    """The text of a program: its graph, its signature and the ranges of its symbols."""
    code = GraphModule(graph).print_readable(print_output=False).replace("\n", "\n    ")
    said = str(signature).replace("\n", "\n    ")
    bounds = ", ".join(f"{name}: {bounds}" for name, bounds in ranges.items())
    text = f"ExportedProgram:\n    {code}\nGraph signature: {said}\nRange constraints: {{{bounds}}}\n"
    return printable(text)


def printable(text: str) -> str:
    """The text with control characters escaped, since names and lines come from archives."""
    return "".join(c if c.isprintable() or c == "\n" else ascii(c)[1:-1] for c in text)


def annotation(meta: Any) -> str:
    """A short description: f32[s0, 16], Sym(2*s0); empty if nothing is known, or for several values."""
    if isinstance(meta, TensorMeta):
        return f"{_short(meta.dtype)}[{', '.join(map(str, meta.sizes))}]"
    return f"Sym({meta.value})" if isinstance(meta, ScalarMeta) else ""


def called(target: str) -> str:
    """The operator as an attribute of this package: aten.ops.aten.add.Tensor."""
    if "::" not in target:
        return target.replace("torch.", "aten.", 1) if target.startswith("torch.") else target
    space, _, name = target.partition("::")
    return f"aten.ops.{space}.{name}{'' if '.' in name else '.default'}"


def _short(dtype: Any) -> str:
    name = str(dtype).rpartition(".")[2]
    letters = name.rstrip("0123456789")
    return {"bool": "b8", "bfloat": "bf16"}.get(letters, letters[:1] + name[len(letters) :])


class _Line(NamedTuple):
    """An assignment of the text."""

    name: str
    meta: Any
    code: str
    reads: tuple[str, ...]
    origin: str


def _forward(graph: Graph) -> Iterator[str]:
    inputs = ", ".join(["self", *(f"{i.name}{_annotated(i.meta)}" for i in graph.inputs)])
    yield f"def forward({inputs}):"
    lines = [line for node in graph.nodes for line in _lines(node)]
    said = ""
    for line, dead in zip(lines, _last_uses(lines, graph), strict=True):
        if line.origin != said:
            yield from ([""] if said else [])
            yield f"    # {line.origin}"
            said = line.origin
        freed = f";  {' = '.join([*dead, 'None'])}" if dead else ""
        yield f"    {line.name}{_annotated(line.meta)} = {line.code}{freed}"
    yield f"    return {_shown(tuple(o.value for o in graph.outputs))}"


def _lines(node: Node) -> Iterator[_Line]:
    """The call, and an assignment for each of several results."""
    name = node.results if isinstance(node.results, str) else node.name
    reads = tuple(dict.fromkeys(refs(node.args, tuple(node.kwargs.values()))))
    yield _Line(name, node.meta, _call(node), reads, _origin(node))
    if isinstance(node.results, tuple):
        yield from _selections(node, name, node.results, node.meta)


def _selections(node: Node, of: str, results: tuple[Any, ...], metas: Any) -> Iterator[_Line]:
    metas = metas if isinstance(metas, tuple) else (None,) * len(results)
    for i, (result, meta) in enumerate(zip(results, metas, strict=True)):
        if result is not None and result != ():
            name = result if isinstance(result, str) else f"{of}_{i}"
            yield _Line(name, meta, f"{of}[{i}]", (of,), _origin(node))
            if isinstance(result, tuple):
                yield from _selections(node, name, result, meta)


def _call(node: Node) -> str:
    operator = node.target.rpartition("operator.")[2] if "operator." in node.target else ""
    if operator in _OPERATORS and len(node.args) == 2:
        return f" {_OPERATORS[operator]} ".join(map(_shown, node.args))
    if operator in _SIGNS and len(node.args) == 1:
        return f"{_SIGNS[operator]}{_shown(node.args[0])}"
    args = [_shown(a) for a in node.args] + [f"{k} = {_shown(v)}" for k, v in node.kwargs.items()]
    return f"{called(node.target)}({', '.join(args)})"


def _last_uses(lines: list[_Line], graph: Graph) -> list[list[str]]:
    """The names that are not needed after each line."""
    used = {name for o in graph.outputs for name in refs(o.value)}
    dead = []
    for line in reversed(lines):
        unused = [] if line.name in used else [line.name]
        dead.append([name for name in line.reads if name not in used] + unused)
        used.update(line.reads)
    return dead[::-1]


def _annotated(meta: Any) -> str:
    text = annotation(meta)
    return f': "{text}"' if text else ""


def _origin(node: Node) -> str:
    """The innermost line of the model; the line after a frame is its code."""
    lines = [line.strip() for line in node.trace.strip().splitlines()]
    for frame, code in zip(lines[-2::-1], lines[:0:-1], strict=True):
        if found := _FRAME.fullmatch(frame):
            return f"File: {found[1]}:{found[2]} in {found[3]}, code: {code}"
    if not node.trace and (found := _FRAME.fullmatch(f"File {node.origin}")):
        return f"File: {found[1]}:{found[2]} in {found[3]}"
    return _NO_TRACE


def _shown(value: Any) -> str:
    """An argument as code."""
    if isinstance(value, Ref):
        return value.name
    if isinstance(value, tuple):
        return f"({', '.join(map(_shown, value))}{',' if len(value) == 1 else ''})"
    if isinstance(value, list):
        return f"[{', '.join(map(_shown, value))}]"
    return repr(value)
