"""Sample rows of copies, casts and fills."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from calls import Call, DType
from rows import Row, first, same, unary
from tensors import DTYPES, LAYOUTS, numbers, operand

from samples.views import ANY, on, row, same_values


def to_calls(dtype: str) -> Iterator[Call]:
    for target in DTYPES:
        if not ("complex" in dtype and "complex" not in target):
            for layout in LAYOUTS:
                yield Call((operand(numbers((3, 5), dtype, 0, 5), dtype, layout), DType(target)))


def to_copy_calls(dtype: str) -> Iterator[Call]:
    return (Call(c.args[:1], {"dtype": c.args[1]}) for c in to_calls(dtype))


def asked(call: Call) -> str:
    return (call.args[1] if len(call.args) > 1 else call.kwargs["dtype"]).name


def copy_calls(dtype: str) -> Iterator[Call]:
    for other in DTYPES:
        if not ("complex" in other and "complex" not in dtype):
            for layout in LAYOUTS:
                for shape in ((3, 5), (5,), ()):
                    source = operand(numbers(shape, other, 0, 5), other, layout)
                    yield Call((operand(numbers((3, 5), dtype), dtype), source))


def fill_calls(dtype: str) -> Iterator[Call]:
    for shape in ((), (0,), (7,), (33, 17)):
        for layout in LAYOUTS:
            x = operand(numbers(shape, dtype), dtype, layout)
            yield from (Call((x, 3)), Call((x, operand(numbers((), dtype, 1, 4), dtype))))


ROWS = (
    row("contiguous", same_values, on(ANY, ())),
    row("clone", same_values, on(ANY, ())),
    row("to", same_values, to_calls, dtype=asked),
    row("_to_copy", same_values, to_copy_calls, dtype=asked),
    row("copy", lambda x, y: np.broadcast_to(y, x.shape), copy_calls),
    Row("fill", lambda x, v: np.full(x.shape, v), fill_calls, first),
    Row("zero", np.zeros_like, unary("zero", np.zeros_like, same).calls, first),
)
