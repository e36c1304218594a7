"""Sample rows of reading and writing by positions in the flattened tensor and of whole slices, and of other
forms of nonzero.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from calls import Call
from rows import Row, first, index
from tensors import DTYPES, LAYOUTS, NUMBERS, UNREPEATED, numbers, operand

from samples.indexing import (
    index_calls,
    index_put_calls,
    index_put_reference,
    index_reference,
    indices,
    nonzero,
    nonzero_calls,
)

SHAPES = ((7,), (3, 5), (2, 3, 4, 5))


def positions(numel: int, shape: tuple[int, ...]) -> Any:
    """Returns positions that differ, some counted from the end."""
    order = np.random.default_rng(numel).permutation(numel)[: int(np.prod(shape))].reshape(shape)
    return operand(np.where(order % 2, order, order - numel), "int64")


def take_calls(dtype: str) -> Iterator[Call]:
    yield Call((operand(numbers((), dtype), dtype), positions(1, (1,))))
    for shape in SHAPES:
        for layout in LAYOUTS:
            x = operand(numbers(shape, dtype), dtype, layout)
            for at in ((4,), (2, 2), (), (0,)):
                yield Call((x, positions(int(np.prod(shape)), at)))


def put_calls(dtype: str) -> Iterator[Call]:
    for call in take_calls(dtype):
        x, at = call.args
        source = operand(numbers(at.stored.shape, dtype, seed=4), dtype)
        yield Call((x, at, source))
        if dtype != "bool":
            yield Call((x, at, source, True))


def put(x: np.ndarray, at: np.ndarray, source: np.ndarray, accumulate: bool = False) -> np.ndarray:
    flat = x.reshape(-1).copy()
    flat[at] = flat[at] + source if accumulate else source
    return flat.reshape(x.shape)


def along_calls(dtype: str) -> Iterator[Call]:
    for shape, at, dim in (
        ((3, 5), (2, 5), 0),
        ((3, 5), (3, 4), -1),
        ((3, 1), (1, 4), 1),
        ((1, 4), (3, 1), 0),
    ):
        for layout in LAYOUTS:
            yield Call((operand(numbers(shape, dtype), dtype, layout), indices(at, shape[dim]), dim))
    yield Call((operand(numbers((3, 5), dtype), dtype), indices((4,), 15)))
    yield Call((operand(numbers((5,), dtype), dtype), operand(np.array([-1, 4, -5]), "int64"), 0))


def along(x: np.ndarray, at: np.ndarray, dim: int | None = None) -> np.ndarray:
    if dim is None:
        return x.reshape(-1)[at.reshape(-1)]
    if x.ndim == 1:
        return x[at]
    rest = np.broadcast_shapes(*(np.delete(s, dim) for s in (x.shape, at.shape)))
    wide = [np.broadcast_to(a, np.insert(rest, dim % x.ndim, a.shape[dim])) for a in (x, at)]
    return np.take_along_axis(wide[0], wide[1], dim)


# ---- whole slices


def slices_calls(dtype: str) -> Iterator[Call]:
    for shape in SHAPES:
        for layout in UNREPEATED:
            x = operand(numbers(shape, dtype), dtype, layout)
            for dim in (0, -1):
                at = positions(shape[dim], (2,))
                at = operand(at.stored % shape[dim], "int64")
                part = list(shape)
                part[dim] = 2
                yield Call((x, dim, at, operand(numbers(tuple(part), dtype, seed=3), dtype, layout)))
    x, one = operand(numbers((), dtype), dtype), operand(numbers((1,), dtype, seed=2), dtype)
    yield Call((x, 0, operand(np.array([0]), "int64"), one))
    vector = operand(numbers((5,), dtype), dtype)
    yield Call((vector, 0, operand(np.array(3), "int64"), operand(numbers((), dtype, seed=1), dtype)))


def copied(x: np.ndarray, dim: int, at: np.ndarray, source: np.ndarray) -> np.ndarray:
    if x.ndim == 0:
        return source.reshape(())
    made = x.copy()
    made[(slice(None),) * (dim % x.ndim) + (at,)] = source
    return made


def fill_calls(dtype: str) -> Iterator[Call]:
    for shape in ((), *SHAPES):
        for layout in UNREPEATED:
            x = operand(numbers(shape, dtype), dtype, layout)
            for dim in (0, -1):
                length = shape[dim] if shape else 1
                for at in ((2,), (), (0,)):
                    where = positions(length, at if shape else (1,))
                    yield Call((x, dim, where, 1))
                    yield Call((x, dim, where, operand(numbers((), dtype, 1, 4), dtype)))


def filled(x: np.ndarray, dim: int, at: np.ndarray, value: Any) -> np.ndarray:
    made = np.atleast_1d(x).copy()
    made[(slice(None),) * (dim % made.ndim) + (at,)] = value
    return made.reshape(x.shape)


# ---- without checks, behind a mask


def plain_index_calls(dtype: str) -> Iterator[Call]:
    return (c for c in index_calls(dtype) if all(i is None or i.dtype != "bool" for i in c.args[1]))


def masked_calls(dtype: str) -> Iterator[Call]:
    for shape in ((7,), (3, 5)):
        x = operand(numbers(shape, dtype), dtype)
        at = operand(np.array([0, -1, 100, 2, -100]), "int64")
        mask = operand(np.array([1, 1, 0, 1, 0], bool).reshape(-1, *([1] * (len(shape) - 1))), "bool")
        yield Call((x, mask, [at], 3))


def masked_index(x: np.ndarray, mask: np.ndarray, where: list[np.ndarray], fill: Any) -> np.ndarray:
    return np.where(mask, x[np.clip(where[0], -len(x), len(x) - 1)], np.asarray(fill, x.dtype))


def masked_put_calls(dtype: str) -> Iterator[Call]:
    for call in masked_calls(dtype):
        x, mask, where, _ = call.args
        values = operand(numbers((5, *x.stored.shape[1:]), dtype, seed=8), dtype)
        yield Call((x, mask, where, values))


def masked_put(x: np.ndarray, mask: np.ndarray, where: list[np.ndarray], values: np.ndarray) -> np.ndarray:
    made = x.copy()
    np.add.at(made, np.clip(where[0], -len(x), len(x) - 1), np.where(mask, values, 0).astype(x.dtype))
    return made


# ---- nonzero


def fixed_calls(dtype: str) -> Iterator[Call]:
    for call in nonzero_calls(dtype):
        yield from (Call(call.args, {"size": 3}), Call(call.args, {"size": 5, "fill_value": 7}))


def fixed(x: np.ndarray, size: int, fill_value: int = -1) -> np.ndarray:
    found = nonzero(x)[:size]
    return np.concatenate([found, np.full((size - len(found), x.ndim), fill_value)])


def column_calls(dtype: str) -> Iterator[Call]:
    return (c for c in nonzero_calls(dtype) if c.args[0].stored.ndim == 2)


ROWS = (
    Row("take", lambda x, at: x.reshape(-1)[at], take_calls, first),
    Row("put", put, put_calls, first),
    Row("take_along_dim", along, along_calls, first),
    Row("index_copy", copied, slices_calls, first),
    Row("index_fill", filled, fill_calls, first),
    Row("_unsafe_index", index_reference, plain_index_calls, first),
    Row("_unsafe_index_put", index_put_reference, index_put_calls, first),
    Row("_unsafe_masked_index", masked_index, masked_calls, first, NUMBERS),
    Row("_unsafe_masked_index_put_accumulate", masked_put, masked_put_calls, first, NUMBERS),
    Row("nonzero_static", fixed, fixed_calls, index, DTYPES),
    Row("argwhere", nonzero, nonzero_calls, index, data_dependent=True),
    Row("nonzero_numpy", np.nonzero, column_calls, lambda c: ["int64"] * 2, data_dependent=True),
)
