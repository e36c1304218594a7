"""Sample rows of integrals by the trapezoidal rule."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from calls import Call
from rows import Row, first
from tensors import FLOATS, numbers, operand

from samples.shape import inputs, loose


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
    """Returns the area between each two neighbours."""
    dim %= y.ndim
    between = np.moveaxis(y, dim, -1)
    step = dx if x is None else np.diff(x if x.ndim < y.ndim else np.moveaxis(x, dim, -1))
    return np.moveaxis((between[..., 1:] + between[..., :-1]) / 2 * step, -1, dim)


def area(y: np.ndarray, *args: Any, **kwargs: Any) -> np.ndarray:
    return pieces(y, *args, **kwargs).sum(kwargs.get("dim", -1))


def running_area(y: np.ndarray, *args: Any, **kwargs: Any) -> np.ndarray:
    return pieces(y, *args, **kwargs).cumsum(kwargs.get("dim", -1))


ROWS = (
    Row("trapezoid", area, trapezoid_calls, first, FLOATS, tolerance=loose),
    Row("trapz", area, trapezoid_calls, first, FLOATS, tolerance=loose),
    Row("cumulative_trapezoid", running_area, trapezoid_calls, first, FLOATS, tolerance=loose),
)
