"""A program's graph, as both readers produce it: plain values without tensors."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any


@dataclasses.dataclass(frozen=True)
class Ref:
    """The value of that name: an input, or a result of an earlier node."""

    name: str


@dataclasses.dataclass(frozen=True)
class TensorMeta:
    """A tensor without its memory. Sizes, strides and the storage offset are integers or Expressions."""

    dtype: Any
    sizes: tuple[Any, ...]
    strides: tuple[Any, ...]
    device: Any
    requires_grad: bool = False
    offset: Any = 0


@dataclasses.dataclass(frozen=True)
class ScalarMeta:
    """A number that a node computes: `kind` is int, float or bool, `value` a number or an Expression."""

    kind: str
    value: Any


@dataclasses.dataclass(frozen=True)
class Node:
    """A call. `results` is the name of its result, a tuple of names for several, None for unnamed ones."""

    name: str
    target: str  # aten::add.Tensor, operator.mul, math.ceil
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    results: Any
    origin: str = ""  # the line of the model that it comes from
    meta: Any = None  # TensorMeta or ScalarMeta of the result, a tuple of these for several, None if unknown
    module: str = ""  # the path of the innermost module whose forward makes the call
    trace: str = ""  # the stack trace of the call, innermost frame last
    modules: tuple[tuple[str, str], ...] = ()  # path and class of the modules around it, outermost first


@dataclasses.dataclass(frozen=True)
class Input:
    """`kind` is user_input, parameter, buffer or constant; `target` is the name of that state."""

    kind: str
    name: str
    target: str | None = None
    fixed: Any = None  # the value of a scalar, string or None at export
    is_tensor: bool = True
    dtype: str | None = None
    sizes: tuple[int | str | None, ...] | None = None  # a size, a symbol, or None for any
    meta: Any = None  # TensorMeta, or ScalarMeta of a dynamic number; None if unknown
    persistent: bool = True  # whether a buffer is part of the state_dict


@dataclasses.dataclass(frozen=True)
class Output:
    """`kind` is user_output, or a write: buffer_mutation, parameter_mutation or user_input_mutation."""

    kind: str
    value: Any
    target: str | None = None


@dataclasses.dataclass(frozen=True)
class Graph:
    inputs: tuple[Input, ...]
    nodes: tuple[Node, ...]
    outputs: tuple[Output, ...]
    ranges: dict[str, tuple[int | None, int | None]] = dataclasses.field(default_factory=dict)


def mapped(value: Any, change: Callable[[Ref], Any]) -> Any:
    """`value` with its references replaced."""
    if isinstance(value, Ref):
        return change(value)
    if isinstance(value, (list, tuple)):
        return type(value)([mapped(v, change) for v in value])
    return value


def refs(*values: Any) -> list[str]:
    """The names to which values refer."""
    found: list[str] = []
    for value in values:
        mapped(value, lambda r: found.append(r.name))
    return found


def names(results: Any) -> list[str]:
    """All names of a node's results."""
    if isinstance(results, str):
        return [results]
    return [n for r in results or () for n in names(r)]


def origin_of(trace: str) -> str:
    """The innermost frame of a stack trace: file, line and function."""
    places = [line.strip() for line in trace.splitlines() if line.lstrip().startswith("File ")]
    return places[-1].removeprefix("File ") if places else ""
