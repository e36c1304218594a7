"""A program's graph and signature as an archive's JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ._errors import ProgramError
from ._folding import folded
from ._graph import Input, Node, Output, Ref, ScalarMeta, TensorMeta
from ._structure import to_json
from ._targets import resolved
from ._write_values import argument, number, reference, tensor_meta

if TYPE_CHECKING:
    from ._program import ExportedProgram

_VERSION = {"major": 8, "minor": 20}  # of the format of PyTorch 2.13
_OPSET = 10  # the version of the aten operators
_TORCH = "2.13.0"
_STATES = {
    "parameter": ("parameter", "parameter_name"),
    "buffer": ("buffer", "buffer_name"),
    "constant": ("tensor_constant", "tensor_constant_name"),
}
_WRITES = {
    "buffer_mutation": "buffer_name",
    "parameter_mutation": "parameter_name",
    "user_input_mutation": "user_input_name",
}


def described(program: ExportedProgram) -> dict[str, Any]:
    """The JSON of a program. ProgramError, which names the node, for what an archive can't hold."""
    graph = folded(program.graph)
    inputs = sorted(graph.inputs, key=lambda i: i.kind == "user_input")  # the state comes first
    known: dict[str, Any] = {i.name: i.meta for i in inputs}
    nodes = [_node(node, known) for node in graph.nodes]
    arguments = [_input(i, known) for i in inputs]
    outputs = [argument(o.value, known) for o in graph.outputs]
    signature = program._signature
    call = {
        "inputs": [],
        "outputs": [],
        "in_spec": to_json(signature.arguments),
        "out_spec": to_json(signature.results),
        "forward_arg_names": list(signature.names) or None,
    }
    module = {
        "graph": {"inputs": arguments, "outputs": outputs, "nodes": nodes, **_values(known)},
        "signature": {
            "input_specs": [_input_spec(i, a) for i, a in zip(inputs, arguments, strict=True)],
            "output_specs": [_output_spec(o, v) for o, v in zip(graph.outputs, outputs, strict=True)],
        },
        "module_call_graph": [
            {"fqn": "", "signature": call},
            *({"fqn": path, "signature": None} for path in _paths(graph.nodes)),
        ],
        "metadata": {},
        "treespec_namedtuple_fields": {},
    }
    return {
        "graph_module": module,
        "opset_version": {"aten": _OPSET},
        "range_constraints": {
            n: {"min_val": low, "max_val": high} for n, (low, high) in graph.ranges.items()
        },
        "schema_version": _VERSION,
        "verifiers": [program.dialect],
        "torch_version": _TORCH,
        "guards_code": [],
    }


def _values(known: dict[str, Any]) -> dict[str, Any]:
    """The metadata of all values."""
    numbers: dict[str, dict[str, Any]] = {"int": {}, "float": {}, "bool": {}}
    for name, meta in known.items():
        if isinstance(meta, ScalarMeta):
            numbers[meta.kind][name] = number(meta.value, meta.kind)
    return {
        "tensor_values": {n: tensor_meta(m) for n, m in known.items() if isinstance(m, TensorMeta)},
        **{f"sym_{kind}_values": values for kind, values in numbers.items()},
        "is_single_tensor_return": False,
        "custom_obj_values": {},
    }


def _node(node: Node, known: dict[str, Any]) -> dict[str, Any]:
    """The call; what it makes becomes known."""
    try:
        schema = getattr(resolved(node.target), "_schema", None)
        inputs = list(_arguments(node, known, schema))
        outputs = _outputs(node, known, schema)
    except ProgramError as error:
        made_by = f"\n  made by {node.origin}" if node.origin else ""
        raise ProgramError(f"node {node.name!r} ({node.target}): {error}{made_by}") from error
    return {
        "target": _target(node.target),
        "inputs": inputs,
        "outputs": outputs,
        "metadata": _metadata(node),
        "is_hop_single_tensor_return": None,
        "name": node.name,
    }


