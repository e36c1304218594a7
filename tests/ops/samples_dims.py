"""Sample rows of what changes dimensions and their order: diagonals, triangles, flip, sums to a shape, and
the gradients of views."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import promotion
from calls import Call
from rows import Row, first
from samples_reduce import inputs, loose
from tensors import COMPLEX, DTYPES, FLOATS, LAYOUTS, numbers, operand

SHAPES = ((7,), (3, 5), (33, 17), (2, 3, 4, 5))
WRITABLE = ("contiguous", "transposed", "sliced")


def diagonal_calls(dtype: str) -> Iterator[Call]:
    for shape in ((3, 5), (33, 17), (0, 3), (2, 3, 4, 5)):
        for layout in LAYOUTS:
            x = operand(numbers(shape, dtype), dtype, layout)
            for k in (0, 1, -2, 40, -40):
                yield from (Call((x, k)), Call((x, k, -1, 0)))


def diagonal(x: np.ndarray, k: int = 0, first_: int = 0, second: int = 1) -> np.ndarray:
    return np.diagonal(x, k, first_, second)


def select_backward_calls(dtype: str) -> Iterator[Call]:
    for shape in SHAPES:
        for dim in (0, -1):
            for at in (0, -1):
                grad = np.take(numbers(shape, dtype), at, dim)
                yield Call((operand(grad, dtype), list(shape), dim, at))


def select_backward(grad: np.ndarray, sizes: list[int], dim: int, at: int) -> np.ndarray:
    made = np.zeros(sizes, grad.dtype)
    np.moveaxis(made, dim, 0)[at] = grad
    return made


def slice_backward_calls(dtype: str) -> Iterator[Call]:
    for shape in SHAPES:
        for dim in (0, -1):
            for piece in ((0, 2, 1), (1, 2**62, 2), (0, 0, 1)):
                grad = np.moveaxis(np.moveaxis(numbers(shape, dtype), dim, 0)[slice(*piece)], 0, dim)
                yield Call((operand(grad, dtype), list(shape), dim, *piece))


def slice_backward(
    grad: np.ndarray, sizes: list[int], dim: int, start: int, end: int, step: int
) -> np.ndarray:
    made = np.zeros(sizes, grad.dtype)
    np.moveaxis(made, dim, 0)[start:end:step] = np.moveaxis(grad, dim, 0)
    return made


def diagonal_backward_calls(dtype: str) -> Iterator[Call]:
    for call in diagonal_calls(dtype):
        x, k, *dims = call.args
        grad = operand(diagonal(np.asarray(x.values), k, *dims), dtype)
        yield Call((grad, list(x.stored.shape), k, *(dims or (0, 1))))


def diagonal_backward(grad: np.ndarray, sizes: list[int], k: int, first_: int, second: int) -> np.ndarray:
    made = np.zeros(sizes, grad.dtype)
    place = np.diagonal(np.arange(made.size).reshape(sizes), k, first_, second)
    made.reshape(-1)[place] = grad
    return made


def triangle_calls(dtype: str) -> Iterator[Call]:
    for shape in ((3, 5), (33, 17), (0, 3), (2, 3, 4, 5), (301, 257)):
        for layout in WRITABLE:
            x = operand(numbers(shape, dtype), dtype, layout)
            yield from (Call((x,)), *(Call((x, k)) for k in (1, -2, 2**62, -(2**62))))


def triangle(function: Any) -> Any:
    return lambda x, k=0: function(x, max(min(k, 1000), -1000))


def flip_calls(dtype: str) -> Iterator[Call]:
    for x in inputs(dtype):
        ndim = x.stored.ndim
        yield Call((x, []))
        if ndim:
            yield from (Call((x, [0])), Call((x, [-1])), Call((x, list(range(ndim)))))


def sum_to_size_calls(dtype: str) -> Iterator[Call]:
    for shape, size in (((3, 5), (3, 5)), ((3, 5), (1, 5)), ((33, 17), (17,)), ((2, 3, 4, 5), (3, 1, 5))):
        for layout in LAYOUTS:
            yield Call((operand(numbers(shape, dtype, -2, 2), dtype, layout), list(size)))


def sum_to_size(x: np.ndarray, size: list[int]) -> np.ndarray:
    shape = (1,) * (x.ndim - len(size)) + tuple(size)
    axes = tuple(d for d, n in enumerate(shape) if n == 1 and x.shape[d] != 1)
    return np.sum(x, axes, keepdims=True).reshape(size) if axes else x.reshape(size)


def logsumexp_calls(dtype: str) -> Iterator[Call]:
    for x in inputs(dtype):
        for dims in ([0], [-1], []):
            yield from (Call((x, dims)), Call((x, dims, True)))


def logsumexp(x: np.ndarray, dims: list[int], keep: bool = False) -> np.ndarray:
    over = tuple(dims) if dims and x.ndim else None
    return np.log(np.sum(np.exp(x.astype(float) if x.dtype.kind in "bui" else x), over, keepdims=keep))


def floating(call: Call) -> str:
    return promotion.to_float(first(call))


def reshape_alias_calls(dtype: str) -> Iterator[Call]:
    for shape in ((4,), (3, 5), (2, 3, 4, 5)):
        x = operand(numbers(shape, dtype), dtype)
        count = int(np.prod(shape))
        yield from (Call((x, [count], [1])), Call((x, [count // 2], [2])), Call((x, [3, 2], [0, 1])))


def reshape_alias(x: np.ndarray, size: list[int], stride: list[int]) -> np.ndarray:
    return np.lib.stride_tricks.as_strided(x, size, [s * x.itemsize for s in stride])


DIM_ROWS = (
    Row("_reshape_alias", reshape_alias, reshape_alias_calls, first),
    Row("diagonal", diagonal, diagonal_calls, first),
    Row("diagonal_backward", diagonal_backward, diagonal_backward_calls, first, FLOATS + COMPLEX),
    Row("select_backward", select_backward, select_backward_calls, first, FLOATS + COMPLEX),
    Row("slice_backward", slice_backward, slice_backward_calls, first, FLOATS + COMPLEX),
    Row("tril", triangle(np.tril), triangle_calls, first, DTYPES),
    Row("triu", triangle(np.triu), triangle_calls, first, DTYPES),
    Row("flip", lambda x, dims: np.flip(x, tuple(dims)), flip_calls, first),
    Row("sum_to_size", sum_to_size, sum_to_size_calls, first, FLOATS + COMPLEX, tolerance=loose),
    Row("logsumexp", logsumexp, logsumexp_calls, floating, ("int64", *FLOATS, *COMPLEX), tolerance=loose),
)
