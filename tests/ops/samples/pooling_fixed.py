"""Sample rows of poolings over fixed windows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from calls import Call
from pooling_references import average, average_backward, fixed, maximum, scattered
from rows import Row, first
from tensors import FLOATS, INTEGERS, LAYOUTS, Operand, numbers, operand

# Kernel, stride (none: the kernel's), padding, dilation; for one dimension, or for each of them.
WINDOWS = ((2, None, 0, 1), (3, 2, 1, 1), (2, 1, 1, 1), (3, 1, 0, 2), (2, 3, 1, 2), (5, 5, 2, 1))
SHAPES = {
    1: ((2, 3, 12), (3, 9), (1, 2, 45)),
    2: ((2, 3, 7, 9), (3, 8, 6), (1, 2, 5, 6), (0, 2, 6, 6), (1, 35, 6, 5), (1, 1, 6, 41)),
    3: ((2, 3, 6, 5, 7), (2, 5, 6, 9), (1, 1, 4, 4, 5), (1, 4, 4, 5), (1, 18, 5, 5, 5)),
}
AVERAGED = (*FLOATS, "int64")
COMPARED = (*FLOATS, *INTEGERS)


def sums(dtype: str) -> tuple[float, float] | None:
    return {"float16": (1e-2, 1e-2), "bfloat16": (3e-2, 3e-2), "float32": (1e-5, 1e-5)}.get(dtype)


def added(dtype: str) -> tuple[float, float] | None:
    """Returns the tolerance of sums in the dtype itself."""
    return {"float16": (2e-2, 5e-2), "bfloat16": (1e-1, 3e-1)}.get(dtype)


def inputs(dims: int, dtype: str, special: bool = False) -> Iterator[Operand]:
    """Yields all shapes, the first one in all layouts; with NaNs and infinities if `special`."""
    for i, shape in enumerate(SHAPES[dims]):
        made = numbers(shape, dtype, -5, 5)
        if special and dtype in FLOATS and made.size:
            made.reshape(-1)[3::11] = np.nan
            made.reshape(-1)[4::7] = -np.inf
        for layout in LAYOUTS if i == 0 or shape[1] == 35 else ("contiguous",):
            yield operand(made, dtype, layout)


def windows(dims: int, dilated: bool) -> Iterator[tuple[list[int], list[int], list[int], list[int]]]:
    """Yields windows: the same for all dimensions, and one that differs."""
    for kernel, stride, padding, dilation in WINDOWS:
        if dilation > 1 and not dilated:
            continue
        yield [kernel] * dims, [stride] * dims if stride else [], [padding] * dims, [dilation] * dims
    yield [3, 2, 3][-dims:], [1, 2, 1][-dims:], [1, 0, 1][-dims:], [1] * dims


def axes_of(
    x: np.ndarray,
    kernel: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    ceil: bool,
    count_padding: bool = True,
) -> list[Any]:
    sizes = x.shape[x.ndim - len(kernel) :]
    each = zip(sizes, kernel, stride or kernel, padding, dilation, strict=True)
    return [fixed(*one, ceil, count_padding) for one in each]


def fits(x: Operand, kernel: list[int], padding: list[int], dilation: list[int]) -> bool:
    sizes = x.stored.shape[x.stored.ndim - len(kernel) :]
    each = zip(sizes, kernel, padding, dilation, strict=True)
    return all(n + 2 * p > (k - 1) * d for n, k, p, d in each)


# ---- averages


def averaged_windows(x: Operand, dims: int) -> Iterator[tuple[list[int], list[int], list[int]]]:
    """Yields the windows that x accepts: 3d averages reject windows larger than their input."""
    sizes = x.stored.shape[x.stored.ndim - dims :]
    for kernel, stride, padding, dilation in windows(dims, dilated=False):
        small = all(k <= n for k, n in zip(kernel, sizes, strict=True))
        if fits(x, kernel, padding, dilation) and (small or dims < 3):
            yield kernel, stride, padding


def average_calls(dims: int) -> Any:
    def calls(dtype: str) -> Iterator[Call]:
        for x in inputs(dims, dtype):
            for kernel, stride, padding in averaged_windows(x, dims):
                yield Call((x, kernel, stride, padding))
                yield from (Call((x, kernel, stride, padding, True, c)) for c in (True, False))
                if dims > 1:
                    yield Call((x, kernel, stride, padding, True, True, 3))

    return calls


def average_of(
    x: np.ndarray,
    kernel: Any,
    stride: Any,
    padding: Any,
    ceil: bool = False,
    count_padding: bool = True,
    override: int | None = None,
) -> np.ndarray:
    return average(x, axes_of(x, kernel, stride, padding, [1] * len(kernel), ceil, count_padding), override)


def average_backward_calls(dims: int) -> Any:
    def calls(dtype: str) -> Iterator[Call]:
        for x in inputs(dims, dtype):
            for kernel, stride, padding in averaged_windows(x, dims):
                for tail in ((False, True, None), (True, False, None), (True, True, 3)):
                    shape = average_of(x.values, kernel, stride, padding, tail[0]).shape
                    grad = operand(numbers(shape, dtype, -5, 5, 1), dtype)
                    yield Call((grad, x, kernel, stride, padding, *tail))

    return calls


def average_backward_of(
    grad: np.ndarray, x: np.ndarray, kernel: Any, stride: Any, padding: Any, *tail: Any
) -> Any:
    ceil, count_padding, override = tail
    return average_backward(
        grad, x, axes_of(x, kernel, stride, padding, [1] * len(kernel), ceil, count_padding), override
    )


# ---- maxima


def maximum_calls(dims: int) -> Any:
    def calls(dtype: str) -> Iterator[Call]:
        for x in inputs(dims, dtype, special=True):
            for kernel, stride, padding, dilation in windows(dims, dilated=True):
                if fits(x, kernel, padding, dilation):
                    yield Call((x, kernel, stride, padding, dilation))
                    yield Call((x, kernel, stride, padding, dilation, True))

    return calls


def maximum_of(
    x: np.ndarray, kernel: Any, stride: Any, padding: Any, dilation: Any, ceil: bool = False
) -> Any:
    return maximum(x, axes_of(x, kernel, stride, padding, dilation, ceil))


def maximum_backward_calls(dims: int, with_indices: bool = True) -> Any:
    def calls(dtype: str) -> Iterator[Call]:
        for x in inputs(dims, dtype):
            for kernel, stride, padding, dilation in windows(dims, dilated=True):
                if not fits(x, kernel, padding, dilation):
                    continue
                for ceil in (False, True):
                    places = maximum_of(x.values, kernel, stride, padding, dilation, ceil)[1]
                    grad = operand(numbers(places.shape, dtype, -5, 5, 1), dtype)
                    indices = (operand(places, "int64"),) if with_indices else ()
                    yield Call((grad, x, kernel, stride, padding, dilation, ceil, *indices))

    return calls


def maximum_backward_of(
    grad: np.ndarray,
    x: np.ndarray,
    kernel: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    ceil: bool,
    *indices: Any,
) -> np.ndarray:
    places = indices[0] if indices else maximum_of(x, kernel, stride, padding, dilation, ceil)[1]
    return scattered(grad, places, x.shape, len(kernel), add=True)


# ---- rows


def both(call: Call) -> tuple[str, str]:
    """Returns the dtypes of values and indices."""
    return first(call), "int64"


def rows_of(dims: int) -> Iterator[Row]:
    maxima = maximum_calls(dims)
    yield Row(f"avg_pool{dims}d", average_of, average_calls(dims), first, AVERAGED, tolerance=sums)
    yield Row(f"max_pool{dims}d", lambda *args: maximum_of(*args)[0], maxima, first, COMPARED)
    yield Row(f"max_pool{dims}d_with_indices", maximum_of, maxima, both, COMPARED)


def backward_rows_of(dims: int) -> Iterator[Row]:
    average_calls_, maximum_calls_ = average_backward_calls(dims), maximum_backward_calls(dims)
    average_name, maximum_name = f"avg_pool{dims}d_backward", f"max_pool{dims}d_with_indices_backward"
    yield Row(average_name, average_backward_of, average_calls_, first, FLOATS, tolerance=sums)
    yield Row(maximum_name, maximum_backward_of, maximum_calls_, first, FLOATS, tolerance=added)


ROWS = (
    *(row for dims in (1, 2, 3) for row in rows_of(dims)),
    *(row for dims in (2, 3) for row in backward_rows_of(dims)),
    Row(
        "max_pool2d_backward",
        maximum_backward_of,
        maximum_backward_calls(2, with_indices=False),
        first,
        FLOATS,
        tolerance=added,
    ),
)