def _arguments(node: Node, known: dict[str, Any], schema: Any) -> Iterator[dict[str, Any]]:
    declared = [(a.name, str(a.type)) for a in schema.arguments] if schema else []
    declared += [(f"arg{i}", "") for i in range(len(declared), len(node.args))]
    types = dict(declared)
    for (name, kind), value in zip(declared, node.args, strict=False):
        yield {"name": name, "arg": argument(value, known, kind), "kind": 1}
    for name, value in node.kwargs.items():
        yield {"name": name, "arg": argument(value, known, types.get(name, "")), "kind": 2}


def _outputs(node: Node, known: dict[str, Any], schema: Any) -> list[dict[str, Any]]:
    is_list = schema is not None and [str(r.type) for r in schema.returns] == ["Tensor[]"]
    if node.results is None:
        return []
    if isinstance(node.results, tuple) and not is_list:
        metas = node.meta if isinstance(node.meta, tuple) else (None,) * len(node.results)
        pairs = zip(node.results, metas, strict=True)
        return [_output(n, m, known, f"{node.name}_unused_{i}") for i, (n, m) in enumerate(pairs)]
    return [_output(node.results, node.meta, known, f"{node.name}_unused")]


def _output(made: Any, meta: Any, known: dict[str, Any], unused: str) -> dict[str, Any]:
    """A result; one that nothing uses gets the name `unused`, as all have names in archives."""
    if isinstance(made, tuple):
        metas = meta if isinstance(meta, tuple) else (None,) * len(made)
        pairs = enumerate(zip(made, metas, strict=True))
        several = [_output(n, m, known, f"{unused}_{i}") for i, (n, m) in pairs]
        return {"as_tensors": [s["as_tensor"] for s in several]}
    if made is None and meta is None:
        return {"as_none": True}
    name = unused if made is None else str(made)
    known[name] = meta
    return reference(name, known)


def _target(name: str) -> str:
    """Converts aten::add.Tensor to torch.ops.aten.add.Tensor."""
    if "::" not in name:
        return name
    space, _, operator = name.partition("::")
    return f"torch.ops.{space}.{operator}{'' if '.' in operator else '.default'}"


def _metadata(node: Node) -> dict[str, str]:
    """The stack trace and the modules around the call."""
    trace = node.trace or (f"File {node.origin}" if node.origin else "")
    stack = ";".join(f"L__self__{p},{p},{c}" for p, c in _modules(node) if not re.search("[;,]", p + c))
    return {k: v for k, v in (("stack_trace", trace), ("nn_module_stack", stack)) if v}


def _modules(node: Node) -> tuple[tuple[str, str], ...]:
    """Path and class of the modules around the call; without classes if only the path is known."""
    if node.modules or not node.module:
        return node.modules
    parts = node.module.split(".")
    return (("", ""), *((".".join(parts[: i + 1]), "") for i in range(len(parts))))


def _paths(nodes: tuple[Node, ...]) -> list[str]:
    """The modules that the calls are in, each after those around it."""
    found: dict[str, None] = {}
    for node in nodes:
        found.update(dict.fromkeys(path for path, _ in _modules(node) if path))
    return list(found)


def _input(i: Input, known: dict[str, Any]) -> dict[str, Any]:
    if i.is_tensor or isinstance(i.meta, ScalarMeta):
        return reference(i.name, known)
    return argument(i.fixed, known)


def _input_spec(i: Input, written: dict[str, Any]) -> dict[str, Any]:
    if i.kind != "user_input":
        kind, target = _STATES[i.kind]
        persistent = {"persistent": i.persistent} if i.kind == "buffer" else {}
        return {kind: {"arg": {"name": i.name}, target: i.target, **persistent}}
    if i.is_tensor or isinstance(i.meta, ScalarMeta):
        return {"user_input": {"arg": written}}
    return {"constant_input": {"name": i.name, "value": written}}


def _output_spec(o: Output, written: dict[str, Any]) -> dict[str, Any]:
    if o.kind == "user_output":
        return {"user_output": {"arg": written}}
    if not isinstance(o.value, Ref):
        raise ProgramError(f"what is written to {o.target!r} is no tensor")
    return {o.kind: {"arg": {"name": o.value.name}, _WRITES[o.kind]: o.target}}
