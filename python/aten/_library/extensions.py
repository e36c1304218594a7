"""The functions and methods of extensions: Python functions that call the packets of their operators."""

from __future__ import annotations

import sys
import types
import warnings
from collections import namedtuple
from collections.abc import Callable, Iterable
from typing import Any

from .. import _C
from .._C import OpOverloadPacket, Tensor
from .._ops import ops


def add(package: str, members: Iterable[tuple[str, str, str]]) -> None:
    """Adds functions to an extension's package, and methods to Tensor. A member is where it goes (`scale_by`,
    `linalg.scale_by`, `Tensor.scale_by`), the operator (`my_ops::scale_by`), and the docstring. A method that
    Tensor has already stays as it is, with a warning.
    """
    for place, operator, doc in members:
        where, _, name = place.rpartition(".")
        if where == "Tensor" and hasattr(Tensor, name):
            warnings.warn(
                f"{package}: Tensor.{name} is there already and is not replaced; call {package}.ops."
                f"{operator.replace('::', '.')}",
                stacklevel=3,
            )
            continue
        target = Tensor if where == "Tensor" else _module(package, where)
        setattr(target, name, _function(name, target, operator, doc, package))


def _module(package: str, name: str) -> types.ModuleType:
    """Returns the package, or the submodule of it that an entry's python_module names."""
    full = f"{package}.{name}" if name else package
    if full not in sys.modules:
        sys.modules[full] = types.ModuleType(full)
        setattr(sys.modules[package], name, sys.modules[full])
    return sys.modules[full]


def _function(name: str, target: Any, operator: str, doc: str, package: str) -> Callable[..., Any]:
    namespace, _, base = operator.partition("::")
    packet = getattr(getattr(ops, namespace), base)
    tuples = _named_tuples(packet, package)
    first = {o._schema.arguments[0].name for o in _overloads(packet) if o._schema.arguments}
    takes_input = "self" in first and target is not Tensor  # aten's functions call `self` so, too

    def function(*args, **kwargs):  # type: ignore[no-untyped-def]  # help() would show the types
        if takes_input and "input" in kwargs:
            kwargs["self"] = kwargs.pop("input")
        tensors = (*args, *kwargs.values())
        if _C._any_torch_function(*tensors):
            return _C._handle_torch_function(function, tensors, args, kwargs)
        result = packet(*args, **kwargs)
        made = tuples.get(len(result)) if type(result) is tuple else None
        return made(*result) if made else result

    is_method = target is Tensor
    function.__name__, function.__doc__ = name, doc
    function.__qualname__ = f"Tensor.{name}" if is_method else name
    function.__module__ = target.__module__ if is_method else target.__name__
    return function


def _overloads(packet: OpOverloadPacket) -> list[Any]:
    return [getattr(packet, overload) for overload in packet.overloads()]


def _named_tuples(packet: OpOverloadPacket, package: str) -> dict[int, Any]:
    """Returns the types of results with names, by the number of fields; the first overload's names count."""
    found: dict[int, Any] = {}
    for overload in _overloads(packet):
        fields = [r.name for r in overload._schema.returns]
        if len(fields) > 1 and all(fields) and len(fields) not in found:
            name = overload._schema.name.partition("::")[2]
            place = _module(package, "return_types")
            made = found[len(fields)] = namedtuple(name, fields, module=place.__name__)
            vars(place).setdefault(name, made)
    return found
