"""Converts PyTorch's ExportedProgram by reading its attributes, without importing PyTorch."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .. import _C
from .._C import Tensor
from .._creation import from_dlpack
from ._errors import ProgramError
from ._graph import Graph, Input, Node, Output, Ref, origin_of
from ._inputs import Signature
from ._program import Program, State
from ._structure import from_treespec

_INPUTS = {
    "USER_INPUT": "user_input",
    "PARAMETER": "parameter",
    "BUFFER": "buffer",
    "CONSTANT_TENSOR": "constant",
}
_OUTPUTS = {
    "USER_OUTPUT": "user_output",
    "LOSS_OUTPUT": "user_output",
    "BUFFER_MUTATION": "buffer_mutation",
    "PARAMETER_MUTATION": "parameter_mutation",
    "USER_INPUT_MUTATION": "user_input_mutation",
}


def from_exported_program(exported: Any) -> Program:
    """Converts a program of `torch.export.export`.

    Its tensors share memory with PyTorch's, except for those that the program writes to, which are copied.
    ProgramError if the program uses something that this library doesn't have.
    """
    needed = ("graph", "graph_signature", "state_dict", "constants", "module_call_graph")
    if not all(hasattr(exported, name) for name in needed):
        raise ProgramError(
            "from_exported_program(): expected what torch.export.export returns, got "
            f"{type(exported).__name__}"
        )
    constants = dict(exported.constants)
    nodes = tuple(_nodes(exported, constants))
    inputs = tuple(_inputs(exported)) + tuple(Input("constant", n, n) for n in _attributes(exported))
    graph = Graph(inputs, nodes, tuple(_outputs(exported)), _ranges(exported))
    call = exported.module_call_graph[0].signature
    signature = Signature(
        from_treespec(call.in_spec), from_treespec(call.out_spec), tuple(call.forward_arg_names or ())
    )
    return Program(graph, signature, *_states(graph, {**exported.state_dict, **constants}))


def _nodes(exported: Any, constants: dict[str, Any]) -> Iterable[Node]:
    for node in exported.graph.nodes:
        if node.op == "get_attr":
            constants[node.target] = _attribute(exported.graph_module, node)
        if node.op != "call_function":
            continue
        kwargs = {k: _value(v, node) for k, v in node.kwargs.items()}
        yield Node(
            node.name,
            _target(node),
            _value(node.args, node),
            kwargs,
            node.name,
            origin_of(node.meta.get("stack_trace") or ""),
        )


def _attributes(exported: Any) -> list[str]:
    return [node.target for node in exported.graph.nodes if node.op == "get_attr"]


def _attribute(module: Any, node: Any) -> Any:
    for name in node.target.split("."):
        module = getattr(module, name)
    if not hasattr(module, "__dlpack__"):
        raise ProgramError(
            f"node {node.name!r} reads {node.target!r}, a {type(module).__name__}: control flow and parts "
            "without tensors are not supported"
        )
    return module


def _target(node: Any) -> str:
    """The operator's name; functions are identified by module and name."""
    target = node.target
    if callable(getattr(target, "name", None)):
        return str(target.name())
    module = str(getattr(target, "__module__", ""))
    if module.startswith("torch._higher_order_ops") or "HigherOrder" in type(target).__name__:
        return f"higher_order::{target}"
    return f"{module}.{getattr(target, '__name__', target)}"


def _value(value: Any, node: Any) -> Any:
    """Converts an argument: nodes to references, PyTorch's dtypes and the like to this library's."""
    kind = type(value).__name__
    if kind == "Node":
        if value.op == "get_attr":
            return Ref(value.target)
        return Ref(value.name)
    if isinstance(value, (list, tuple)):
        made = [_value(v, node) for v in value]
        return made if isinstance(value, list) else tuple(made)
    if value is None or isinstance(value, (bool, int, float, complex, str)):
        return value
    if kind in ("dtype", "layout", "memory_format") and hasattr(_C, str(value).removeprefix("torch.")):
        return getattr(_C, str(value).removeprefix("torch."))
    if kind == "device":
        return _C.device(str(value))
    raise ProgramError(
        f"node {node.name!r} ({node.target}) has an argument of type {kind}, {value!r}: not supported"
    )


def _inputs(exported: Any) -> Iterable[Input]:
    placeholders = {n.name: n for n in exported.graph.nodes if n.op == "placeholder"}
    for spec in exported.graph_signature.input_specs:
        kind = _INPUTS.get(spec.kind.name)
        if kind is None:
            raise ProgramError(f"input {spec.arg.name!r} is a {spec.kind.name.lower()}: not supported")
        meta = placeholders[spec.arg.name].meta.get("val")
        is_tensor = hasattr(meta, "dtype")
        yield Input(
            kind,
            spec.arg.name,
            spec.target,
            getattr(spec.arg, "value", None),
            is_tensor,
            str(meta.dtype).removeprefix("torch.") if is_tensor else None,
            tuple(_size(s) for s in meta.shape) if is_tensor else None,
        )


def _size(size: Any) -> int | str | None:
    """The size or its symbol; sizes computed from symbols aren't checked."""
    return size if type(size) is int else str(size) if str(size).isidentifier() else None


def _outputs(exported: Any) -> Iterable[Output]:
    (output,) = (n for n in exported.graph.nodes if n.op == "output")
    specs = exported.graph_signature.output_specs
    for spec, value in zip(specs, output.args[0], strict=True):
        kind = _OUTPUTS.get(spec.kind.name)
        if kind is None:
            raise ProgramError(f"output {spec.arg.name!r} is a {spec.kind.name.lower()}: not supported")
        yield Output(kind, _value(value, output), spec.target)


def _ranges(exported: Any) -> dict[str, tuple[int | None, int | None]]:
    constraints = getattr(exported, "range_constraints", {}) or {}
    return {str(s): (_bound(r.lower), _bound(r.upper)) for s, r in constraints.items()}


def _bound(value: Any) -> int | None:
    try:
        return int(value)
    except (TypeError, ValueError, OverflowError):  # an infinity
        return None


def _states(graph: Graph, tensors: dict[str, Any]) -> tuple[State, State, State]:
    """Parameters, buffers and constants; those that the program writes to are copied."""
    written = {o.target for o in graph.outputs if o.kind in ("buffer_mutation", "parameter_mutation")}
    found: dict[str, State] = {"parameter": {}, "buffer": {}, "constant": {}}
    for i in graph.inputs:
        if i.kind != "user_input" and i.target in tensors:
            t = _shared(i.target, tensors[i.target])
            found[i.kind][i.target] = t.clone() if i.target in written else t
    return found["parameter"], found["buffer"], found["constant"]


def _shared(name: str, tensor: Any) -> Tensor:
    try:
        return from_dlpack(tensor.detach())
    except (BufferError, RuntimeError, ValueError, TypeError, AttributeError) as error:
        raise ProgramError(f"the program's tensor {name!r} cannot be shared: {error}") from error
