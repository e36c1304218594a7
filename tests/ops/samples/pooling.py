"""Sample rows of adaptive and fractional pooling, and of unpooling."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from calls import Call
from pooling_references import adaptive, average, average_backward, fractional, maximum, scattered
from rows import Row, first
from tensors import FLOATS, Operand, numbers, operand

from samples.pooling_fixed import COMPARED, added, both, inputs, maximum_of, sums

# ---- adaptive windows


def sizes(x: Operand, dims: int) -> Iterator[list[int]]:
    """Yields sizes: parts of the input's size, more than it has, one element."""
    given = x.stored.shape[x.stored.ndim - dims :]
    yield [1] * dims
    yield [max(1, n // 2) for n in given]
    yield [n // 2 + 1 for n in given]
    yield [n + 2 for n in given]


def adaptive_axes(x: np.ndarray, output: Any) -> list[Any]:
    return [adaptive(n, o) for n, o in zip(x.shape[x.ndim - len(output) :], output, strict=True)]


def adaptive_calls(dims: int, special: bool = False) -> Any:
    return lambda dtype: (
        Call((x, output)) for x in inputs(dims, dtype, special) for output in sizes(x, dims)
    )


def adaptive_backward_calls(dims: int, with_indices: bool) -> Any:
    def calls(dtype: str) -> Iterator[Call]:
        for x in inputs(dims, dtype):
            for output in sizes(x, dims):
                places = maximum(x.values, adaptive_axes(x.values, output))[1]
                grad = operand(numbers(places.shape, dtype, -5, 5, 1), dtype)
                yield Call((grad, x, operand(places, "int64")) if with_indices else (grad, x))

    return calls


def adaptive_backward_of(dims: int) -> Any:
    def reference(grad: np.ndarray, x: np.ndarray, *indices: np.ndarray) -> np.ndarray:
        if indices:
            return scattered(grad, indices[0], x.shape, dims, add=True)
        return average_backward(grad, x, adaptive_axes(x, grad.shape[grad.ndim - dims :]))

    return reference


# ---- unpooling, fractional windows


def unpool_calls(dims: int) -> Any:
    """Returns calls with windows of two, so that no index occurs twice."""

    def calls(dtype: str) -> Iterator[Call]:
        for x in inputs(dims, dtype):
            values, places = maximum_of(x.values, [2] * dims, [], [0] * dims, [1] * dims)
            output = list(x.stored.shape[x.stored.ndim - dims :])
            tail = ([2] * dims, [0] * dims) if dims == 3 else ()
            for layout in ("contiguous", "transposed", "channels_last"):
                yield Call((operand(values, dtype, layout), operand(places, "int64"), output, *tail))

    return calls


def unpool_of(x: np.ndarray, indices: np.ndarray, output: list[int], *_: Any) -> np.ndarray:
    dims = len(output)
    return scattered(x, indices, (*x.shape[: x.ndim - dims], *output), dims, add=False)


def fractional_calls(dims: int) -> Any:
    def calls(dtype: str) -> Iterator[Call]:
        for x in inputs(dims, dtype):
            lead = x.stored.shape[: x.stored.ndim - dims]
            # Halves are exact in all dtypes, so that none rounds to another window.
            samples = (
                np.random.default_rng(7).integers(0, 2, (*((1,) if len(lead) == 1 else ()), *lead, dims)) / 2
            )
            for output in (1, 3):
                yield Call((x, [2] * dims, [output] * dims, operand(samples, dtype)))

    return calls


def fractional_of(x: np.ndarray, kernel: Any, output: Any, samples: np.ndarray) -> Any:
    dims = len(kernel)
    lead, tail = x.shape[: x.ndim - dims], x.shape[x.ndim - dims :]
    shape = (*lead, *output)
    values, places = np.zeros(shape, x.dtype), np.zeros(shape, np.int64)
    for at in np.ndindex(*lead):
        numbers_ = samples[at if len(lead) == 2 else (0, *at)]
        each = zip(tail, kernel, output, numbers_ if dims == 3 else numbers_[::-1], strict=True)
        values[at], places[at] = maximum(x[at], [fractional(*one) for one in each])
    return values, places


def fractional_backward_calls(dims: int) -> Any:
    def calls(dtype: str) -> Iterator[Call]:
        for call in fractional_calls(dims)(dtype):
            x, kernel, output, samples = call.args
            places = fractional_of(x.values, kernel, output, samples.values)[1]
            grad = operand(numbers(places.shape, dtype, -5, 5, 1), dtype)
            yield Call((grad, x, kernel, output, operand(places, "int64")))

    return calls


def fractional_backward_of(grad: np.ndarray, x: np.ndarray, kernel: Any, _: Any, indices: np.ndarray) -> Any:
    return scattered(grad, indices, x.shape, len(kernel), add=True)


# ---- rows


def adaptive_average(x: np.ndarray, output: Any) -> np.ndarray:
    return average(x, adaptive_axes(x, output))


def adaptive_maximum(x: np.ndarray, output: Any) -> Any:
    return maximum(x, adaptive_axes(x, output))


def adaptive_rows_of(dims: int) -> Iterator[Row]:
    name = f"adaptive_avg_pool{dims}d"
    for spelling in (name,) if dims == 1 else (name, f"_{name}"):
        yield Row(spelling, adaptive_average, adaptive_calls(dims), first, FLOATS, tolerance=sums)
    maxima = adaptive_calls(dims, special=True)
    yield Row(f"adaptive_max_pool{dims}d", adaptive_maximum, maxima, both, COMPARED)


def more_rows_of(dims: int) -> Iterator[Row]:
    reference = adaptive_backward_of(dims)
    for name, with_indices in (("_adaptive_avg", False), ("adaptive_avg", False), ("adaptive_max", True)):
        if (name, dims) != ("adaptive_avg", 2):
            calls = adaptive_backward_calls(dims, with_indices)
            near = added if with_indices else sums
            yield Row(f"{name}_pool{dims}d_backward", reference, calls, first, FLOATS, tolerance=near)
    yield Row(f"max_unpool{dims}d", unpool_of, unpool_calls(dims), first, FLOATS)
    name, calls = f"fractional_max_pool{dims}d", fractional_backward_calls(dims)
    yield Row(name, fractional_of, fractional_calls(dims), both, FLOATS)
    yield Row(f"{name}_backward", fractional_backward_of, calls, first, FLOATS, tolerance=added)


ROWS = (
    *(row for dims in (1, 2, 3) for row in adaptive_rows_of(dims)),
    *(row for dims in (2, 3) for row in more_rows_of(dims)),
)
