"""Program: its state, and the execution of its nodes."""

from __future__ import annotations

import reprlib
from collections.abc import Callable
from typing import Any, NamedTuple

from .._C import Tensor
from ..autograd.grad_mode import no_grad
from ._errors import ProgramError
from ._graph import Graph, Node, mapped, names, refs
from ._inputs import Binding, Signature
from ._targets import functions

State = dict[str, Tensor]

_SHOWN = 16  # the number of list elements in a message


class _Step(NamedTuple):
    node: Node
    function: Callable[..., Any]
    dead: tuple[str, ...]  # values that no later node needs


class Program:
    """An exported model: called with its arguments, it runs node by node and returns what the model returns.

    `parameters`, `buffers` and `constants` map names to tensors; a call writes to the buffers and inputs that
    the model writes to. Arguments are tensors of this library or of another that supports DLPack. Calls are
    differentiable: after `requires_grad_()`, parameters get gradients.
    """

    def __init__(
        self, graph: Graph, signature: Signature, parameters: State, buffers: State, constants: State
    ) -> None:
        self.graph = graph
        self.parameters, self.buffers, self.constants = parameters, buffers, constants
        self._signature = signature
        self._steps = _steps(graph)
        self._states = {"parameter": parameters, "buffer": buffers, "constant": constants}
        self._check_state()
        self._check_counts()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The model's result. ProgramError for arguments that don't match the export, and if a node fails."""
        values = self._bound(args, kwargs)
        for step in self._steps:
            _keep(step.node, step.node.results, _called(step, values), values)
            for name in step.dead:
                values.pop(name, None)
        self._write(values)
        leaves = (self._value(o.value, values) for o in self.graph.outputs if o.kind == "user_output")
        return self._signature.results.built(leaves)

    @property
    def operators(self) -> list[str]:
        """The names of all operators and functions that the program calls."""
        return sorted({node.target for node in self.graph.nodes})

    def __repr__(self) -> str:
        count = sum(t.numel() for t in self.parameters.values())
        return (
            f"Program({len(self.graph.nodes)} nodes, {len(self.operators)} operators, "
            f"{len(self.parameters)} parameters of {count} elements)"
        )

    def _check_state(self) -> None:
        for i in self.graph.inputs:
            if i.kind != "user_input" and i.target not in self._states[i.kind]:
                raise ProgramError(f"input {i.name!r}: there is no {i.kind} {i.target!r} in the program")

    def _check_counts(self) -> None:
        """Checks that the graph has as many inputs and outputs as the model's signature."""
        arguments, results = self._signature.arguments, self._signature.results
        inputs = sum(i.kind == "user_input" for i in self.graph.inputs)
        outputs = sum(o.kind == "user_output" for o in self.graph.outputs)
        if len(arguments.children) != 2 or arguments.count != inputs or results.count != outputs:
            raise ProgramError(
                f"the program has {inputs} inputs and {outputs} outputs, its signature {arguments.count} "
                f"and {results.count}"
            )
        known = {
            **self._states["parameter"],
            **self._states["buffer"],
            **{i.name: None for i in self.graph.inputs},
        }
        for o in self.graph.outputs:
            if o.kind != "user_output" and o.target not in known:
                raise ProgramError(f"the program writes to {o.target!r}, which it doesn't have")

    def _bound(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        given = Binding(self.graph, self._signature).bind(args, kwargs)
        for i in self.graph.inputs:
            if i.kind != "user_input":
                given[i.name] = self._states[i.kind][str(i.target)]
        return given

    def _write(self, values: dict[str, Any]) -> None:
        """Writes the model's mutations to its state and arguments, after all nodes have run."""
        with no_grad():
            for o in self.graph.outputs:
                if o.kind == "user_output":
                    continue
                target = self._target(o.kind, str(o.target), values)
                target.copy_(self._value(o.value, values))

    def _target(self, kind: str, name: str, values: dict[str, Any]) -> Any:
        if kind == "user_input_mutation":
            return values[name]
        return self._states[kind.removesuffix("_mutation")][name]

    def _value(self, value: Any, values: dict[str, Any]) -> Any:
        return mapped(value, lambda ref: values[ref.name])


def _steps(graph: Graph) -> list[_Step]:
    """The nodes with the functions that they call, and the values to free after each."""
    needed = {name for o in graph.outputs for name in refs(o.value)} | {i.name for i in graph.inputs}
    known = {i.name for i in graph.inputs}
    for node in graph.nodes:
        if unknown := [n for n in refs(node.args, tuple(node.kwargs.values())) if n not in known]:
            raise ProgramError(
                f"node {node.name!r} ({node.target}) uses {unknown[0]!r}, which no earlier node makes"
            )
        known.update(names(node.results))
    if unknown := [n for o in graph.outputs for n in refs(o.value) if n not in known]:
        raise ProgramError(f"the program returns {unknown[0]!r}, which no node makes")
    steps = []
    for node, function in zip(reversed(graph.nodes), reversed(functions(graph.nodes)), strict=True):
        used = {*refs(node.args, tuple(node.kwargs.values())), *names(node.results)}
        steps.append(_Step(node, function, tuple(sorted(used - needed))))
        needed |= used
    return steps[::-1]


def _called(step: _Step, values: dict[str, Any]) -> Any:
    def value(ref: Any) -> Any:
        return values[ref.name]

    args = mapped(step.node.args, value)
    kwargs = {k: mapped(v, value) for k, v in step.node.kwargs.items()}
    try:
        return step.function(*args, **kwargs)
    except Exception as error:
        given = ", ".join([_short(a) for a in args] + [f"{k}={_short(v)}" for k, v in kwargs.items()])
        origin = f"\n  made by {step.node.origin}" if step.node.origin else ""
        raise ProgramError(
            f"node {step.node.name!r}: {step.node.target}({given}): {type(error).__name__}: {error}{origin}"
        ) from error


def _keep(node: Node, results: Any, got: Any, values: dict[str, Any]) -> None:
    """Assigns names to the returned values."""
    if isinstance(results, str):
        values[results] = got
    elif results is not None:
        if not isinstance(got, (list, tuple)) or len(got) != len(results):
            raise ProgramError(
                f"node {node.name!r}: {node.target} returned {_short(got)}, not {len(results)} values"
            )
        for name, value in zip(results, got, strict=True):
            _keep(node, name, value, values)


def _short(value: Any) -> str:
    if isinstance(value, Tensor):
        return f"{str(value.dtype).rpartition('.')[2]}{list(value.shape)}"
    if isinstance(value, (list, tuple)):
        rest = [f"... {len(value)} values"] if len(value) > _SHOWN else []
        return f"[{', '.join([_short(v) for v in value[:_SHOWN]] + rest)}]"
    return reprlib.repr(value)
