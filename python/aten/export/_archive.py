"""Reads programs from .pt2 archives of `torch.export.save`: JSON, and the bytes of the weights."""

from __future__ import annotations

import json
import reprlib
from collections.abc import Iterable
from os import PathLike
from typing import Any, BinaryIO

from ._archived_values import argument, dtype_name, integer
from ._errors import ProgramError
from ._graph import Graph, Input, Node, Output, origin_of
from ._inputs import Signature
from ._members import Members, members
from ._program import Program, State
from ._storage import Storages
from ._structure import from_json

_SCHEMA = 8  # the supported major version of the JSON
_INPUTS = {"user_input": "arg", "parameter": "parameter_name", "buffer": "buffer_name"} | {
    "tensor_constant": "tensor_constant_name",
    "constant_input": "name",
}
_TARGETS = {
    "user_output": "",
    "loss_output": "",
    "buffer_mutation": "buffer_name",
    "parameter_mutation": "parameter_name",
    "user_input_mutation": "user_input_name",
}


def load(file: str | PathLike[str] | BinaryIO, model: str | None = None) -> Program:
    """Loads a program that `torch.export.save` wrote to `file`; `model` selects one of several in an archive.

    Needs no PyTorch, and executes no code from the file: nodes call operators of the registry and a fixed
    list of functions on scalars, and pickled data is rejected. ProgramError for invalid archives and for
    programs that this library cannot run; OSError if the file cannot be read.
    """
    try:
        with members(file) as archive:
            return _program(archive, model)
    except ProgramError:
        raise
    except (LookupError, TypeError, ValueError, OverflowError, AttributeError, RuntimeError) as error:
        raise ProgramError(
            f"load(): the archive's program is malformed: {type(error).__name__}: {error}"
        ) from error


def _program(archive: Members, model: str | None) -> Program:
    name = _model(archive, model)
    described = _json(archive, f"models/{name}.json")
    version = described["schema_version"]["major"]
    if version != _SCHEMA:
        raise ProgramError(
            f"load(): the program is written in version {version} of PyTorch's format, read is {_SCHEMA}"
        )
    module = described["graph_module"]
    graph = _graph(module, described.get("range_constraints") or {})
    weights = Storages(archive, "data/weights", _json(archive, f"data/weights/{name}_weights_config.json"))
    fixed = f"data/constants/{name}_constants_config.json"
    constants = Storages(archive, "data/constants", _json(archive, fixed))
    return Program(graph, _signature(module), *_states(graph, weights, constants))


def _model(archive: Members, wanted: str | None) -> str:
    found = archive.names("models", ".json")
    if not found:
        raise ProgramError(
            "load(): the archive has no model; expected one of torch.export.save of PyTorch 2.8 or later"
        )
    if wanted is None and len(found) == 1:
        return found[0]
    if wanted not in found:
        raise ProgramError(f"load(): expected model to be one of {found}, got {wanted!r}")
    return wanted


def _json(archive: Members, path: str) -> Any:
    try:
        return json.loads(archive.read(path))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise ProgramError(f"load(): {path} in the archive is not JSON: {error}") from error


def _graph(module: dict[str, Any], ranges: dict[str, Any]) -> Graph:
    graph, signature = module["graph"], module["signature"]
    return Graph(
        tuple(_inputs(signature["input_specs"], graph)),
        tuple(_node(n) for n in graph["nodes"]),
        tuple(_outputs(signature["output_specs"])),
        {name: (r["min_val"], r["max_val"]) for name, r in ranges.items()},
    )


def _node(node: dict[str, Any]) -> Node:
    """Files of older releases don't say which arguments are positional; all are passed by name."""
    target, inputs = _target(node["target"]), node["inputs"]
    by_name = [i for i in inputs if i.get("kind") == 2 or (i.get("kind") is None and "::" in target)]
    args = tuple(argument(i["arg"]) for i in inputs if i not in by_name)
    kwargs = {i["name"]: argument(i["arg"]) for i in by_name}
    results = [_results(o) for o in node["outputs"]]
    made = results[0] if len(results) == 1 else tuple(results) or None
    name = node.get("name") or (made if isinstance(made, str) else "?")
    return Node(name, target, args, kwargs, made, origin_of(node["metadata"].get("stack_trace", "")))


