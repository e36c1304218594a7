"""Sample rows of joining tensors, repeating elements, permuting them, and differences of neighbours."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from calls import Call
from rows import Row, first, index, same
from tensors import COMPLEX, DTYPES, FLOATS, INTEGERS, LAYOUTS, UNREPEATED, Operand, numbers, operand

from samples.reduction import inputs as reduced_inputs

SHAPES = ((7,), (3, 5), (33, 17), (2, 3, 4, 5), (3, 0, 2))
WRITABLE = ("contiguous", "transposed", "sliced")


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


def flip_calls(dtype: str) -> Iterator[Call]:
    for x in reduced_inputs(dtype):
        ndim = x.stored.ndim
        yield Call((x, []))
        if ndim:
            yield from (Call((x, [0])), Call((x, [-1])), Call((x, list(range(ndim)))))


# ---- repetition


def repeat_calls(dtype: str) -> Iterator[Call]:
    for shape in ((), (7,), (3, 5), (3, 0, 2), (2, 3, 4, 5)):
        for layout in UNREPEATED:
            x = operand(numbers(shape, dtype), dtype, layout)
            ones = [1] * len(shape)
            for times in (
                [*ones],
                [2, *ones],
                [*(2 for _ in shape)],
                [3, 1, *(2 for _ in shape)],
                [0, *ones],
            ):
                yield Call((x, times))


def tile_calls(dtype: str) -> Iterator[Call]:
    yield from repeat_calls(dtype)
    yield Call((operand(numbers((3, 5), dtype), dtype), [2]))
    yield Call((operand(numbers((3, 5), dtype), dtype), []))


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


def places(count: np.ndarray, output_size: int = 0) -> np.ndarray:
    return np.repeat(np.arange(len(count)), count)


# ---- differences


def diff_calls(dtype: str) -> Iterator[Call]:
    for x in inputs(dtype):
        yield Call((x,))
        yield from (Call((x, n, dim)) for n in (0, 1, 2, 50) for dim in (0, -1))
        shape = (*x.stored.shape[:-1], 2)
        ends = [operand(numbers(shape, dtype, seed=s), dtype) for s in (1, 2)]
        yield from (Call((x, 1, -1, *some)) for some in ((ends[0],), (None, ends[1]), ends))


def gradient_calls(dtype: str) -> Iterator[Call]:
    for shape in ((3,), (7,), (3, 5), (4, 3, 5)):
        x = operand(numbers(shape, dtype, -3, 3), dtype)
        ends = [0, len(shape) - 1][: len(shape)]
        for order in (1, 2):
            options = {"edge_order": order}
            yield from (Call((x,), options), Call((x,), {"dim": 0, "spacing": 0.5, **options}))
            yield Call((x,), {"dim": ends, **options})
            yield Call((x,), {"dim": ends, "spacing": [0.5, 2.0][: len(ends)], **options})
            yield Call((x,), {"dim": ends, "spacing": 0.5, **options})
            yield Call((x,), {"spacing": [0.5, 2.0, 1.0][: len(shape)], **options})
            places = [operand(np.cumsum(1 + np.arange(shape[d]) % 3), dtype) for d in ends]
            yield Call((x,), {"dim": ends, "spacing": places, **options})
            if len(ends) == len(shape):
                yield Call((x,), {"spacing": places, **options})


def gradient(x: np.ndarray, spacing: Any = 1, dim: Any = None, edge_order: int = 1) -> list[np.ndarray]:
    dims = range(x.ndim) if dim is None else [dim] if isinstance(dim, int) else dim
    steps = spacing if isinstance(spacing, list) else [spacing] * len(dims)
    return [np.gradient(x, h, axis=d, edge_order=edge_order) for h, d in zip(steps, dims, strict=True)]


def of_each_dim(call: Call) -> list[str]:
    dims = call.kwargs.get("dim")
    count = call.operands[0].stored.ndim if dims is None else len(dims) if isinstance(dims, list) else 1
    return [first(call)] * count


def diff(x: np.ndarray, n: int = 1, dim: int = -1, prepend: Any = None, append: Any = None) -> np.ndarray:
    x = np.concatenate([part for part in (prepend, x, append) if part is not None], dim)
    return np.diff(x, min(n, x.shape[dim]), dim)


def loose(dtype: str) -> tuple[float, float] | None:
    return {"float16": (2e-2, 2e-1), "bfloat16": (6e-2, 1.0), "float32": (1e-5, 1e-4)}.get(dtype)


# ---- triangles


def triangle_indices_calls(_: str) -> Iterator[Call]:
    for rows, columns in ((0, 0), (3, 3), (2, 5), (7, 3), (0, 4)):
        yield from (Call((rows, columns, offset)) for offset in (0, 1, -2, 9, -9))


def tril(rows: int, columns: int, offset: int) -> np.ndarray:
    return np.array(np.tril_indices(rows, offset, columns))


def triu(rows: int, columns: int, offset: int) -> np.ndarray:
    return np.array(np.triu_indices(rows, offset, columns))


def triangle_calls(dtype: str) -> Iterator[Call]:
    for shape in ((3, 5), (33, 17), (0, 3), (2, 3, 4, 5), (301, 257)):
        for layout in WRITABLE:
            x = operand(numbers(shape, dtype), dtype, layout)
            yield from (Call((x,)), *(Call((x, k)) for k in (1, -2, 2**62, -(2**62))))


def triangle(function: Any) -> Any:
    return lambda x, k=0: function(x, max(min(k, 1000), -1000))


# ---- joining


def tensors_of(dtype: str, shapes: tuple[tuple[int, ...], ...], layout: str) -> list[Any]:
    return [operand(numbers(s, dtype, seed=i), dtype, layout) for i, s in enumerate(shapes)]


def cat_calls(dtype: str) -> Iterator[Call]:
    for shapes, dim in (
        (((3,), (4,)), 0),
        (((2, 3), (2, 5), (2, 1)), 1),
        (((2, 3), (0, 3)), 0),
        (((0,), (2, 3)), 1),
        (((33, 17),), -1),
    ):
        for layout in LAYOUTS:
            yield Call((tensors_of(dtype, shapes, layout), dim))
    for other in DTYPES:
        if not ("float16" in (dtype, other) and "complex" in dtype + other):
            yield Call(([operand(numbers((3,), dtype), dtype), operand(numbers((4,), other, 0, 3), other)],))


def cat_reference(tensors: list[np.ndarray], dim: int = 0) -> np.ndarray:
    kept = [t for t in tensors if t.shape != (0,)]
    return np.concatenate(kept or tensors, axis=dim if kept else 0)


def stack_calls(dtype: str) -> Iterator[Call]:
    for shape in ((), (0,), (3,), (33, 17), (2, 3, 4, 5)):
        for layout in LAYOUTS:
            for dim in (0, -1):
                yield Call((tensors_of(dtype, (shape, shape, shape), layout), dim))


def joined(call: Call) -> str:
    return same(Call(tuple(call.args[0])))


# ---- channels and pixels

IMAGES = ("contiguous", "transposed", "channels_last")
SHUFFLED = (
    ((8, 3, 4), 2),
    ((2, 8, 3, 5), 2),
    ((1, 9, 2, 3), 3),
    ((2, 1, 4, 2, 2), 2),
    ((0, 4, 2, 2), 2),
    ((2, 3, 4, 5), 1),
)
UNSHUFFLED = (((2, 6, 8), 2), ((2, 3, 4, 6), 2), ((1, 2, 6, 9), 3), ((2, 1, 2, 4, 4), 2), ((2, 3, 4, 5), 1))
GROUPED = (((2, 8, 3), 2), ((2, 6, 3, 5), 3), ((1, 4, 2, 3, 2), 4), ((0, 4, 3), 2))


def pixel_calls(shapes: Any) -> Callable[[str], Iterator[Call]]:
    def calls(dtype: str) -> Iterator[Call]:
        for shape, factor in shapes:
            for layout in IMAGES:
                yield Call((operand(numbers(shape, dtype), dtype, layout), factor))

    return calls


def shuffled(x: np.ndarray, r: int) -> np.ndarray:
    *batch, c, h, w = x.shape
    split = x.reshape(*batch, c // r**2, r, r, h, w)
    b = len(batch)
    order = (*range(b), b, b + 3, b + 1, b + 4, b + 2)
    return split.transpose(order).reshape(*batch, c // r**2, h * r, w * r)


def unshuffled(x: np.ndarray, r: int) -> np.ndarray:
    *batch, c, h, w = x.shape
    split = x.reshape(*batch, c, h // r, r, w // r, r)
    b = len(batch)
    order = (*range(b), b, b + 2, b + 4, b + 1, b + 3)
    return split.transpose(order).reshape(*batch, c * r**2, h // r, w // r)


def exchanged(x: np.ndarray, groups: int) -> np.ndarray:
    n, c, *rest = x.shape
    return x.reshape(n, groups, c // groups, *rest).swapaxes(1, 2).reshape(x.shape)


WHOLE = ("int32", "int64")
ROWS = (
    Row("roll", roll, roll_calls, first),
    Row("rot90", lambda x, k, dims: np.rot90(x, k, tuple(dims)), turn_calls, first),
    Row("fliplr", np.fliplr, only_calls(2), first),
    Row("flipud", np.flipud, only_calls(1), first),
    Row("repeat_interleave", places, each_calls, first, WHOLE, data_dependent=True, label="places"),
    Row("repeat_interleave", repeated, repeated_calls, first, data_dependent=True),
    Row("gradient", gradient, gradient_calls, of_each_dim, ("float32", "float64"), tolerance=loose),
    Row("diff", diff, diff_calls, first, FLOATS + INTEGERS + COMPLEX, tolerance=loose),
    Row("tril_indices", tril, triangle_indices_calls, index, ("int64",)),
    Row("triu_indices", triu, triangle_indices_calls, index, ("int64",)),
    Row("tril", triangle(np.tril), triangle_calls, first, DTYPES),
    Row("triu", triangle(np.triu), triangle_calls, first, DTYPES),
    Row("flip", lambda x, dims: np.flip(x, tuple(dims)), flip_calls, first),
    Row("repeat", np.tile, repeat_calls, first, DTYPES),
    Row("tile", lambda x, times: np.tile(x, times) if times else x, tile_calls, first, DTYPES),
    Row("cat", cat_reference, cat_calls, joined),
    Row("stack", np.stack, stack_calls, joined),
    Row("pixel_shuffle", shuffled, pixel_calls(SHUFFLED), first, DTYPES),
    Row("pixel_unshuffle", unshuffled, pixel_calls(UNSHUFFLED), first, DTYPES),
    Row("channel_shuffle", exchanged, pixel_calls(GROUPED), first, DTYPES),
    Row("native_channel_shuffle", exchanged, pixel_calls(GROUPED), first, DTYPES),
)
