"""A module that runs an exported program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._C import Tensor
from ..nn.modules.module import Module
from ._errors import ProgramError
from ._execution import Executor
from ._graph import Graph, Input


class ExportedModule(Module):
    """The module of `ExportedProgram.module()`: parameters and buffers have the names that they had in the
    exported module, and so have the modules around them."""

    def __init__(self, graph: Graph, executor: Executor, state: Callable[[Input], Tensor]) -> None:
        super().__init__()
        self._executor = executor
        self._places: dict[str, tuple[Module, str, str]] = {}  # module, kind and name of each state
        for i in graph.inputs:
            if i.kind != "user_input":
                try:
                    self._places[i.name] = self._registered(i, state(i))
                except (KeyError, TypeError) as error:
                    raise ProgramError(f"module(): {i.kind} {i.target!r}: {error}") from error

    def _registered(self, i: Input, tensor: Any) -> tuple[Module, str, str]:
        *path, name = str(i.target).split(".")
        owner: Module = self
        for part in path:
            if part not in owner._modules:
                owner.add_module(part, Module())
            owner = owner._modules[part]
        if i.kind == "parameter":
            owner.register_parameter(name, tensor)
            return owner, "_parameters", name
        owner.register_buffer(name, tensor, persistent=i.kind == "buffer" and i.persistent)
        return owner, "_buffers", name

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """The model's result. ProgramError for arguments that don't match the export, and if a node fails."""
        return self._executor.run(self._state, args, kwargs)

    def _state(self, i: Input) -> Any:
        owner, kind, name = self._places[i.name]
        return getattr(owner, kind)[name]

    def train(self, mode: bool = True) -> ExportedModule:
        """Raises NotImplementedError: the graph is that of one mode."""
        raise NotImplementedError(
            "train(), eval(): an exported program is fixed to the mode in which the module was exported; "
            "export the module in the other mode"
        )
