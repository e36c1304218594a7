"""Reads programs from .pt2 archives of `torch.export.save`: JSON, and the bytes of the weights."""

from __future__ import annotations

import json
import reprlib
from collections.abc import Iterable
from os import PathLike
from typing import Any, BinaryIO

from .._serialization._members import Members, members
from ._archived_values import argument, metas
from ._errors import ProgramError
from ._graph import Graph, Input, Node, Output, ScalarMeta, TensorMeta, origin_of
from ._inputs import Signature
from ._program import DIALECTS, ExportedProgram, State
from ._storage import Storages
from ._structure import from_json
from ._symbols import checked_size

Metas = dict[str, TensorMeta | ScalarMeta]

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


def load(
    f: str | PathLike[str] | BinaryIO,
    model: str | None = None,
    *,
    extra_files: dict[str, Any] | None = None,
) -> ExportedProgram:
    """Loads a program that `aten.export.save` or `torch.export.save` wrote to the file `f`.

    `model` selects one of several in an archive. The contents of the archive's extra files are put into
    `extra_files`, by name.

    Needs no PyTorch, and executes no code from the file: nodes call operators of the registry and a fixed
    list of functions on scalars, and pickled data is rejected. ProgramError for invalid archives and for
    programs that this library cannot run; OSError if the file cannot be read.
    """
    try:
        with members(f, "load()", "torch.export.save", ProgramError) as archive:
            if extra_files is not None:
                extra_files.update(
                    {n: archive.read(f"extra/{n}").decode() for n in archive.names("extra", "")}
                )
            return _program(archive, model)
    except ProgramError:
        raise
    except (LookupError, TypeError, ValueError, OverflowError, AttributeError, RuntimeError) as error:
        raise ProgramError(
            f"load(): the archive's program is malformed: {type(error).__name__}: {error}"
        ) from error


def _program(archive: Members, model: str | None) -> ExportedProgram:
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
    return ExportedProgram(
        graph, _signature(module), *_states(graph, weights, constants), dialect=_dialect(described)
    )


def _dialect(described: dict[str, Any]) -> str:
    verifiers = described.get("verifiers") or ["TRAINING"]
    return str(verifiers[0]) if verifiers[0] in DIALECTS else "TRAINING"


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
    known = metas(graph)
    return Graph(
        tuple(_inputs(signature["input_specs"], known)),
        tuple(_node(n, known) for n in graph["nodes"]),
        tuple(_outputs(signature["output_specs"])),
        {name: (r["min_val"], r["max_val"]) for name, r in ranges.items()},
    )


def _node(node: dict[str, Any], known: Metas) -> Node:
    """Files of older releases don't say which arguments are positional; all are passed by name."""
    target, inputs = _target(node["target"]), node["inputs"]
    by_name = [i for i in inputs if i.get("kind") == 2 or (i.get("kind") is None and "::" in target)]
    args = tuple(argument(i["arg"]) for i in inputs if i not in by_name)
    kwargs = {i["name"]: argument(i["arg"]) for i in by_name}
    results = [_results(o) for o in node["outputs"]]
    made = results[0] if len(results) == 1 else tuple(results) or None
    name = node.get("name") or (made if isinstance(made, str) else "?")
    trace = _text(node["metadata"].get("stack_trace", ""))
    modules = _modules(_text(node["metadata"].get("nn_module_stack", "")))
    path = modules[-1][0] if modules else ""
    meta = _meta(made, known)
    return Node(name, target, args, kwargs, made, origin_of(trace), meta, path, trace, modules)


def _meta(made: Any, known: Metas) -> Any:
    if isinstance(made, tuple):
        return tuple(_meta(m, known) for m in made)
    return None if made is None else known.get(made)


def _modules(stack: str) -> tuple[tuple[str, str], ...]:
    """Path and class of each module of `key,path,class;...`; others are left out."""
    parts = [entry.split(",") for entry in stack.split(";")]
    return tuple((p[1], p[2]) for p in parts if len(p) == 3 and not p[1].startswith("_empty_nn_module_stack"))


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


def _inputs(specs: list[dict[str, Any]], known: Metas) -> Iterable[Input]:
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
            meta = known.get(name)
            yield Input("user_input", name, None, _constant(said["arg"]), is_tensor=False, meta=meta)
            continue
        meta = known[value["name"]]
        if not isinstance(meta, TensorMeta):
            raise ProgramError(f"load(): the input {value['name']!r} is no tensor")
        target = None if kind == "user_input" else said[_INPUTS[kind]]
        yield Input(
            "constant" if kind == "tensor_constant" else kind,
            value["name"],
            target,
            dtype=str(meta.dtype).rpartition(".")[2],
            sizes=tuple(checked_size(s) for s in meta.sizes),
            meta=meta,
            persistent=said.get("persistent", True) is not False,
        )


def _constant(value: dict[str, Any]) -> Any:
    """The value of a scalar or string at export; None if it is dynamic."""
    ((kind, fixed),) = value.items()
    return None if kind == "as_none" or isinstance(fixed, dict) else fixed


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
            where = weights if i.target in weights else constants
            read = where.parameter if i.kind == "parameter" else where.tensor
            found[i.kind][i.target] = read(i.target)
    return found["parameter"], found["buffer"], found["constant"]