def _target(text: str) -> str:
    """Converts torch.ops.aten.add.Tensor to aten::add.Tensor."""
    if not text.startswith("torch.ops."):
        return text
    space, _, name = text.removeprefix("torch.ops.").partition(".")
    return f"{space}::{name.removesuffix('.default')}"


def _results(output: dict[str, Any]) -> Any:
    ((kind, value),) = output.items()
    if kind == "as_tensor":
        return _text(value["name"])
    if kind in ("as_tensors", "as_optional_tensors"):
        return tuple(_results(v) if "name" not in v else _text(v["name"]) for v in value)
    if kind.startswith("as_sym_"):
        return _text(value["as_name"])
    return None


def _text(name: Any) -> str:
    if not isinstance(name, str):
        raise ProgramError(f"load(): expected a str as the name of a result, got {reprlib.repr(name)}")
    return name


def _inputs(specs: list[dict[str, Any]], graph: dict[str, Any]) -> Iterable[Input]:
    for spec in specs:
        ((kind, said),) = spec.items()
        if kind not in _INPUTS:
            raise ProgramError(f"load(): the program has an input that is a {kind}: not supported")
        if kind == "constant_input":
            yield Input("user_input", said["name"], None, _constant(said["value"]), is_tensor=False)
            continue
        ((form, value),) = said["arg"].items() if kind == "user_input" else (("as_tensor", said["arg"]),)
        if form != "as_tensor":
            name = value["as_name"] if isinstance(value, dict) else "?"
            yield Input("user_input", name, None, _constant(said["arg"]), is_tensor=False)
            continue
        meta = graph["tensor_values"][value["name"]]
        sizes = tuple(_size(s) for s in meta["sizes"])
        target = None if kind == "user_input" else said[_INPUTS[kind]]
        name = "constant" if kind == "tensor_constant" else kind
        yield Input(name, value["name"], target, dtype=dtype_name(meta["dtype"]), sizes=sizes)


def _constant(value: dict[str, Any]) -> Any:
    """The value of a scalar or string at export; None if it is dynamic."""
    ((kind, fixed),) = value.items()
    return None if kind == "as_none" or isinstance(fixed, dict) else fixed


def _size(size: dict[str, Any]) -> int | str | None:
    if "as_int" in size:
        return integer(size)
    text = size["as_expr"]["expr_str"]
    symbol = text.removeprefix("Symbol('").partition("'")[0]
    return symbol if text.startswith("Symbol('") and symbol.isidentifier() else None


def _outputs(specs: list[dict[str, Any]]) -> Iterable[Output]:
    for spec in specs:
        ((kind, said),) = spec.items()
        if kind not in _TARGETS:
            raise ProgramError(f"load(): the program has an output that is a {kind}: not supported")
        value = said["arg"]
        made = argument(value if "name" not in value else {"as_tensor": value})
        yield Output(kind if _TARGETS[kind] else "user_output", made, said.get(_TARGETS[kind]))


def _signature(module: dict[str, Any]) -> Signature:
    called = module["module_call_graph"][0]["signature"]
    names = tuple(called.get("forward_arg_names") or ())
    return Signature(from_json(called["in_spec"]), from_json(called["out_spec"]), names)


def _states(graph: Graph, weights: Storages, constants: Storages) -> tuple[State, State, State]:
    found: dict[str, State] = {"parameter": {}, "buffer": {}, "constant": {}}
    for i in graph.inputs:
        if i.kind != "user_input" and i.target is not None:
            found[i.kind][i.target] = (weights if i.target in weights else constants).tensor(i.target)
    return found["parameter"], found["buffer"], found["constant"]
