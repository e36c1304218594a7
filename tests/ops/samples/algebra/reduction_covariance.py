"""Sample rows of covariances and correlations, and of sums of powers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from calls import Call, DType
from rows import Row, first, loose
from tensors import COMPLEX, FLOATS, INTEGERS, numbers, operand

ANY = ("int64", "float32", "float64", *COMPLEX)


def floating(call: Call) -> str:
    return "float32" if first(call) in INTEGERS else first(call)


def data_calls(dtype: str) -> Iterator[Call]:
    for shape in ((3, 5), (1, 4), (6,), (2, 2)):
        yield Call((operand(numbers(shape, dtype, -3, 3), dtype, "transposed"),))


def cov_calls(dtype: str) -> Iterator[Call]:
    yield from data_calls(dtype)
    x = operand(numbers((3, 5), dtype, -3, 3), dtype)
    repeats = operand(np.asarray([1, 2, 0, 3, 1]), "int64")
    weights = operand(
        np.asarray([0.5, 1, 2, 0.25, 1]), "float64" if dtype in ("float64", "complex128") else "float32"
    )
    yield from (Call((x,), {"correction": 0}), Call((x,), {"fweights": repeats}))
    yield from (Call((x,), {"aweights": weights}), Call((x,), {"aweights": weights, "correction": 0}))
    yield Call((x,), {"fweights": repeats, "aweights": weights, "correction": 2})


def cov(x: np.ndarray, correction: int = 1, fweights: Any = None, aweights: Any = None) -> np.ndarray:
    return np.asarray(np.cov(x, ddof=correction, fweights=fweights, aweights=aweights))


def corrcoef(x: np.ndarray) -> np.ndarray:
    return np.asarray(np.corrcoef(x))


def powsum_calls(dtype: str) -> Iterator[Call]:
    for shape in ((4,), (2, 3)):
        x = operand(numbers(shape, dtype, 1, 2), dtype)
        yield from (Call((x,)), Call((x, 3, [0])), Call((x, 0.5, None, True)), Call((x, 0)))
    if dtype == "float32":
        yield Call((x, 2, [-1]), {"dtype": DType("float64")})


def powsum(
    x: np.ndarray, p: float = 2, dim: Any = None, keepdim: bool = False, dtype: Any = None
) -> np.ndarray:
    return np.sum(np.abs(x) ** p, tuple(dim) if dim else None, keepdims=keepdim)


def real_of(call: Call) -> str:
    dtype = call.kwargs["dtype"].name if "dtype" in call.kwargs else first(call)
    return {"complex64": "float32", "complex128": "float64"}.get(dtype, dtype)


ROWS = (
    Row("cov", cov, cov_calls, floating, ANY, tolerance=loose),
    Row("corrcoef", corrcoef, data_calls, floating, ANY, tolerance=loose),
    Row("linalg__powsum", powsum, powsum_calls, real_of, FLOATS + COMPLEX, tolerance=loose),
)
