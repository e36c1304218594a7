"""Sample rows of what puts elements in another order, repeats them, or takes differences of neighbours."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from calls import Call
from rows import Row, first, index
from tensors import COMPLEX, FLOATS, INTEGERS, LAYOUTS, Operand, numbers, operand

SHAPES = ((7,), (3, 5), (33, 17), (2, 3, 4, 5), (3, 0, 2))


def inputs(dtype: str, dims: int = 0) -> Iterator[Operand]:
    for shape in SHAPES:
        if len(shape) >= dims:
            yield from (operand(numbers(shape, dtype), dtype, layout) for layout in LAYOUTS)


def roll_calls(dtype: str) -> Iterator[Call]:
    yield Call((operand(numbers((), dtype), dtype), [3]))
    for x in inputs(dtype):
        yield from (Call((x, [shift])) for shift in (0, 2, -3, 1000))
        yield from (Call((x, [1], [dim])) for dim in (0, -1))
        if x.stored.ndim > 1:
            yield Call((x, [2, -1], [1, 0]))


def roll(x: np.ndarray, shifts: list[int], dims: list[int] | None = None) -> np.ndarray:
    return np.roll(x, shifts[0]) if dims is None else np.roll(x, tuple(shifts), tuple(dims))


def turn_calls(dtype: str) -> Iterator[Call]:
    for x in inputs(dtype, 2):
        yield from (Call((x, k, dims)) for k in (-1, 0, 1, 2, 7) for dims in ([0, 1], [-1, 0]))


def only_calls(dims: int) -> Any:
    return lambda dtype: (Call((x,)) for x in inputs(dtype, dims))


# ---- repeat_interleave


def counts(n: int, dtype: str = "int64") -> Operand:
    return operand(np.arange(n) * 2 % 3, dtype)


def each_calls(dtype: str) -> Iterator[Call]:
    for n in (0, 1, 7, 100):
        yield Call((counts(n, dtype),))
        yield Call((counts(n, dtype),), {"output_size": int((np.arange(n) * 2 % 3).sum())})


def repeated_calls(dtype: str) -> Iterator[Call]:
    for x in inputs(dtype):
        yield Call((x, 3))
        yield Call((x, counts(x.stored.size)))
        for dim in (0, -1):
            yield from (Call((x, count, dim)) for count in (0, 1, 2))
            yield Call((x, counts(x.stored.shape[dim]), dim))
            yield Call((x, operand(np.asarray(2), "int64"), dim))


def repeated(x: np.ndarray, count: Any, dim: int | None = None) -> np.ndarray:
    return np.repeat(x, count, dim)


# ---- differences, trapezoids


def diff_calls(dtype: str) -> Iterator[Call]:
    for x in inputs(dtype):
        yield Call((x,))
        yield from (Call((x, n, dim)) for n in (0, 1, 2, 50) for dim in (0, -1))
        shape = (*x.stored.shape[:-1], 2)
        ends = [operand(numbers(shape, dtype, seed=s), dtype) for s in (1, 2)]
        yield from (Call((x, 1, -1, *some)) for some in ((ends[0],), (None, ends[1]), ends))


def diff(x: np.ndarray, n: int = 1, dim: int = -1, prepend: Any = None, append: Any = None) -> np.ndarray:
    x = np.concatenate([part for part in (prepend, x, append) if part is not None], dim)
    return np.diff(x, min(n, x.shape[dim]), dim)


def trapezoid_calls(dtype: str) -> Iterator[Call]:
    for y in inputs(dtype):
        if 0 in y.stored.shape:
            continue
        yield Call((y,))
        for dim in (0, -1):
            yield Call((y,), {"dx": 0.5, "dim": dim})
            for shape in (y.stored.shape[dim : dim + 1 or None], y.stored.shape):
                yield Call((y, operand(numbers(shape, dtype, seed=3), dtype)), {"dim": dim})


def pieces(y: np.ndarray, x: Any = None, dx: float = 1.0, dim: int = -1) -> np.ndarray:
    """The area between each two neighbours."""
    dim %= y.ndim
    between = np.moveaxis(y, dim, -1)
    step = dx if x is None else np.diff(x if x.ndim < y.ndim else np.moveaxis(x, dim, -1))
    return np.moveaxis((between[..., 1:] + between[..., :-1]) / 2 * step, -1, dim)


def loose(dtype: str) -> tuple[float, float] | None:
    return {"float16": (2e-2, 2e-1), "bfloat16": (6e-2, 1.0), "float32": (1e-5, 1e-4)}.get(dtype)


# ---- places in a triangle


def triangle_calls(_: str) -> Iterator[Call]:
    for rows, columns in ((0, 0), (3, 3), (2, 5), (7, 3), (0, 4)):
        yield from (Call((rows, columns, offset)) for offset in (0, 1, -2, 9, -9))


def tril(rows: int, columns: int, offset: int) -> np.ndarray:
    return np.array(np.tril_indices(rows, offset, columns))


def triu(rows: int, columns: int, offset: int) -> np.ndarray:
    return np.array(np.triu_indices(rows, offset, columns))


def area(y: np.ndarray, *args: Any, **kwargs: Any) -> np.ndarray:
    return pieces(y, *args, **kwargs).sum(kwargs.get("dim", -1))


def running_area(y: np.ndarray, *args: Any, **kwargs: Any) -> np.ndarray:
    return pieces(y, *args, **kwargs).cumsum(kwargs.get("dim", -1))


def places(count: np.ndarray, output_size: int = 0) -> np.ndarray:
    return np.repeat(np.arange(len(count)), count)


WHOLE = ("int32", "int64")
REARRANGEMENT_ROWS = (
    Row("roll", roll, roll_calls, first),
    Row("rot90", lambda x, k, dims: np.rot90(x, k, tuple(dims)), turn_calls, first),
    Row("fliplr", np.fliplr, only_calls(2), first),
    Row("flipud", np.flipud, only_calls(1), first),
    Row("repeat_interleave", places, each_calls, first, WHOLE, data_dependent=True, label="places"),
    Row("repeat_interleave", repeated, repeated_calls, first, data_dependent=True),
    Row("diff", diff, diff_calls, first, FLOATS + INTEGERS + COMPLEX, tolerance=loose),
    Row("trapezoid", area, trapezoid_calls, first, FLOATS, tolerance=loose),
    Row("trapz", area, trapezoid_calls, first, FLOATS, tolerance=loose),
    Row("cumulative_trapezoid", running_area, trapezoid_calls, first, FLOATS, tolerance=loose),
    Row("tril_indices", tril, triangle_calls, index, ("int64",)),
    Row("triu_indices", triu, triangle_calls, index, ("int64",)),
)
