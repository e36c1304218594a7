"""What an expression gives with a tensor library, written so that two libraries' outcomes can be compared."""

from __future__ import annotations

import builtins
import copy
import math
import operator
import pickle
import warnings
from typing import Any

import numpy as np

DTYPES = (
    *("bool", "uint8", "int8", "int16", "int32", "int64", "uint16", "uint32", "uint64"),
    *("float16", "float32", "float64", "complex64", "complex128"),
)


def put(t: Any, index: Any, value: Any) -> Any:
    """Assigns and returns the tensor."""
    t[index] = value
    return t


def written(call: Any, out: Any) -> Any:
    """Calls with out=, and returns the result and what was written."""
    return call(out=out), out


def grid(library: Any, *shape: int) -> Any:
    """The numbers from 0 on in a shape, of float32."""
    return library.arange(math.prod(shape), dtype=library.float32).reshape(shape)


def names(library: Any) -> dict[str, Any]:
    """What expressions may use: T is the library, x and the others are its tensors."""
    return {
        **{"T": library, "F": library.nn.functional, "np": np, "math": math, "operator": operator},
        **{
            "copy": copy,
            "pickle": pickle,
            "put": put,
            "written": written,
            "within": within,
            "defaulted": defaulted,
            "DTYPES": DTYPES,
        },
        **{"grid": lambda *shape: grid(library, *shape)},
        "x": grid(library, 3),
        "m": grid(library, 3, 4),
        "k": library.arange(5),
        "z": library.tensor([1 + 2j, 3 - 1j]),
        "b": library.tensor([True, False, True]),
        "g": library.ones(3, requires_grad=True),
        "s": library.tensor(2.5),
    }


def plain(value: Any) -> Any:
    """A value as nested tuples with the types of its parts."""
    if isinstance(value, (list, tuple)):
        kind = (
            "Size"
            if type(value).__name__ == "Size"
            else "sequence"
            if type(value) in (list, tuple)
            else "named"
        )
        return (kind, *map(plain, value))
    if hasattr(value, "is_leaf"):
        dtype, device = str(value.dtype).rpartition(".")[2], value.device.type
        parts = ("tensor", dtype, tuple(value.shape), device, value.requires_grad)
        return parts if device == "meta" else (*parts, numbers(value.tolist()))
    if isinstance(value, np.ndarray):
        return ("array", value.dtype.str, value.shape, value.flags.writeable, numbers(value.tolist()))
    if isinstance(value, np.generic):
        return (type(value).__name__, numbers(value.item()))
    if type(value).__name__ in ("dtype", "device", "layout"):
        return (type(value).__name__, str(value).replace("torch.", "aten."))
    return (type(value).__name__, numbers(value))


def numbers(value: Any) -> str:
    """The text of numbers in nested lists; nan is nan."""
    if isinstance(value, list):
        return "[" + ", ".join(map(numbers, value)) + "]"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, complex):
        return f"{value.real + 0.0:.6g}{value.imag + 0.0:+.6g}j"  # a zero without its sign
    return repr(value).replace("torch.", "aten.")


def outcome(expression: str, library: Any) -> Any:
    """The value of an expression, or the type of the error that it raises."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return plain(eval(expression, names(library)))
        except Exception as error:
            kind = type(error)
            return ("error", "LinAlgError" if kind.__name__ == "_LinAlgError" else kind.__name__)


def within(library: Any, device: str, call: Any) -> Any:
    """What a call gives under `with device`."""
    with library.device(device):
        return call()


def defaulted(library: Any, device: str, call: Any) -> Any:
    """What a call gives after set_default_device()."""
    library.set_default_device(device)
    try:
        return call()
    finally:
        library.set_default_device(None)


def same(ours: Any, theirs: Any) -> bool:
    """Whether outcomes agree. An error may be of a class derived from the other's."""
    if ours == theirs:
        return True
    if "error" not in (ours[0], theirs[0]) or ours[0] != theirs[0]:
        return False
    kinds = [getattr(builtins, o[1], Exception) for o in (ours, theirs)]
    return issubclass(*kinds) or issubclass(*reversed(kinds))
