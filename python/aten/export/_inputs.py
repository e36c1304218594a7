"""Binds the arguments of a call to the graph's inputs, and checks them against the exported ones."""

from __future__ import annotations

import dataclasses
from typing import Any

from .._C import Tensor
from .._creation import from_dlpack
from ._errors import ProgramError
from ._graph import Graph, Input
from ._structure import Structure


@dataclasses.dataclass(frozen=True)
class Signature:
    """The model's signature: `arguments` is the structure of (args, kwargs), `names` its parameters."""

    arguments: Structure
    results: Structure
    names: tuple[str, ...]


class Binding:
    """One call's arguments."""

    def __init__(self, graph: Graph, signature: Signature) -> None:
        self._inputs = [i for i in graph.inputs if i.kind == "user_input"]
        self._ranges, self._signature = graph.ranges, signature
        self._sizes: dict[str, int] = {}  # sizes of symbols, from the first tensor with them

    def bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        """Values by input name; ProgramError if they don't match the exported inputs."""
        positional, by_name = self._signature.arguments.children
        count = len(positional.children)
        args, kwargs = list(args), dict(kwargs)  # type: ignore[assignment]
        for name in self._signature.names[len(args) : count]:
            if name in kwargs:
                args.append(kwargs.pop(name))  # type: ignore[attr-defined]
        if len(args) != count or set(kwargs) != set(by_name.keys):
            raise ProgramError(self._usage(len(args), sorted(kwargs)))
        leaves = [
            leaf
            for i, child in enumerate(positional.children)
            for leaf in child.leaves(args[i], f"argument {self._name(i)}")
        ]
        for key, child in zip(by_name.keys, by_name.children, strict=True):
            leaves += child.leaves(kwargs[key], f"argument {key!r}")
        return {
            i.name: self._checked(i, place, value)
            for i, (place, value) in zip(self._inputs, leaves, strict=True)
        }

    def _name(self, position: int) -> str:
        names = self._signature.names
        return repr(names[position]) if position < len(names) else str(position)

    def _usage(self, count: int, given: list[str]) -> str:
        positional, by_name = self._signature.arguments.children
        names = [self._name(i).strip("'") for i in range(len(positional.children))]
        expected = ", ".join([*names, *(f"{k}=" for k in by_name.keys)])
        got = ", ".join([f"{count} by position", *(f"{k}=" for k in given)])
        return f"the program was exported with the arguments ({expected}), got ({got})"

    def _checked(self, i: Input, place: str, value: Any) -> Any:
        if not i.is_tensor:
            if i.fixed is not None and value != i.fixed:
                raise ProgramError(f"{place}: the program was exported for {i.fixed!r}, got {value!r}")
            return value
        t = _tensor(place, value)
        name = str(t.dtype).rpartition(".")[2]
        if i.dtype is not None and name != i.dtype:
            raise ProgramError(f"{place}: expected {i.dtype}, got {name}")
        if i.sizes is not None:
            self._check_sizes(i.sizes, place, t)
        return t

    def _check_sizes(self, expected: tuple[int | str | None, ...], place: str, t: Tensor) -> None:
        shape = tuple(t.shape)
        wanted = f"[{', '.join('?' if s is None else str(s) for s in expected)}]"
        if len(shape) != len(expected):
            raise ProgramError(f"{place}: expected the shape {wanted}, got {list(shape)}")
        for dim, (size, got) in enumerate(zip(expected, shape, strict=True)):
            known = self._sizes.setdefault(size, got) if isinstance(size, str) else size
            if known is not None and known != got:
                of = f" with {size} = {known}" if isinstance(size, str) else ""
                raise ProgramError(
                    f"{place}: expected the shape {wanted}{of}, got {list(shape)}; "
                    "pass dynamic_shapes to torch.export.export to make sizes dynamic"
                )
            low, high = self._ranges.get(str(size), (None, None))
            if (low is not None and got < low) or (high is not None and got > high):
                raise ProgramError(
                    f"{place}: dimension {dim} is {got}; the program was exported for {low}..{high}"
                )


def _tensor(place: str, value: Any) -> Tensor:
    if isinstance(value, Tensor):
        return value
    if not hasattr(value, "__dlpack__"):
        raise ProgramError(f"{place}: expected a tensor, got {type(value).__name__}")
    try:
        return from_dlpack(value.detach() if hasattr(value, "detach") else value)
    except (BufferError, RuntimeError, ValueError, TypeError) as error:
        raise ProgramError(f"{place}: its memory cannot be shared: {error}") from error
