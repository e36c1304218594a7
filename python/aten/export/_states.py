"""The modules of a trace: their paths, and the names of their parameters, buffers and other tensors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from .._C import Tensor
from ..nn.modules.module import Module
from ._recorder import Event


class State(NamedTuple):
    kind: str  # parameter, buffer or constant
    name: str
    tensor: Tensor
    persistent: bool = True  # whether a state_dict has it


class Modules:
    """Names modules by their paths in the traced one; others after their classes, as they are met."""

    def __init__(self, target: Any) -> None:
        owner = target if isinstance(target, Module) else getattr(target, "__self__", None)
        self.root = owner if isinstance(owner, Module) else None
        self._roots: list[tuple[str, Module]] = []
        self._paths: dict[int, str] = {}
        if self.root is not None:
            self._add("", self.root)

    def path(self, module: Module) -> str:
        if id(module) not in self._paths:
            base = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", type(module).__name__).lower()
            taken = {name for name, _ in self._roots}
            number = next(n for n in range(len(taken) + 1) if (f"{base}_{n}" if n else base) not in taken)
            self._add(f"{base}_{number}" if number else base, module)
        return self._paths[id(module)]

    def _add(self, prefix: str, module: Module) -> None:
        self._roots.append((prefix, module))
        for path, inner in module.named_modules(prefix=prefix):
            self._paths.setdefault(id(inner), path)

    def states(self) -> Iterator[State]:
        """Parameters, then buffers, then tensors in other attributes."""
        for prefix, module in self._roots:
            for name, parameter in module.named_parameters(prefix=prefix):
                yield State("parameter", name, parameter)
        for prefix, module in self._roots:
            kept = module.state_dict(prefix=f"{prefix}." if prefix else "", keep_vars=True)
            for name, tensor in module.named_buffers(prefix=prefix):
                yield State("buffer", name, tensor, name in kept)
        for prefix, module in self._roots:
            for path, inner in module.named_modules(prefix=prefix):
                for name, value in vars(inner).items():
                    if isinstance(value, Tensor):
                        yield State("constant", f"{path}.{name}" if path else name, value)


def link(events: list[Event], modules: Modules) -> None:
    """Sets the children and the module's path of each event."""
    for event in events:
        event.children = []
        inherited = event.parent.module if event.parent is not None else ""
        event.module = modules.path(event.target) if event.kind == "module" else inherited
        if event.parent is not None:
            event.parent.children.append(event)
