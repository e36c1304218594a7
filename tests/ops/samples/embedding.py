"""Sample rows of embeddings, of embedding_bag, of their gradients, and of one_hot."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from calls import Call
from rows import Row, first, index, loose_products
from tensors import FLOATS, numbers, operand

from samples.indexing import indices

NUM_EMBEDDINGS, MODES = 10, {"sum": 0, "mean": 1, "max": 2}
# Offsets of bags among the indices: with empty bags, with all indices in one bag, and without bags.
BAGS = ((0, 2, 2, 5), (0,), (0, 0, 9), (0, 3, 6, 9))


def ints(values: Any, dtype: str = "int64") -> Any:
    return operand(np.array(values, dtype), dtype)


def bag_calls(*, padded: bool = False) -> Any:
    def calls(dtype: str) -> Iterator[Call]:
        for columns in (1, 7, 70):
            for layout in ("contiguous", "transposed", "sliced"):
                weight = operand(numbers((NUM_EMBEDDINGS, columns), dtype, -2, 2), dtype, layout)
                for offsets in BAGS:
                    for mode in MODES.values():
                        yield bag_call(weight, offsets, mode, dtype, padded)

    return calls


def bag_call(weight: Any, offsets: tuple[int, ...], mode: int, dtype: str, padded: bool) -> Call:
    kind = "int32" if mode == 1 else "int64"
    where = indices((9,), NUM_EMBEDDINGS, kind)
    factors = operand(numbers((9,), dtype, -1, 1, 5), dtype) if mode == 0 and len(offsets) > 1 else None
    last = len(offsets) % 2 == 0
    bounds = ints((*offsets, 9) if last else offsets, kind)
    return Call((weight, where, bounds, False, mode, False, factors, last, 3 if padded else -1))


def bounds_of(offsets: np.ndarray, last: bool, n: int) -> list[int]:
    starts = offsets[:-1] if last else offsets
    return [*(int(o) for o in starts), n]


def embedding_bag(
    weight: np.ndarray, where: np.ndarray, offsets: np.ndarray, _: bool, mode: int, __: bool, factors: Any,
    last: bool, padding: int | None = -1,
) -> tuple[np.ndarray, ...]:  # fmt: skip
    bounds = bounds_of(offsets, last, len(where))
    bags = len(bounds) - 1
    out = np.zeros((bags, weight.shape[1]), weight.dtype)
    bag_of, sizes = np.zeros(len(where), where.dtype), np.zeros(bags, where.dtype)
    positions = np.zeros(out.shape, where.dtype)
    for b in range(bags):
        bag_of[bounds[b] : bounds[b + 1]] = b
        counted = [i for i in range(bounds[b], bounds[b + 1]) if where[i] != padding]
        rows = weight[where[counted]]
        sizes[b] = len(counted)
        if not counted:
            continue
        if mode == MODES["max"]:
            out[b], positions[b] = rows.max(0), where[counted][rows.argmax(0)]
        else:
            scale = np.ones(len(counted)) if factors is None else factors[counted]
            out[b] = (rows * scale[:, None]).sum(0) / (len(counted) if mode == MODES["mean"] else 1)
    return out, bag_of, sizes, positions


def described(*args: Any) -> tuple[np.ndarray, ...]:
    """Returns the results as the gradient gets them: a sum needs no sizes."""
    out, bag_of, sizes, positions = embedding_bag(*args)
    mode = args[4]
    sizes = np.zeros_like(sizes) if mode == MODES["sum"] else sizes
    return out, bag_of, sizes, positions if mode == MODES["max"] else sizes


def described_forward(*args: Any) -> tuple[np.ndarray, ...]:
    """Returns the results without a gradient: the sizes of sums have the shape of the offsets."""
    out, bag_of, sizes, positions = described(*args)
    if args[4] == MODES["sum"]:
        sizes = positions = np.zeros_like(args[2])
    return out, bag_of, sizes, positions


def index_types(call: Call) -> tuple[str, ...]:
    return (first(call), *(call.args[1].dtype,) * 3)


def wrapper_calls(dtype: str) -> Iterator[Call]:
    """Yields calls of embedding_bag, with padding_idx and without; maxima ignore no index."""
    for call in bag_calls(padded=True)(dtype):
        yield call
    for call in bag_calls()(dtype):
        if call.args[4] == MODES["max"]:
            yield Call(call.args[:-1])


# ---- gradients


def dense_calls(dtype: str) -> Iterator[Call]:
    for columns in (1, 7, 70):
        for offsets in BAGS:
            grad = operand(numbers((len(offsets), columns), dtype, -1, 1, 6), dtype)
            where = indices((9,), NUM_EMBEDDINGS)
            for mode in MODES.values():
                fake = np.zeros((NUM_EMBEDDINGS, columns))
                facts = embedding_bag(
                    fake, where.values, np.array(offsets), False, mode, False, None, False, 3
                )
                bag_of, sizes, positions = (ints(f) for f in facts[1:])
                factors = operand(numbers((9,), dtype, -1, 1, 5), dtype) if mode == 0 else None
                yield Call((grad, where, bag_of, sizes, positions, NUM_EMBEDDINGS, False, mode, factors, 3))


def dense_backward(
    grad: np.ndarray, where: np.ndarray, bag_of: np.ndarray, sizes: np.ndarray, positions: np.ndarray,
    rows: int, _: bool, mode: int, factors: Any, padding: int,
) -> np.ndarray:  # fmt: skip
    out = np.zeros((rows, grad.shape[1]), grad.dtype)
    if mode == MODES["max"]:
        for b, j in np.ndindex(grad.shape):
            out[positions[b, j], j] += grad[b, j] if sizes[b] else 0
        return out
    for i, row in enumerate(where):
        if row != padding:
            scale = 1 if factors is None else factors[i]
            out[row] += grad[bag_of[i]] * scale / (sizes[bag_of[i]] if mode == MODES["mean"] else 1)
    return out


def with_offsets(calls: Any) -> Any:
    """Returns calls of the general gradient, which also takes offsets and sparse."""

    def made(dtype: str) -> Iterator[Call]:
        for call in calls(dtype):
            grad, where, bag_of, *rest = call.args
            starts = ints(np.searchsorted(bag_of.values, np.arange(grad.stored.shape[0])))
            facts, factors, padding = rest[:5], rest[5], rest[6]
            yield Call((grad, where, starts, bag_of, *facts, False, factors, padding))

    return made


def factor_calls(dtype: str) -> Iterator[Call]:
    for columns in (1, 7, 70):
        weight = operand(numbers((NUM_EMBEDDINGS, columns), dtype, -1, 1), dtype)
        grad = operand(numbers((3, columns), dtype, -1, 1, 6), dtype)
        where, bag_of = indices((9,), NUM_EMBEDDINGS), ints([0] * 4 + [2] * 5)
        for padding in (-1, 3):
            yield Call((grad, weight, where, ints([0, 4, 4]), bag_of, 0, padding))
            yield Call((grad, weight, where, ints([0, 4, 4]), ints([]), 0, padding))


def factor_backward(grad: np.ndarray, weight: np.ndarray, where: np.ndarray, *rest: Any) -> np.ndarray:
    bag_of = np.array([0] * 4 + [2] * 5)
    return (grad[bag_of] * weight[where]).sum(1) * (where != rest[-1])


# ---- embedding_renorm


def renorm_calls(dtype: str) -> Iterator[Call]:
    for layout in ("contiguous", "transposed", "sliced"):
        weight = operand(numbers((NUM_EMBEDDINGS, 7), dtype, -2, 2), dtype, layout)
        for p in (1.0, 2.0, 3.0, float("inf")):
            yield Call((weight, indices((2, 4), NUM_EMBEDDINGS), 1.5, p))


def renorm(weight: np.ndarray, where: np.ndarray, largest: float, p: float) -> np.ndarray:
    out = weight.copy()
    for row in np.unique(where):
        length = np.linalg.norm(weight[row], p)
        if length > largest:
            out[row] *= largest / (length + 1e-7)
    return out


# ---- embedding, one_hot


def embedding_calls(dtype: str) -> Iterator[Call]:
    weight = operand(numbers((10, 6), dtype), dtype)
    for shape in ((), (0,), (5,), (2, 3)):
        yield from (Call((weight, indices(shape, 10))), Call((weight, indices(shape, 10, "int32"), 2)))


def embedding_backward_calls(dtype: str) -> Iterator[Call]:
    for shape in ((), (0,), (5,), (2, 30)):
        for layout in ("contiguous", "transposed", "sliced"):
            grad = operand(numbers((*shape, 6), dtype, -1, 1), dtype, layout)
            for padding in (-1, 2):
                yield Call((grad, indices(shape, 10), 10, padding, False))
            yield Call((grad, indices(shape, 10, "int32"), 10, -1, True))


def embedding_backward(
    grad: np.ndarray, where: np.ndarray, rows: int, padding: int, by_frequency: bool, *_: Any
) -> np.ndarray:
    made = np.zeros((rows, grad.shape[-1]), grad.dtype)
    flat = where.reshape(-1)
    counts = np.bincount(flat, minlength=rows)
    for row, values in zip(flat, grad.reshape(-1, grad.shape[-1]), strict=True):
        if row != padding:
            made[row] += values / (counts[row] if by_frequency else 1)
    return made


def one_hot_calls(_: str) -> Iterator[Call]:
    for shape in ((), (4,), (2, 3)):
        x = operand(np.random.default_rng(5).integers(0, 4, shape), "int64")
        yield from (Call((x, 7)), Call((x,)))


def one_hot(x: np.ndarray, count: int = -1) -> np.ndarray:
    return np.eye(x.max() + 1 if count < 0 else count, dtype="int64")[x]


def bags(name: str, reference: Any, calls: Any, dtype: Any) -> Row:
    return Row(name, reference, calls, dtype, FLOATS, tolerance=loose_products)


ROWS = (
    bags("_embedding_bag", described, bag_calls(padded=True), index_types),
    bags("_embedding_bag_forward_only", described_forward, bag_calls(padded=True), index_types),
    bags("embedding_bag", described_forward, wrapper_calls, index_types),
    bags("_embedding_bag_dense_backward", dense_backward, dense_calls, first),
    bags(
        "_embedding_bag_backward",
        lambda g, i, o, of, s, p, n, scaled, mode, sparse, f, pad: dense_backward(
            g, i, of, s, p, n, scaled, mode, f, pad
        ),
        with_offsets(dense_calls),
        first,
    ),
    bags("_embedding_bag_per_sample_weights_backward", factor_backward, factor_calls, first),
    bags("embedding_renorm", renorm, renorm_calls, first),
    Row("embedding", lambda w, i, *_: w[i], embedding_calls, first),
    Row(
        "embedding_dense_backward",
        embedding_backward,
        embedding_backward_calls,
        first,
        FLOATS,
        tolerance=loose_products,
    ),
    Row(
        "embedding_backward",
        embedding_backward,
        lambda d: (Call((*c.args, False)) for c in embedding_backward_calls(d)),
        first,
        FLOATS,
        tolerance=loose_products,
    ),
    Row("one_hot", one_hot, one_hot_calls, index, ("int64",), data_dependent=True),
)
