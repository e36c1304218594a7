"""ExportedProgram: a graph of operators with its state."""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike
from typing import TYPE_CHECKING, Any, BinaryIO

from .._C import Tensor
from ..nn.parameter import Parameter
from ._errors import ProgramError
from ._execution import Executor
from ._graph import Graph, Input
from ._inputs import Signature
from ._readable import GraphModule, readable_program
from ._signature import ExportGraphSignature, graph_signature
from ._symbols import ValueRanges

if TYPE_CHECKING:
    from ._drawing import Drawing
    from ._module import ExportedModule

State = dict[str, Tensor]
DIALECTS = ("TRAINING", "ATEN")  # graphs of operators, which may write; graphs of functional operators


class ExportedProgram:
    """An exported model: called with its arguments, it runs node by node and returns what the model returns.

    `graph` has the inputs, calls and outputs; `state_dict` maps names to parameters and persistent buffers,
    `constants` to other buffers and constants. A call writes to the buffers and inputs that the model writes
    to. Arguments are tensors of this library or of another that supports DLPack. Calls are differentiable.
    """

    def __init__(
        self,
        graph: Graph,
        signature: Signature,
        parameters: State,
        buffers: State,
        constants: State,
        *,
        dialect: str = "TRAINING",
    ) -> None:
        kept = {i.target for i in graph.inputs if i.kind == "buffer" and i.persistent}
        self.graph, self.dialect = graph, dialect
        self.state_dict: State = {**parameters, **{n: t for n, t in buffers.items() if n in kept}}
        self.constants: State = {**constants, **{n: t for n, t in buffers.items() if n not in kept}}
        self._signature = signature
        self._executor = Executor(graph, signature)
        for i in graph.inputs:
            if i.kind != "user_input" and i.target not in self._table(i):
                raise ProgramError(f"input {i.name!r}: there is no {i.kind} {i.target!r} in the program")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The model's result. ProgramError for arguments that don't match the export, and if a node fails."""
        return self._executor.run(self._state, args, kwargs)

    def _table(self, i: Input) -> State:
        return (
            self.state_dict
            if i.kind == "parameter" or (i.kind == "buffer" and i.persistent)
            else self.constants
        )

    def _state(self, i: Input) -> Tensor:
        return self._table(i)[str(i.target)]

    def module(self) -> ExportedModule:
        """A module that runs the program. Its parameters and buffers are those of the program."""
        from ._module import ExportedModule

        return ExportedModule(self.graph, self._executor, self._state)

    def save(self, f: str | PathLike[str] | BinaryIO, *, extra_files: dict[str, Any] | None = None) -> None:
        """Writes an archive that `aten.export.load` and `torch.export.load` read: aten.export.save()."""
        from ._writer import save

        save(self, f, extra_files=extra_files)

    @property
    def graph_module(self) -> GraphModule:
        """The graph as a class whose text `print_readable()` gives."""
        return GraphModule(self.graph)

    @property
    def graph_signature(self) -> ExportGraphSignature:
        """What each of the graph's inputs and outputs stands for."""
        return graph_signature(self.graph)

    @property
    def range_constraints(self) -> dict[str, ValueRanges]:
        """The least and the greatest size of each symbol; None where there is no bound."""
        return {name: ValueRanges(*bounds) for name, bounds in self.graph.ranges.items()}

    @property
    def tensor_constants(self) -> State:
        """The same as `constants`."""
        return self.constants

    def named_parameters(self) -> Iterator[tuple[str, Parameter]]:
        """Names and parameters."""
        for name in self.graph_signature.parameters:
            yield name, self.state_dict[name]  # type: ignore[misc]

    def parameters(self) -> Iterator[Parameter]:
        """The parameters."""
        return (parameter for _, parameter in self.named_parameters())

    def named_buffers(self) -> Iterator[tuple[str, Tensor]]:
        """Names and buffers, also of those that the state_dict lacks."""
        for i in self.graph.inputs:
            if i.kind == "buffer":
                yield str(i.target), self._state(i)

    def buffers(self) -> Iterator[Tensor]:
        """The buffers."""
        return (buffer for _, buffer in self.named_buffers())

    @property
    def operators(self) -> list[str]:
        """The names of all operators and functions that the program calls."""
        return sorted({node.target for node in self.graph.nodes})

    def print_readable(self, print_output: bool = True) -> str:
        """The graph as Python code, with types, sizes and lines of the model; prints it if asked."""
        return self.graph_module.print_readable(print_output)

    def draw(self, path: str | PathLike[str] | None = None, *, depth: int | None = None) -> Drawing:
        """The graph as a picture, whose attributes `dot` and `svg` are its texts; written to `path`, which
        ends with .dot or .svg, if there is one. Modules deeper than `depth` are drawn as one box each."""
        from ._drawing import draw

        return draw(self.graph, path, depth)

    def __str__(self) -> str:
        return readable_program(self.graph, self.graph_signature, self.range_constraints)

    def __repr__(self) -> str:
        parameters = list(self.parameters())
        return (
            f"ExportedProgram({len(self.graph.nodes)} nodes, {len(self.operators)} operators, "
            f"{len(parameters)} parameters of {sum(t.numel() for t in parameters)} elements)"
        )
