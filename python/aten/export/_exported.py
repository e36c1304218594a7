"""Converts PyTorch's ExportedProgram by reading its attributes, without importing PyTorch."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from .. import _C
from .._C import Tensor
from .._creation import from_dlpack
from ..nn.parameter import Parameter
from ._errors import ProgramError
from ._graph import Graph, Input, Node, Output, Ref, ScalarMeta, TensorMeta, origin_of
from ._inputs import Signature
from ._program import DIALECTS, ExportedProgram, State
from ._structure import from_treespec
from ._symbols import checked_size, parsed

_INPUTS = {
    "USER_INPUT": "user_input",
    "PARAMETER": "parameter",
    "BUFFER": "buffer",
    "CONSTANT_TENSOR": "constant",
}
_NUMBERS = {
    "SymInt": "int",
    "SymFloat": "float",
    "SymBool": "bool",
    "int": "int",
    "float": "float",
    "bool": "bool",
}
_OUTPUTS = {
    "USER_OUTPUT": "user_output",
    "LOSS_OUTPUT": "user_output",
    "BUFFER_MUTATION": "buffer_mutation",
    "PARAMETER_MUTATION": "parameter_mutation",
    "USER_INPUT_MUTATION": "user_input_mutation",
}


def from_exported_program(exported: Any) -> ExportedProgram:
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
    inputs = tuple(_inputs(exported)) + tuple(
        Input("constant", n, n, meta=_meta(constants[n])) for n in _attributes(exported)
    )
    graph = Graph(inputs, nodes, tuple(_outputs(exported)), _ranges(exported))
    call = exported.module_call_graph[0].signature
    signature = Signature(
        from_treespec(call.in_spec), from_treespec(call.out_spec), tuple(call.forward_arg_names or ())
    )
    states = _states(graph, {**exported.state_dict, **constants})
    dialect = getattr(exported, "dialect", "")
    return ExportedProgram(graph, signature, *states, dialect=dialect if dialect in DIALECTS else "TRAINING")


def _nodes(exported: Any, constants: dict[str, Any]) -> Iterable[Node]:
    for node in exported.graph.nodes:
        if node.op == "get_attr":
            constants[node.target] = _attribute(exported.graph_module, node)
        if node.op != "call_function":
            continue
        kwargs = {k: _value(v, node) for k, v in node.kwargs.items()}
        trace = node.meta.get("stack_trace") or ""
        modules = tuple((str(p), str(c)) for p, c in (node.meta.get("nn_module_stack") or {}).values())
        yield Node(
            node.name,
            _target(node),
            _value(node.args, node),
            kwargs,
            node.name if _has_result(node.target) else None,
            origin_of(trace),
            _meta(node.meta.get("val")),
            modules[-1][0] if modules else "",
            trace,
            modules,
        )


def _has_result(target: Any) -> bool:
    """Assertions have none."""
    schema = getattr(target, "_schema", None)
    return schema is None or len(schema.returns) > 0


def _meta(value: Any) -> Any:
    """The metadata of a fake tensor, a number, or several; None if there is none."""
    if isinstance(value, (list, tuple)):
        return tuple(_meta(v) for v in value)
    if value is None:
        return None
    if not hasattr(value, "dtype"):
        kind = _NUMBERS.get(type(value).__name__)
        return None if kind is None else ScalarMeta(kind, _number(value))
    name = str(value.dtype).removeprefix("torch.")
    if not hasattr(_C, name) or not str(value.layout).endswith("strided"):
        return None  # the node, or what uses it, is refused when it runs
    return TensorMeta(
        getattr(_C, name),
        tuple(_number(s) for s in value.shape),
        tuple(_number(s) for s in value.stride()),
        _C.device(str(value.device)),
        bool(value.requires_grad),
        _number(value.storage_offset()),
    )


def _number(value: Any) -> Any:
    """A number, or the Expression of a SymInt, SymFloat or SymBool."""
    if isinstance(value, (bool, int, float)):
        return value
    expression = value.node.expr
    if expression.is_Integer:
        return int(expression)
    srepr = sys.modules["sympy"].srepr  # the expression is SymPy's
    return parsed(srepr(expression), value.node.hint)


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
            tuple(checked_size(_number(s)) for s in meta.shape) if is_tensor else None,
            None if hasattr(spec.arg, "value") else _meta(meta),
            spec.persistent is not False,
        )


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
    parameters: dict[int, Parameter] = {}  # one for a tensor of several names
    for i in graph.inputs:
        if i.kind == "user_input" or i.target not in tensors:
            continue
        theirs = tensors[i.target]
        if id(theirs) not in parameters:
            ours = _shared(i.target, theirs)
            ours = ours.clone() if i.target in written else ours
            if i.kind == "parameter":
                parameters[id(theirs)] = ours = Parameter(ours, bool(theirs.requires_grad))
        else:
            ours = parameters[id(theirs)]
        found[i.kind][i.target] = ours
    return found["parameter"], found["buffer"], found["constant"]


def _shared(name: str, tensor: Any) -> Tensor:
    try:
        return from_dlpack(tensor.detach())
    except (BufferError, RuntimeError, ValueError, TypeError, AttributeError) as error:
        raise ProgramError(f"the program's tensor {name!r} cannot be shared: {error}") from error
