"""Sample rows of scatter, index_add, masked_scatter and the gradients of indexing operators."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from calls import Call
from rows import Calls, Row, first, loose
from tensors import BOOL, COMPLEX, FLOATS, INTEGERS, NUMBERS, Operand, numbers, operand

from samples.indexing import indices

SHAPES = ((), (7,), (3, 5), (33, 17), (2, 3, 4, 5))
WRITABLE = ("contiguous", "transposed", "sliced")


def distinct(shape: tuple[int, ...], dim: int, size: int) -> Operand:
    """Returns indices that occur only once along dim."""
    rng = np.random.default_rng([5, *shape])
    made = rng.permuted(np.broadcast_to(np.arange(size).reshape(columns(shape, dim)), shape), axis=dim)
    return operand(made, "int64")


def columns(shape: tuple[int, ...], dim: int) -> tuple[int, ...]:
    return tuple(n if d == dim % len(shape) else 1 for d, n in enumerate(shape))


def scatter_calls(*extra: Any, value: Any = None, repeats: bool = False) -> Calls:
    """Returns calls that write all of self, a part of it, and nothing; src is larger than index."""

    def calls(dtype: str) -> Iterator[Call]:
        for shape in SHAPES:
            for layout in WRITABLE:
                x = operand(numbers(shape, dtype), dtype, layout)
                for dim in {0, -1} if shape else {0}:
                    for index in indices_for(shape, dim, repeats):
                        src = operand(numbers(shape, dtype, 1, 3, 4), dtype, layout)
                        yield Call((x, dim, index, src if value is None else value), dict(extra))

    return calls


def indices_for(shape: tuple[int, ...], dim: int, repeats: bool) -> Iterator[Operand]:
    if not shape:
        yield operand(np.zeros((), int), "int64")
        return
    yield indices(shape, shape[dim]) if repeats else distinct(shape, dim, shape[dim])
    part = tuple(max(n - 1, 1) for n in shape)
    yield operand(distinct(shape, dim, shape[dim]).values[tuple(slice(n) for n in part)], "int64")
    yield operand(np.zeros((0,) * len(shape), int), "int32")


def scatter(x: np.ndarray, dim: int, index: np.ndarray, src: Any, reduce: str = "") -> np.ndarray:
    made = np.array(x, copy=True).reshape(x.shape or (1,))
    index = index.reshape(index.shape or (1,))
    src = np.broadcast_to(np.asarray(src).astype(made.dtype), np.shape(src) or index.shape)
    for at in np.ndindex(*index.shape):
        to = list(at)
        to[dim] = index[at]
        old, new = made[tuple(to)], src[at]
        made[tuple(to)] = old + new if reduce == "add" else old * new if reduce == "multiply" else new
    return made.reshape(x.shape)


def index_add_calls(dtype: str) -> Iterator[Call]:
    for shape in SHAPES[1:]:
        for layout in WRITABLE:
            x = operand(numbers(shape, dtype, -2, 2), dtype, layout)
            for dim in (0, -1):
                wide = list(shape)
                wide[dim] = 9
                src = operand(numbers(tuple(wide), dtype, -2, 2, 4), dtype, layout)
                yield Call((x, dim, indices((9,), shape[dim]), src))
                yield Call((x, dim, indices((9,), shape[dim], "int32"), src), {"alpha": 2})
    one, other = (operand(numbers((), dtype, seed=s), dtype) for s in (0, 1))
    yield Call((one, 0, indices((1,), 1), other))


def index_add(x: np.ndarray, dim: int, index: np.ndarray, src: np.ndarray, alpha: int = 1) -> np.ndarray:
    made = np.array(x, copy=True).reshape(x.shape or (1,))
    scaled = src.reshape(src.shape or (1,)) * np.asarray(alpha).astype(x.dtype)
    np.add.at(np.moveaxis(made, dim, 0), index, np.moveaxis(scaled, dim, 0))
    return made.reshape(x.shape)


def reduce_calls(*modes: str) -> Calls:
    """Returns calls of scatter_reduce: repeated indices, parts, and nothing, with self's elements and
    without.
    """

    def calls(dtype: str) -> Iterator[Call]:
        for mode in modes:
            for call in scatter_calls(repeats=True)(dtype):
                for included in (True, False):
                    yield Call((*call.args, mode), {"include_self": included})

    return calls


def slice_reduce_calls(*modes: str) -> Calls:
    """Returns calls of index_reduce."""

    def calls(dtype: str) -> Iterator[Call]:
        for mode in modes:
            for call in index_add_calls(dtype):
                if not call.kwargs:
                    for included in (True, False):
                        yield Call((*call.args, mode), {"include_self": included})

    return calls


FOLDS = {"sum": np.add, "mean": np.add, "prod": np.multiply, "amax": np.maximum, "amin": np.minimum}


def scatter_reduce(
    x: np.ndarray, dim: int, index: np.ndarray, src: np.ndarray, mode: str, include_self: bool
) -> np.ndarray:
    made = np.array(x, copy=True).reshape(x.shape or (1,))
    index = index.reshape(index.shape or (1,))
    src = np.asarray(src, made.dtype).reshape(src.shape or (1,))
    count = np.full(made.shape, int(include_self))
    for at in np.ndindex(*index.shape):
        to = list(at)
        to[dim] = index[at]
        place = tuple(to)
        made[place] = FOLDS[mode](made[place], src[at]) if count[place] else src[at]
        count[place] += 1
    if mode == "mean":
        count = np.maximum(count, 1)
        made = made // count if made.dtype.kind in "iu" else made / count
    return made.reshape(x.shape)


def index_reduce(
    x: np.ndarray, dim: int, index: np.ndarray, src: np.ndarray, mode: str, include_self: bool
) -> np.ndarray:
    if src.ndim:
        index = np.broadcast_to(
            index.reshape([-1 if d == dim % src.ndim else 1 for d in range(src.ndim)]), src.shape
        )
    return scatter_reduce(x, dim, index, src, mode, include_self)


def masked_scatter_calls(dtype: str) -> Iterator[Call]:
    for shape, mask in (((), ()), ((0,), (0,)), ((7,), (7,)), ((3, 5), (5,)), ((33, 17), (33, 1))):
        for layout in WRITABLE:
            x = operand(numbers(shape, dtype), dtype, layout)
            where = operand(numbers(mask, "bool", seed=8), "bool")
            yield Call((x, where, operand(numbers((*shape, 2), dtype, seed=9), dtype)))


def masked_scatter(x: np.ndarray, mask: np.ndarray, src: np.ndarray) -> np.ndarray:
    made, where = np.array(x, copy=True), np.broadcast_to(mask, x.shape)
    made[where] = src.reshape(-1)[: np.count_nonzero(where)]
    return made


# ---- gradients of indexing


def gather_backward_calls(dtype: str) -> Iterator[Call]:
    for shape in SHAPES:
        x = operand(numbers(shape, dtype), dtype)
        for dim in {0, -1} if shape else {0}:
            index = indices(shape, shape[dim] if shape else 1)
            yield Call((operand(numbers(shape, dtype, -1, 1, 2), dtype), x, dim, index, False))


def select_rows_calls(dtype: str) -> Iterator[Call]:
    for shape in SHAPES[1:]:
        for dim in (0, -1):
            taken = list(shape)
            taken[dim] = 9
            grad = operand(numbers(tuple(taken), dtype, -1, 1), dtype)
            yield Call((grad, list(shape), dim, indices((9,), shape[dim])))


def chosen_calls(dtype: str) -> Iterator[Call]:
    """Yields calls for gradients of reductions that select one value along dim, with and without keepdim."""
    for shape in SHAPES[1:]:
        for dim in (0, -1):
            kept = list(shape)
            kept[dim] = 1
            dropped = [n for d, n in enumerate(shape) if d != dim % len(shape)]
            for sizes, keep in ((kept, True), (dropped, False)):
                grad = operand(numbers(tuple(sizes), dtype, -1, 1), dtype)
                yield Call((grad, dim, indices(tuple(sizes), shape[dim]), list(shape), keep))


def chosen_backward(
    grad: np.ndarray, dim: int, index: np.ndarray, sizes: list[int], keep: bool
) -> np.ndarray:
    if not keep:
        grad, index = np.expand_dims(grad, dim), np.expand_dims(index, dim)
    return scatter(np.zeros(sizes, grad.dtype), dim, index, grad)


def masked_select_backward_calls(dtype: str) -> Iterator[Call]:
    for call in masked_scatter_calls(dtype):
        x, mask, _ = call.args
        count = np.count_nonzero(np.broadcast_to(mask.values, x.stored.shape))
        yield Call((operand(numbers((int(count),), dtype, seed=4), dtype), x, mask))


def masked_scatter_backward_calls(dtype: str) -> Iterator[Call]:
    for call in masked_scatter_calls(dtype):
        x, mask, src = call.args
        yield Call((x, mask, list(src.stored.shape)))


def masked_scatter_backward(grad: np.ndarray, mask: np.ndarray, sizes: list[int]) -> np.ndarray:
    made = np.zeros(sizes, grad.dtype).reshape(-1)
    taken = grad[np.broadcast_to(mask, grad.shape)]
    made[: taken.size] = taken
    return made.reshape(sizes)


ROWS = (
    Row("scatter", scatter, scatter_calls(), first, ("int64", "float32", "float64", "bfloat16", *COMPLEX)),
    Row("scatter", scatter, scatter_calls(value=2), first, ("bool", "int8", "float16"), label="number"),
    Row("scatter", scatter, scatter_calls(("reduce", "add")), first, ("int32", "float32"), label="add"),
    Row(
        "scatter",
        scatter,
        scatter_calls(("reduce", "multiply"), value=2),
        first,
        ("uint8", "float64"),
        label="multiply",
    ),
    Row(
        "scatter_add",
        lambda *args: scatter(*args, reduce="add"),
        scatter_calls(repeats=True),
        first,
        NUMBERS,
        tolerance=loose,
    ),
    Row("index_add", index_add, index_add_calls, first, NUMBERS, tolerance=loose),
    Row("scatter_reduce", scatter_reduce, reduce_calls(*FOLDS), first, ("int64", "float32"), tolerance=loose),
    Row(
        "scatter_reduce",
        scatter_reduce,
        reduce_calls("amax", "amin"),
        first,
        BOOL + INTEGERS + FLOATS,
        label="extrema",
    ),
    Row(
        "index_reduce",
        index_reduce,
        slice_reduce_calls("prod", "mean", "amax", "amin"),
        first,
        ("int32", "int64", "float32", "float64"),
        tolerance=loose,
    ),
    Row("masked_scatter", masked_scatter, masked_scatter_calls, first),
    Row(
        "gather_backward",
        lambda g, x, dim, i, _: scatter(np.zeros_like(x), dim, i, g, "add"),
        gather_backward_calls,
        first,
        FLOATS + COMPLEX,
        tolerance=loose,
    ),
    Row(
        "index_select_backward",
        lambda g, sizes, dim, i: index_add(np.zeros(sizes, g.dtype), dim, i, g),
        select_rows_calls,
        first,
        FLOATS + COMPLEX,
        tolerance=loose,
    ),
    Row("value_selecting_reduction_backward", chosen_backward, chosen_calls, first, FLOATS + COMPLEX),
    Row(
        "masked_select_backward",
        lambda g, x, m: masked_scatter(np.zeros_like(x), m, g),
        masked_select_backward_calls,
        first,
        FLOATS + COMPLEX,
    ),
    Row(
        "masked_scatter_backward",
        masked_scatter_backward,
        masked_scatter_backward_calls,
        first,
        FLOATS + COMPLEX,
        data_dependent=True,
    ),
)
