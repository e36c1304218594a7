"""The names of what was called, and the places of calls, in graphs and messages."""

from __future__ import annotations

from typing import Any

from .. import strided
from .._C import Tensor
from ._graph import TensorMeta
from ._recorder import Event

_PACKAGE = __name__.partition(".")[0]
_SHORT = {"float": "f", "bfloat": "bf", "int": "i", "uint": "u", "complex": "c"}


def target_name(event: Event) -> str:
    """aten::add.Tensor, aten.nn.functional.dropout, aten.Tensor.add_, or the class of a module."""
    target = event.target
    if event.kind == "operator":
        name: str = target.name()
        return name
    if event.kind == "module":
        return class_name(type(target))
    return function_name(target)


def class_name(cls: type) -> str:
    package = f"{_PACKAGE}.nn"
    return f"{package}.{cls.__name__}" if cls.__module__.startswith(f"{package}.") else cls.__qualname__


def function_name(function: Any) -> str:
    name = getattr(function, "__name__", type(function).__name__)
    owner = getattr(function, "__objclass__", None)
    if owner is not None:
        return f"{_PACKAGE}.{owner.__name__}.{name}"
    module = getattr(function, "__module__", None) or ""
    if not module.startswith(f"{_PACKAGE}."):
        return f"{module}.{name}" if module else name
    if module.startswith(f"{_PACKAGE}._C."):
        space = module.rpartition("._")[2]  # VariableFunctions, nn, linalg, ...
        if space == "nn":
            return f"{_PACKAGE}.nn.functional.{name}"
        is_root = space == "VariableFunctions"
        return f"{_PACKAGE}.{name}" if is_root else f"{_PACKAGE}.{space}.{name.removeprefix(f'{space}_')}"
    return (
        f"{_PACKAGE}.nn.functional.{name}" if module.startswith(f"{_PACKAGE}.nn.") else f"{_PACKAGE}.{name}"
    )


def origin(event: Event) -> str:
    """The user's line: "model.py", line 12, in forward."""
    if event.place is None:
        return ""
    code, line = event.place
    return f'"{code.co_filename}", line {line}, in {code.co_name}'


def where(event: Event) -> str:
    """For messages: which call it is, in which module, at which line."""
    inside = f" in module {event.module!r}" if event.module else ""
    at = f"\n  at {origin(event)}" if event.place is not None else ""
    return f"{event.kind} {target_name(event)}{inside}{at}" if event.parent else f"the function{at}"


def meta(t: Tensor) -> TensorMeta:
    is_strided = t.layout is strided
    strides, offset = (tuple(t.stride()), t.storage_offset()) if is_strided else ((), 0)
    return TensorMeta(t.dtype, tuple(t.shape), strides, t.device, t.requires_grad, offset)


def short(value: Any) -> str:
    """f32[2, 3] for a tensor; the same in tuples."""
    if isinstance(value, Tensor):
        return f"{_short_dtype(str(value.dtype).rpartition('.')[2])}{list(value.shape)}"
    if isinstance(value, (tuple, list)):
        return f"({', '.join(map(short, value))})"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{k}: {short(v)}' for k, v in value.items())}}}"
    return repr(value)


def _short_dtype(name: str) -> str:
    letters = name.rstrip("0123456789")
    return "b8" if name == "bool" else _SHORT.get(letters, letters) + name[len(letters) :]
