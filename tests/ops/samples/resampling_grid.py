"""Sample rows of grid sampling and affine grids."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from calls import Call
from rows import Row, first
from tensors import FLOATS, numbers, operand

BILINEAR, NEAREST, BICUBIC = 0, 1, 2
ZEROS, BORDER, REFLECTION = 0, 1, 2


def loose(dtype: str) -> tuple[float, float] | None:
    """Returns the tolerance of sums of up to 16 products, whose weights have rounding errors."""
    return {"float16": (1e-2, 2e-2), "bfloat16": (5e-2, 1e-1), "float32": (1e-4, 1e-4)}.get(dtype)


# ---- one axis


def clipped(at: float, step: float, size: int) -> tuple[float, float]:
    inside = 0 < at < size - 1
    return min(max(at, 0.0), size - 1.0), step if inside else 0.0


def padded(at: float, step: float, size: int, padding: int, corners: bool) -> tuple[float, float]:
    """Returns the position after padding, and its slope."""
    if padding == ZEROS:
        return at, step
    if padding == REFLECTION:
        low, span = (0.0, size - 1.0) if corners else (-0.5, float(size))
        if span == 0:
            return 0.0, 0.0
        distance, sign = abs(at - low), -1.0 if at < low else 1.0
        turns, rest = divmod(distance, span)
        back = turns % 2 == 1
        at, step = (span - rest if back else rest) + low, step * sign * (-1 if back else 1)
    return clipped(at, step, size)


def axis_taps(c: float, size: int, mode: int, padding: int, corners: bool) -> list[tuple[int, float, float]]:
    """Returns the elements inside the input with their weights and the weights' slopes."""
    step = (size - 1) / 2 if corners else size / 2
    at = (c + 1) / 2 * (size - 1) if corners else ((c + 1) * size - 1) / 2
    if mode == BICUBIC:
        low = math.floor(at)
        found = [(low + k, *keys(at - low - k)) for k in range(-1, 3)]
        taps = [
            (math.floor(padded(float(i), 0, size, padding, corners)[0]), w, s * step) for i, w, s in found
        ]
    else:
        at, step = padded(at, step, size, padding, corners)
        low = math.floor(at)
        if mode == NEAREST:
            taps = [(int(np.rint(at)), 1.0, 0.0)]
        else:
            taps = [(low, 1 - (at - low), -step), (low + 1, at - low, step)]
    return [(i, w, s) for i, w, s in taps if 0 <= i < size]


def keys(x: float, a: float = -0.75) -> tuple[float, float]:
    """Returns the cubic convolution's kernel and its derivative."""
    sign, x = (-1.0, -x) if x < 0 else (1.0, x)
    if x <= 1:
        return ((a + 2) * x - (a + 3)) * x * x + 1, sign * (3 * (a + 2) * x - 2 * (a + 3)) * x
    return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a, sign * ((3 * a * x - 10 * a) * x + 8 * a)


def each_tap(
    x: np.ndarray, point: np.ndarray, modes: tuple[int, int, bool]
) -> Iterator[tuple[Any, list[Any]]]:
    """Yields the elements for a point, as (place, taps of the axes in the order of the grid)."""
    sizes = x.shape[:1:-1]
    axes = [axis_taps(float(c), n, *modes) for c, n in zip(point, sizes, strict=True)]
    for taps in itertools.product(*axes):
        yield tuple(t[0] for t in reversed(taps)), list(taps)


def sampled(x: np.ndarray, grid: np.ndarray, mode: int, padding: int, corners: bool) -> np.ndarray:
    out = np.zeros((*x.shape[:2], *grid.shape[1:-1]))
    for n in range(x.shape[0]):
        for p in np.ndindex(*grid.shape[1:-1]):
            for place, taps in each_tap(x, grid[(n, *p)], (mode, padding, corners)):
                out[(n, slice(None), *p)] += x[(n, slice(None), *place)] * math.prod(t[1] for t in taps)
    return out


def gradients(
    grad: np.ndarray, x: np.ndarray, grid: np.ndarray, mode: int, padding: int, corners: bool, mask: Any
) -> tuple[np.ndarray, np.ndarray]:
    of_x, of_grid = np.zeros(x.shape), np.zeros(grid.shape)
    for n in range(x.shape[0]):
        for p in np.ndindex(*grid.shape[1:-1]):
            g = grad[(n, slice(None), *p)]
            for place, taps in each_tap(x, grid[(n, *p)], (mode, padding, corners)):
                of_x[(n, slice(None), *place)] += g * math.prod(t[1] for t in taps)
                total = float(np.sum(g * x[(n, slice(None), *place)]))
                for a in range(grid.shape[-1]):
                    slope = math.prod(t[2] if b == a else t[1] for b, t in enumerate(taps))
                    of_grid[(n, *p, a)] += total * slope
    return of_x, of_grid


