"""Sample rows of copies, casts and fills."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from calls import Call, DType
from rows import Row, first, same, unary
from tensors import DTYPES, LAYOUTS, REAL, UNREPEATED, numbers, operand

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


CASTS = {
    "_cast_Byte": "uint8", "_cast_Char": "int8", "_cast_Double": "float64", "_cast_Float": "float32",
    "_cast_Half": "float16", "_cast_Int": "int32", "_cast_Long": "int64", "_cast_Short": "int16",
}  # fmt: skip


def cast_calls(dtype: str) -> Iterator[Call]:
    return (Call((operand(numbers((3, 5), dtype, 0, 5), dtype, layout),)) for layout in LAYOUTS)


def like_calls(dtype: str) -> Iterator[Call]:
    for other in REAL:
        yield Call((operand(numbers((3,), dtype, 0, 5), dtype), operand(numbers((2,), other, 0, 5), other)))


def set_calls(dtype: str) -> Iterator[Call]:
    x = operand(numbers((2,), dtype), dtype)
    for layout in UNREPEATED:
        yield Call((x, operand(numbers((3, 5), dtype), dtype, layout)))
    yield Call((x,))


def part_calls(dtype: str) -> Iterator[Call]:
    yield Call(
        (operand(numbers((2,), dtype), dtype), operand(numbers((12,), dtype), dtype), 1, [2, 3], [4, 1])
    )


def part_of(_: np.ndarray, source: np.ndarray, *__: Any) -> np.ndarray:
    return np.stack([source[1:4], source[5:8]])


ROWS = (
    *(
        Row(name, same_values, cast_calls, lambda c, t=target: t, REAL, inplace=False)
        for name, target in CASTS.items()
    ),
    Row("type_as", same_values, like_calls, lambda c: c.args[1].dtype, REAL),
    row("lift", same_values, on(ANY, ())),
    row("lift_fresh", same_values, on(ANY, ())),
    row("lift_fresh_copy", same_values, on(ANY, ())),
    row("_lazy_clone", same_values, on(ANY, ())),
    Row("set", lambda x, *y: y[0] if y else np.zeros(0), set_calls, first, reshapes=True),
    Row("set", part_of, part_calls, first, reshapes=True, label="part"),
    row("contiguous", same_values, on(ANY, ())),
    row("clone", same_values, on(ANY, ())),
    row("to", same_values, to_calls, dtype=asked),
    row("_to_copy", same_values, to_copy_calls, dtype=asked),
    row("copy", lambda x, y: np.broadcast_to(y, x.shape), copy_calls),
    Row("fill", lambda x, v: np.full(x.shape, v), fill_calls, first),
    Row("zero", np.zeros_like, unary("zero", np.zeros_like, same).calls, first),
)
