"""Sample rows of upsampling: each axis is a matrix, written here as in the documentation."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from calls import Call
from rows import Row, first
from tensors import FLOATS, numbers, operand

LAYOUTS = ("contiguous", "sliced", "channels_last")


def loose(dtype: str) -> tuple[float, float] | None:
    """Returns the tolerance: positions and weights have the rounding errors of the dtype, or of float32."""
    return {"float16": (5e-3, 1e-2), "bfloat16": (4e-2, 6e-2), "float32": (1e-4, 1e-4)}.get(dtype)


# ---- the matrix of one axis


def cubic(x: float, a: float) -> float:
    x = abs(x)
    if x < 1:
        return ((a + 2) * x - (a + 3)) * x * x + 1
    return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a if x < 2 else 0.0


def triangle(x: float) -> float:
    return max(0.0, 1 - abs(x))


def nearest_row(i: int, ratio: float, size: int, exact: bool) -> dict[int, float]:
    ratio32 = np.float32(ratio)
    at = math.floor(np.float32((i + 0.5) * float(ratio32)) if exact else np.float32(i) * ratio32)
    return {min(at, size - 1): 1.0}


def smooth_row(i: int, ratio: float, size: int, mode: str, corners: bool) -> dict[int, float]:
    at = i * ratio if corners else (i + 0.5) * ratio - 0.5
    if mode == "linear":
        at = max(at, 0.0)
    low, reach = math.floor(at), 1 if mode == "linear" else 2
    row: dict[int, float] = {}
    for k in range(low - reach + 1, low + reach + 1):
        weight = triangle(at - k) if mode == "linear" else cubic(at - k, -0.75)
        place = min(max(k, 0), size - 1)
        row[place] = row.get(place, 0.0) + weight
    return row


def antialiased_row(i: int, ratio: float, size: int, mode: str, corners: bool) -> dict[int, float]:
    center, stretch = ratio * (i + 0.5), max(ratio, 1.0)
    reach = stretch * (1 if mode == "linear_aa" else 2)
    first_, last = max(int(center - reach + 0.5), 0), min(int(center + reach + 0.5), size)
    weights = {
        k: triangle((k - center + 0.5) / stretch)
        if mode == "linear_aa"
        else cubic((k - center + 0.5) / stretch, -0.5)
        for k in range(first_, last)
    }
    total = sum(weights.values())
    return {k: w / total for k, w in weights.items()}


def matrix(mode: str, size: int, out: int, corners: bool, scale: float | None) -> np.ndarray:
    ratio = 1 / scale if scale else size / out
    if corners:
        ratio = (size - 1) / (out - 1) if out > 1 else 0.0
    made = np.zeros((out, size))
    for i in range(out):
        if mode.startswith("nearest"):
            row = nearest_row(i, ratio, size, mode == "nearest_exact")
        elif mode.endswith("_aa"):
            row = antialiased_row(i, ratio, size, mode, corners)
        else:
            row = smooth_row(i, ratio, size, mode, corners)
        for k, weight in row.items():
            made[i, k] += weight
    return made


def by_size(mode: str, dims: int, size: int, out: int) -> bool:
    """Whether the factor is ignored: for axes that keep their size, and images that double."""
    return (mode == "linear" and out == size) or (mode == "nearest" and dims == 2 and out in (size, 2 * size))


def axis_matrix(mode: str, dims: int, size: int, out: int, corners: bool, scale: float | None) -> np.ndarray:
    return matrix(mode, size, out, corners, None if by_size(mode, dims, size, out) else scale)


def along(x: np.ndarray, axis: int, m: np.ndarray) -> np.ndarray:
    return np.moveaxis(np.tensordot(m, np.moveaxis(x.astype(np.float64), axis, 0), 1), 0, axis)


def along_in_integers(x: np.ndarray, axis: int, m: np.ndarray) -> np.ndarray:
    """Resamples uint8: weights have as many binary places as fit in 16 bits with their sign; each sum is
    rounded to a byte.
    """
    places = 0
    while places < 22 and 0.5 + m.max() * 2 ** (places + 1) < 2**15:
        places += 1
    weights = np.trunc(m * 2**places + np.where(m < 0, -0.5, 0.5))
    sums = along(x, axis, weights).astype(np.int64)
    return np.clip((sums + 2 ** (places - 1)) >> places, 0, 255)


def resampled(x: np.ndarray, sizes: list[int], mode: str, corners: bool, scales: Any) -> np.ndarray:
    """Resamples the last axis first; between the axes bytes stay bytes."""
    bytes_ = x.dtype == np.uint8 and not mode.startswith("nearest")
    for i in reversed(range(len(sizes))):
        if bytes_ and x.shape[i + 2] == sizes[i]:
            continue
        m = axis_matrix(mode, len(sizes), x.shape[i + 2], sizes[i], corners, scales[i])
        x = along_in_integers(x, i + 2, m) if bytes_ else along(x, i + 2, m)
    return x


# ---- rows

SIZES: dict[int, tuple[tuple[tuple[int, ...], list[int]], ...]] = {
    1: (((2, 3, 5), [10]), ((1, 2, 7), [3]), ((2, 3, 4), [4]), ((2, 1, 40), [97]), ((0, 2, 3), [5])),
    2: (
        ((2, 3, 4, 5), [8, 10]),
        ((1, 2, 7, 9), [3, 4]),
        ((2, 3, 4, 5), [4, 7]),
        ((1, 20, 5, 6), [9, 13]),
        ((1, 1, 33, 40), [50, 71]),
        ((1, 2, 1, 3), [4, 1]),
    ),
    3: (((1, 2, 3, 4, 5), [6, 8, 10]), ((2, 1, 5, 4, 7), [3, 3, 3]), ((1, 18, 2, 3, 4), [3, 5, 6])),
}
FACTORS = {1: [1.7], 2: [2.0, 0.6], 3: [2.0, 1.5, 0.7]}


def calls(dims: int, has_corners: bool, antialias: bool = False) -> Callable[[str], Iterator[Call]]:
    def made(dtype: str) -> Iterator[Call]:
        high = 200 if dtype == "uint8" else 5
        for shape, sizes in SIZES[dims]:
            for layout in LAYOUTS:
                x = operand(numbers(shape, dtype, -5, high), dtype, layout)
                for corners in ((False,), (True,)) if has_corners else ((),):
                    yield Call((x, sizes, *corners))
                    yield Call((x, None, *corners, FACTORS[dims]))
                    yield Call((x, sizes, *corners, *(None for _ in sizes)))
                if not antialias:  # windows that would lie outside of the input
                    yield Call((x, sizes, *((False,) if has_corners else ()), *FACTORS[dims]))

    return made


def reference(mode: str, dims: int, has_corners: bool) -> Callable[..., np.ndarray]:
    def upsampled(x: np.ndarray, sizes: Any, *rest: Any) -> np.ndarray:
        corners = rest[0] if has_corners else False
        scales = rest[1:] if has_corners else rest
        if sizes is None:
            scales = tuple(scales[0])
            sizes = [int(n * s) for n, s in zip(x.shape[2:], scales, strict=True)]
        scales = tuple(scales) + (None,) * (dims - len(scales))
        return resampled(x, sizes, mode, corners, scales)

    return upsampled


def gradient_calls(dims: int, has_corners: bool, antialias: bool = False) -> Callable[[str], Iterator[Call]]:
    def made(dtype: str) -> Iterator[Call]:
        for shape, sizes in SIZES[dims]:
            for layout in LAYOUTS:
                grad = operand(numbers((*shape[:2], *sizes), dtype, -1, 1), dtype, layout)
                for corners in ((False,), (True,)) if has_corners else ((),):
                    yield Call((grad, sizes, list(shape), *corners))
            if not antialias:
                yield Call((grad, sizes, list(shape), *((False,) if has_corners else ()), *FACTORS[dims]))

    return made


def gradient(mode: str, dims: int, has_corners: bool) -> Callable[..., np.ndarray]:
    def transposed(grad: np.ndarray, sizes: list[int], shape: list[int], *rest: Any) -> np.ndarray:
        corners = rest[0] if has_corners else False
        scales = rest[1:] if has_corners else rest
        scales = tuple(scales) + (None,) * (dims - len(scales))
        for i in range(dims):
            m = axis_matrix(mode, dims, shape[i + 2], sizes[i], corners, scales[i])
            grad = along(grad, i + 2, m.T)
        return grad

    return transposed


OPERATORS = (
    *((f"upsample_nearest{d}d", "nearest", d, False) for d in (1, 2, 3)),
    *((f"_upsample_nearest_exact{d}d", "nearest_exact", d, False) for d in (1, 2, 3)),
    ("upsample_linear1d", "linear", 1, True),
    ("upsample_bilinear2d", "linear", 2, True),
    ("upsample_trilinear3d", "linear", 3, True),
    ("upsample_bicubic2d", "cubic", 2, True),
    ("_upsample_bilinear2d_aa", "linear_aa", 2, True),
    ("_upsample_bicubic2d_aa", "cubic_aa", 2, True),
)


def rows() -> Iterator[Row]:
    for name, mode, dims, has_corners in OPERATORS:
        bytes_too = ("uint8",) if mode.startswith("nearest") or dims == 2 else ()
        yield Row(
            name,
            reference(mode, dims, has_corners),
            calls(dims, has_corners, mode.endswith("_aa")),
            first,
            bytes_too + FLOATS,
            tolerance=loose,
        )
        yield Row(
            f"{name}_backward",
            gradient(mode, dims, has_corners),
            gradient_calls(dims, has_corners, mode.endswith("_aa")),
            first,
            FLOATS,
            tolerance=loose,
        )


ROWS = tuple(rows())
