"""The functions and methods of extensions: Python functions that call the packets of their operators."""

from __future__ import annotations

import inspect
import sys
import types
import warnings
from collections import namedtuple

from .. import _C
from .._C import Tensor
from .._ops import ops

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    # Where it goes (`scale_by`, `linalg.scale_by`, `Tensor.scale_by`), the operator (`my_ops::scale_by`),
    # whether `input` is its `self`, the names of several results, a function with its parameters (None where
    # it has several signatures), and the docstring.
    Member = tuple[str, str, bool, tuple[str, ...], Callable[..., None] | None, str]


def add(package: str, members: Iterable[Member]) -> None:
    """Adds functions to an extension's package, and methods to Tensor. A method that Tensor has already stays
    as it is, with a warning.
    """
    for place, operator, takes_input, fields, parameters, doc in members:
        where, _, name = place.rpartition(".")
        is_method = where == "Tensor"
        if is_method and hasattr(Tensor, name):
            warnings.warn(
                f"{package}: Tensor.{name} is there already and is not replaced; call {package}.ops."
                f"{operator.replace('::', '.')}",
                stacklevel=3,
            )
            continue
        target: Any = Tensor if is_method else _module(package, where)
        function: Any = _function(
            operator, takes_input and not is_method, _named_tuple(package, operator, fields)
        )
        function.__name__, function.__doc__ = name, doc
        function.__qualname__ = f"Tensor.{name}" if is_method else name
        function.__module__ = target.__module__ if is_method else target.__name__
        if parameters is not None:
            function.__signature__ = inspect.signature(parameters)
        setattr(target, name, function)


def _module(package: str, name: str) -> types.ModuleType:
    """Returns the package, or the submodule of it that an entry's python_module names."""
    full = f"{package}.{name}" if name else package
    if full not in sys.modules:
        sys.modules[full] = types.ModuleType(full)
        setattr(sys.modules[package], name, sys.modules[full])
    return sys.modules[full]


def _named_tuple(package: str, operator: str, fields: tuple[str, ...]) -> Any:
    """Returns the type of several results with names, which is in the package's return_types; else None."""
    if not fields:
        return None
    name, place = operator.partition("::")[2], _module(package, "return_types")
    if not hasattr(place, name):
        setattr(place, name, namedtuple(name, fields, module=place.__name__))
    return getattr(place, name)


def _function(operator: str, takes_input: bool, named: Any) -> Callable[..., Any]:
    namespace, _, base = operator.partition("::")
    packet = getattr(getattr(ops, namespace), base)

    def function(*args, **kwargs):  # type: ignore[no-untyped-def]  # help() would show the types
        if takes_input and "input" in kwargs:
            kwargs["self"] = kwargs.pop("input")
        tensors = (*args, *kwargs.values())
        if _C._any_torch_function(*tensors):
            return _C._handle_torch_function(function, tensors, args, kwargs)
        result = packet(*args, **kwargs)
        has_names = named and type(result) is tuple and len(result) == len(named._fields)
        return named(*result) if has_names else result

    return function
