"""Calls of operators: arguments with operands in them, and the overloads that take such arguments."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import aten
import numpy as np
from tensors import DEVICE, Operand, dtype_of


@dataclass(frozen=True)
class DType:
    """A dtype given as an argument; references get the name."""

    name: str


@dataclass(frozen=True)
class Seeded:
    """A seeded generator, made anew for each call."""

    seed: int = 7


@dataclass(frozen=True)
class Call:
    """Arguments as the schema orders them; tensors are operands."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any] = field(default_factory=dict)

    @property
    def operands(self) -> list[Operand]:
        found: list[Operand] = []
        walk((self.args, tuple(self.kwargs.values())), found.append)
        return found

    def tensors(self, device: str = DEVICE) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Returns the arguments for one call, with their own memory; an operand given twice is one tensor. A
        call without operands gets the device as an argument.
        """
        made: dict[int, aten.Tensor] = {}

        def tensor(o: Operand) -> aten.Tensor:
            if id(o) not in made:
                made[id(o)] = on_meta(o) if device == "meta" else o.tensor()
            return made[id(o)]

        kwargs = {k: map_operands(v, tensor) for k, v in self.kwargs.items()}
        if device != "cpu" and not self.operands:
            kwargs["device"] = device
        return map_operands(self.args, tensor), kwargs

    def __str__(self) -> str:
        parts = [short(a) for a in self.args] + [f"{k}={short(v)}" for k, v in self.kwargs.items()]
        return f"({', '.join(parts)})"


def on_meta(o: Operand) -> aten.Tensor:
    strides = [s // o.stored.itemsize for s in o.stored.strides]
    return aten.empty_strided(o.stored.shape, strides, dtype=dtype_of(o.dtype), device="meta")


def walk(value: Any, visit: Callable[[Operand], Any]) -> None:
    if isinstance(value, Operand):
        visit(value)
    elif isinstance(value, (list, tuple)):
        for v in value:
            walk(v, visit)


def map_operands(value: Any, change: Callable[[Operand], Any]) -> Any:
    if isinstance(value, Operand):
        return change(value)
    if isinstance(value, DType):
        return dtype_of(value.name)
    if isinstance(value, Seeded):
        return aten.Generator(DEVICE).manual_seed(value.seed)
    if isinstance(value, (list, tuple)):
        return type(value)(map_operands(v, change) for v in value)
    return value


def short(value: Any) -> str:
    if isinstance(value, Operand):
        steps = tuple(s // value.stored.itemsize for s in value.stored.strides)
        return f"{value.dtype}{list(value.stored.shape)}{'' if value.stored.flags.c_contiguous else steps}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(short(v) for v in value) + "]"
    return repr(value)


# ---- overloads


@dataclass(frozen=True)
class Form:
    """An overload, and how it returns its results."""

    op: Any
    name: str
    kind: str  # functional, inplace or out
    outs: tuple[str, ...]


@functools.cache
def overloads_of(name: str) -> tuple[Form, ...]:
    """Returns all forms of an operator, including in-place ones."""
    forms = []
    for packet_name in (name, f"{name}_"):
        packet = getattr(aten.ops.aten, packet_name, None)
        for overload in packet.overloads() if packet is not None else ():
            forms.append(form_of(getattr(packet, overload), packet_name, overload))
    return tuple(forms)


def form_of(op: Any, packet_name: str, overload: str) -> Form:
    arguments = op._schema.arguments
    outs = tuple(a.name for a in arguments if a.is_out)
    kind = "out" if outs else "inplace" if arguments and arguments[0].is_write else "functional"
    return Form(op, packet_name if overload == "default" else f"{packet_name}.{overload}", kind, outs)


def forms_of(name: str, call: Call) -> Iterator[Form]:
    """Yields the overloads that the call's arguments bind to."""
    return (f for f in overloads_of(name) if binds(f, call))


def binds(form: Form, call: Call) -> bool:
    arguments = [a for a in form.op._schema.arguments if not a.is_out]
    positional = [a for a in arguments if not a.kwarg_only]
    if len(call.args) > len(positional):
        return False
    given = dict(zip((a.name for a in positional), call.args, strict=False))
    by_name = {a.name: a for a in arguments}
    if any(k not in by_name or k in given for k in call.kwargs):
        return False
    given.update(call.kwargs)
    needed = all(a.name in given or a.has_default_value() for a in arguments)
    return needed and all(accepts(by_name[k].type, v) for k, v in given.items())


def accepts(type_text: str, value: Any) -> bool:
    """Whether a value is exactly of a schema's type: no conversion, so that each call has one meaning."""
    if value is None:
        return type_text.endswith("?")
    kind = type_text.removesuffix("?").replace("SymInt", "int")
    if "[" in kind:
        element, _, _ = kind.partition("[")
        return isinstance(value, (list, tuple)) and all(accepts(element, v) for v in value)
    if isinstance(value, Operand):
        return kind == "Tensor"
    if isinstance(value, DType):
        return kind in ("ScalarType", "int")
    if isinstance(value, Seeded):
        return kind == "Generator"
    if isinstance(value, (bool, np.bool_)):
        return kind in ("bool", "Scalar", "number")
    if isinstance(value, int):
        return kind in ("int", "Scalar", "number")
    if isinstance(value, (float, complex)):
        return kind in ("Scalar", "number") or (kind == "float" and isinstance(value, float))
    return isinstance(value, str) and kind == "str"
