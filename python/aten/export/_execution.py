"""The execution of a graph, node by node."""

from __future__ import annotations

import reprlib
from collections.abc import Callable
from typing import Any, NamedTuple

from .._C import Tensor
from ..autograd.grad_mode import no_grad
from ._errors import ProgramError
from ._graph import Graph, Input, Node, mapped, names, refs
from ._inputs import Binding, Signature
from ._targets import functions

_SHOWN = 16  # the number of list elements in a message


class _Step(NamedTuple):
    node: Node
    function: Callable[..., Any]
    dead: tuple[str, ...]  # values that no later node needs


class Executor:
    """Runs a graph. ProgramError if the graph isn't one, or calls what this library doesn't have."""

    def __init__(self, graph: Graph, signature: Signature) -> None:
        self._graph, self._signature = graph, signature
        self._steps = _steps(graph)
        self._states = [i for i in graph.inputs if i.kind != "user_input"]
        self._inputs = {(i.kind, i.target): i.name for i in self._states}
        self._check_counts()

    def run(self, state: Callable[[Input], Tensor], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The model's result. `state` gives the tensor of an input that isn't an argument."""
        values = Binding(self._graph, self._signature).bind(args, kwargs)
        for i in self._states:
            values[i.name] = state(i)
        for step in self._steps:
            _keep(step.node, step.node.results, _called(step, values), values)
            for name in step.dead:
                values.pop(name, None)
        self._write(values)
        leaves = (_value(o.value, values) for o in self._graph.outputs if o.kind == "user_output")
        return self._signature.results.built(leaves)

    def _check_counts(self) -> None:
        """Checks that the graph has as many inputs and outputs as the model's signature."""
        arguments, results = self._signature.arguments, self._signature.results
        inputs = sum(i.kind == "user_input" for i in self._graph.inputs)
        outputs = sum(o.kind == "user_output" for o in self._graph.outputs)
        if len(arguments.children) != 2 or arguments.count != inputs or results.count != outputs:
            raise ProgramError(
                f"the program has {inputs} inputs and {outputs} outputs, its signature {arguments.count} "
                f"and {results.count}"
            )
        known = {i.name for i in self._graph.inputs}
        for o in self._graph.outputs:
            if o.kind != "user_output" and self._written(o.kind, str(o.target)) not in known:
                raise ProgramError(f"the program writes to {o.target!r}, which it doesn't have")

    def _written(self, kind: str, target: str) -> str | None:
        """The input whose memory a write of this kind goes to."""
        if kind == "user_input_mutation":
            return target
        return self._inputs.get((kind.removesuffix("_mutation"), target))

    def _write(self, values: dict[str, Any]) -> None:
        """Writes the model's mutations to its state and arguments, after all nodes have run."""
        with no_grad():
            for o in self._graph.outputs:
                if o.kind != "user_output":
                    values[str(self._written(o.kind, str(o.target)))].copy_(_value(o.value, values))


def _value(value: Any, values: dict[str, Any]) -> Any:
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