SHAPES = {
    2: (((2, 3, 4, 5), (3, 4)), ((1, 2, 1, 6), (5, 2)), ((1, 1, 3, 3), (9, 9)), ((0, 2, 3, 3), (2, 2))),
    3: (((2, 2, 3, 4, 5), (2, 2, 3)), ((1, 1, 1, 2, 3), (3, 2, 2))),
}


def sampling_calls(dims: int, backward: bool) -> Callable[[str], Iterator[Call]]:
    def calls(dtype: str) -> Iterator[Call]:
        modes = (BILINEAR, NEAREST, BICUBIC) if dims == 2 else (BILINEAR, NEAREST)
        for shape, points in SHAPES[dims]:
            for mode, padding, corners in itertools.product(
                modes, (ZEROS, BORDER, REFLECTION), (False, True)
            ):
                x = operand(numbers(shape, dtype), dtype, "transposed" if corners else "contiguous")
                # Not so close to the middle between two elements that rounding decides.
                coordinates = numbers((shape[0], *points, dims), dtype, -1.6, 1.6, 3)
                grid = operand(coordinates, dtype)
                if backward:
                    grad = operand(numbers((*shape[:2], *points), dtype, -1, 1, 4), dtype)
                    yield Call((grad, x, grid, mode, padding, corners, [True, True]))
                else:
                    yield Call((x, grid, mode, padding, corners))

    return calls


def any_dims_calls(dtype: str) -> Iterator[Call]:
    for dims in (2, 3):
        yield from sampling_calls(dims, backward=False)(dtype)


def two(call: Call) -> list[str]:
    return [first(call)] * 2


# ---- affine grids

AFFINE = (([2, 3, 4, 5], 2), ([1, 1, 1, 3], 2), ([2, 1, 2, 3, 4], 3), ([0, 1, 2, 2], 2))


def places(size: list[int], corners: bool) -> np.ndarray:
    axes = []
    for n in size[:1:-1]:
        line = np.linspace(-1, 1, n) if n > 1 else np.zeros(n)
        axes.append(line if corners or n <= 1 else line * (n - 1) / n)
    grids = np.meshgrid(*reversed(axes), indexing="ij")
    return np.stack([*reversed(grids), np.ones(size[2:])], -1)


def affine_calls(dtype: str) -> Iterator[Call]:
    for size, dims in AFFINE:
        for corners in (False, True):
            yield Call((operand(numbers((size[0], dims, dims + 1), dtype), dtype), size, corners))


def affine(theta: np.ndarray, size: list[int], corners: bool) -> np.ndarray:
    return np.einsum("...k,nik->n...i", places(size, corners), theta)


def affine_gradient_calls(dtype: str) -> Iterator[Call]:
    for size, dims in AFFINE:
        for corners in (False, True):
            shape = (size[0], *size[2:], dims)
            yield Call((operand(numbers(shape, dtype, -1, 1), dtype), size, corners))


def affine_gradient(grad: np.ndarray, size: list[int], corners: bool) -> np.ndarray:
    flat = places(size, corners).reshape(-1, len(size) - 1)
    return np.einsum("pk,npi->nik", flat, grad.reshape(size[0], *flat.shape[:1], grad.shape[-1]))


ROWS = (
    *(
        Row(f"grid_sampler_{d}d", sampled, sampling_calls(d, False), first, FLOATS, tolerance=loose)
        for d in (2, 3)
    ),
    *(
        Row(f"grid_sampler_{d}d_backward", gradients, sampling_calls(d, True), two, FLOATS, tolerance=loose)
        for d in (2, 3)
    ),
    Row("grid_sampler", sampled, any_dims_calls, first, FLOATS, tolerance=loose),
    Row("affine_grid_generator", affine, affine_calls, first, FLOATS, tolerance=loose),
    Row(
        "affine_grid_generator_backward",
        affine_gradient,
        affine_gradient_calls,
        first,
        FLOATS,
        tolerance=loose,
    ),
)
