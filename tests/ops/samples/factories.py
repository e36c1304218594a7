"""Sample rows of factories."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from calls import Call, DType
from rows import Calls, Row, first
from tensors import LAYOUTS, SHAPES, numbers, operand

SMALL = tuple(s for s in SHAPES if len(s) < 5)


def sized(*rest: Any) -> Calls:
    return lambda dtype: (Call((list(s), *rest), {"dtype": DType(dtype)}) for s in SMALL)


def like(*rest: Any, **kwargs: Any) -> Calls:
    def calls(dtype: str) -> Iterator[Call]:
        for shape in SMALL:
            for layout in LAYOUTS:
                x = operand(numbers(shape, dtype), dtype, layout)
                yield from (Call((x, *rest), kwargs), Call((x, *rest), {**kwargs, "dtype": DType("float32")}))

    return calls


def new(*rest: Any) -> Calls:
    def calls(dtype: str) -> Iterator[Call]:
        x = operand(numbers((2, 3), dtype), dtype)
        for s in SMALL:
            yield from (Call((x, list(s), *rest)), Call((x, list(s), *rest), {"dtype": DType("int32")}))

    return calls


def asked(call: Call) -> str:
    return call.kwargs["dtype"].name if "dtype" in call.kwargs else first(call)


def of_shape(value: Any) -> Callable[..., np.ndarray]:
    return lambda size, *args, **_: np.full(
        size, args[0] if args and not isinstance(args[0], list) else value
    )


def of_like(value: Any) -> Callable[..., np.ndarray]:
    return lambda x, *args, **_: np.full(x.shape, args[0] if args else value)


def of_new(value: Any) -> Callable[..., np.ndarray]:
    return lambda x, size, *args, **_: np.full(
        size, args[0] if args and not isinstance(args[0], list) else value
    )


def strided_sizes(dtype: str) -> Iterator[Call]:
    for size, stride in (([2, 3], [3, 1]), ([2, 3], [1, 2]), ([0, 3], [1, 1]), ([4], [3]), ([], [])):
        yield Call((size, stride), {"dtype": DType(dtype)})


def new_strided(dtype: str) -> Iterator[Call]:
    x = operand(numbers((2,), dtype), dtype)
    return (Call((x, *c.args)) for c in strided_sizes(dtype))


def ranges(dtype: str) -> Iterator[Call]:
    for args in ((5,), (0,), (2, 9), (1, 10, 3), (9, 0, -2), (0, 1000), (0.0, 1.0, 0.125)):
        if all(isinstance(a, int) for a in args) or "float" in dtype:
            yield Call(args, {"dtype": DType(dtype)})


RANGED = ("int16", "int32", "int64", "float32", "float64")


def row(name: str, reference: Callable[..., Any], calls: Calls, **options: Any) -> Row:
    """Returns the row of a factory, whose out= decides the dtype."""
    return Row(name, reference, calls, asked, out_decides=True, **options)


ROWS = (
    row("zeros", of_shape(0), sized()),
    row("ones", of_shape(1), sized()),
    row("full", of_shape(0), sized(1)),
    row("empty", of_shape(0), sized(), compare=False),
    row("zeros_like", of_like(0), like()),
    row("ones_like", of_like(1), like()),
    row("full_like", of_like(0), like(1)),
    row("empty_like", of_like(0), like(), compare=False),
    row("new_zeros", of_new(0), new()),
    row("new_ones", of_new(1), new()),
    row("new_full", of_new(0), new(1)),
    row("new_empty", of_new(0), new(), compare=False),
    row("empty_strided", of_shape(0), strided_sizes, compare=False),
    row("new_empty_strided", of_new(0), new_strided, compare=False),
    row("arange", lambda *a, **_: np.arange(*a), ranges, dtypes=RANGED),
    row("scalar_tensor", lambda v, **_: np.asarray(v), lambda d: iter([Call((1,), {"dtype": DType(d)})])),
)
