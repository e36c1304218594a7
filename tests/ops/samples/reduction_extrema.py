"""Sample rows of minima and maxima, and of their positions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from calls import Call
from rows import Row, binary, first, index, with_positions
from tensors import BOOL, FLOATS, INTEGERS, REAL

from samples.reduction import along_one, along_some, inputs, reduced, whole


def position(function: Callable[..., Any]) -> Callable[..., Any]:
    def reference(x: np.ndarray, dim: int | None = None, keepdim: bool = False) -> Any:
        if x.ndim == 0:
            return np.int64(0)
        return function(x, axis=dim, keepdims=keepdim)

    return reference


def both(call: Call) -> tuple[str, str]:
    return first(call), first(call)


def with_position(value: Callable[..., Any], position: Callable[..., Any]) -> Callable[..., Any]:
    def reference(x: np.ndarray, dim: int, keepdim: bool = False) -> Any:
        if x.ndim == 0:
            return x, np.int64(0)
        return value(x, axis=dim, keepdims=keepdim), position(x, axis=dim, keepdims=keepdim)

    return reference


def both_calls(dtype: str) -> Iterator[Call]:
    for x in inputs(dtype, empty=False):
        yield from (Call((x,)), Call((x,), {"keepdim": True}))
        for dim in sorted({0, -1}) if x.stored.ndim else ():
            yield from (Call((x,), {"dim": dim}), Call((x,), {"dim": dim, "keepdim": True}))


def both_reference(x: np.ndarray, dim: int | None = None, keepdim: bool = False) -> Any:
    return np.min(x, axis=dim, keepdims=keepdim), np.max(x, axis=dim, keepdims=keepdim)


ROWS = (
    Row("amax", reduced(np.max), along_some(empty=False), first, REAL),
    Row("amin", reduced(np.min), along_some(empty=False), first, REAL),
    Row("argmax", position(np.argmax), whole(empty=False), index, INTEGERS + FLOATS),
    Row("argmax", position(np.argmax), along_one(empty=False), index, INTEGERS + FLOATS, label="dim"),
    Row("argmin", position(np.argmin), whole(empty=False), index, INTEGERS + FLOATS),
    Row("argmin", position(np.argmin), along_one(empty=False), index, INTEGERS + FLOATS, label="dim"),
    Row("max", np.max, whole(empty=False), first, REAL),
    Row("min", np.min, whole(empty=False), first, REAL),
    Row("max", with_position(np.max, np.argmax), along_one(empty=False), with_positions, REAL, label="dim"),
    Row("min", with_position(np.min, np.argmin), along_one(empty=False), with_positions, REAL, label="dim"),
    binary("max", np.maximum, dtypes=REAL, mixed=False, label="other"),
    binary("min", np.minimum, dtypes=REAL, mixed=False, label="other"),
    Row("aminmax", both_reference, both_calls, both, REAL),
    Row("_aminmax", both_reference, whole(empty=False), both, BOOL + INTEGERS),
    Row("_aminmax", both_reference, along_one(empty=False), both, BOOL + INTEGERS, label="dim"),
)
