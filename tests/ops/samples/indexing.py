"""Sample rows of reading and writing elements by index or mask."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from calls import Call
from references import masked_fill
from rows import Row, first, index
from tensors import LAYOUTS, numbers, operand


def indices(shape: tuple[int, ...], limit: int, dtype: str = "int64", seed: int = 3) -> Any:
    return operand(np.random.default_rng([seed, *shape]).integers(0, max(limit, 1), shape), dtype)


def index_select_calls(dtype: str) -> Iterator[Call]:
    for shape in ((7,), (3, 5), (33, 17), (2, 3, 4, 5)):
        for layout in LAYOUTS:
            x = operand(numbers(shape, dtype), dtype, layout)
            for dim in (0, -1):
                for count in (0, 1, 9):
                    yield Call((x, dim, indices((count,), shape[dim])))
            yield Call((x, 0, indices((4,), shape[0], "int32")))


def gather_calls(dtype: str) -> Iterator[Call]:
    for shape in ((7,), (3, 5), (33, 17), (2, 3, 4, 5)):
        for layout in LAYOUTS:
            x = operand(numbers(shape, dtype), dtype, layout)
            for dim in (0, -1):
                yield Call((x, dim, indices(shape, shape[dim])))


def index_calls(dtype: str) -> Iterator[Call]:
    for shape in ((7,), (3, 5), (33, 17), (2, 3, 4, 5)):
        for layout in LAYOUTS:
            x = operand(numbers(shape, dtype), dtype, layout)
            yield from (Call((x, [indices((4,), shape[0])])), Call((x, [indices((2, 3), shape[0])])))
            if len(shape) > 1:
                yield Call((x, [None, indices((4,), shape[1])]))
                yield Call((x, [indices((4, 1), shape[0]), indices((3,), shape[1])]))
                yield Call((x, [operand(numbers(shape[:1], "bool", seed=9), "bool")]))


def index_reference(x: np.ndarray, where: list[Any]) -> np.ndarray:
    return x[tuple(slice(None) if i is None else i for i in where)]


def index_put_calls(dtype: str) -> Iterator[Call]:
    for shape in ((7,), (33, 17), (2, 3, 4, 5)):
        for layout in ("contiguous", "transposed", "sliced"):
            x = operand(numbers(shape, dtype), dtype, layout)
            where = operand(np.arange(min(shape[0], 3)), "int64")
            values = operand(numbers((min(shape[0], 3), *shape[1:]), dtype, seed=5), dtype)
            yield from (
                Call((x, [where], values)),
                Call((x, [where], operand(numbers((), dtype, seed=6), dtype))),
            )
            if dtype != "bool":
                yield Call((x, [where], values, True))


def index_put_reference(
    x: np.ndarray, where: list[Any], values: np.ndarray, accumulate: bool = False, *_: Any
) -> np.ndarray:
    made = x.copy()
    made[where[0]] = made[where[0]] + values if accumulate else values
    return made


def unsafe_index_put(dtype: str) -> Iterator[Call]:
    return (Call((*c.args, False) if len(c.args) == 3 else c.args) for c in index_put_calls(dtype))


def masked_select_calls(dtype: str) -> Iterator[Call]:
    for shape, mask in (((), ()), ((0,), (0,)), ((7,), (7,)), ((3, 5), (5,)), ((33, 17), (33, 1))):
        for layout in LAYOUTS:
            yield Call(
                (
                    operand(numbers(shape, dtype), dtype, layout),
                    operand(numbers(mask, "bool", seed=8), "bool"),
                )
            )


def masked_select(x: np.ndarray, mask: np.ndarray) -> np.ndarray:
    x, mask = np.broadcast_arrays(x, mask)
    return x[mask]


def masked_fill_calls(dtype: str) -> Iterator[Call]:
    for shape, mask in (
        ((), ()),
        ((0,), (1,)),
        ((7,), (7,)),
        ((3, 5), (5,)),
        ((33, 17), (33, 1)),
        ((2, 3, 4, 5), (3, 1, 5)),
        ((5,), (3, 5)),
    ):
        for layout in LAYOUTS:
            x = operand(numbers(shape, dtype), dtype, layout)
            m = operand(numbers(mask, "bool"), "bool")
            yield from (Call((x, m, 1)), Call((x, m, operand(numbers((), dtype, 1, 4), dtype))))


def nonzero_calls(dtype: str) -> Iterator[Call]:
    for shape in ((), (0,), (7,), (3, 5), (33, 17), (2, 3, 4, 5)):
        for layout in LAYOUTS:
            yield Call((operand(numbers(shape, dtype, -1, 1), dtype, layout),))


def nonzero(x: np.ndarray) -> np.ndarray:
    return np.argwhere(x) if x.ndim else np.zeros((int(x != 0), 0), np.int64)


ROWS = (
    Row("index_select", lambda x, dim, i: np.take(x, i, dim), index_select_calls, first),
    Row("gather", lambda x, dim, i: np.take_along_axis(x, i, dim), gather_calls, first),
    Row("index", index_reference, index_calls, first, data_dependent=True),
    Row("index_put", index_put_reference, index_put_calls, first),
    Row("_index_put_impl", index_put_reference, unsafe_index_put, first),
    Row("masked_select", masked_select, masked_select_calls, first, data_dependent=True),
    Row("nonzero", nonzero, nonzero_calls, index, data_dependent=True),
    Row("masked_fill", masked_fill, masked_fill_calls, first),
)
