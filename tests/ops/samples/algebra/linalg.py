"""Sample rows of Cholesky factors and triangular systems."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from calls import Call
from matrices import DTYPES, SQUARE, SYSTEMS, adjoint, in_layouts, loose, positive, solved
from rows import Row, first
from tensors import numbers, operand


def with_info(call: Call) -> tuple[str, str]:
    return first(call), "int32"


def positive_calls(dtype: str) -> Iterator[Call]:
    for shape in SQUARE:
        for a in in_layouts(positive(shape, dtype), dtype):
            yield from (Call((a,)), Call((a,), {"upper": True}))


def cholesky(a: np.ndarray, upper: bool = False) -> np.ndarray:
    lower = np.linalg.cholesky(a)
    return adjoint(lower) if upper else lower


def cholesky_ex(a: np.ndarray, upper: bool = False) -> tuple[np.ndarray, np.ndarray]:
    return cholesky(a, upper), np.zeros(a.shape[:-2], np.int32)


def triangular_calls(dtype: str) -> Iterator[Call]:
    for shape, right, left in SYSTEMS:
        b = operand(numbers(right, dtype, -2, 2, 1), dtype, "transposed" if left else "contiguous")
        for i, a in enumerate(in_layouts(numbers(shape, dtype, 1, 2), dtype)):
            for upper in (False, True):
                yield Call((a, b), {"upper": upper, "left": left, "unitriangular": i == 2})


def solve_triangular(
    a: np.ndarray, b: np.ndarray, upper: bool, left: bool = True, unitriangular: bool = False
) -> np.ndarray:
    shift = 1 if unitriangular else 0
    triangle = np.triu(a, shift) if upper else np.tril(a, -shift)
    if unitriangular:
        triangle = triangle + np.eye(a.shape[-1])
    return solved(triangle, b, left)


def row(name: str, reference: Any, calls: Any, dtype: Any = first, **options: Any) -> Row:
    return Row(name, reference, calls, dtype, DTYPES, tolerance=loose, **options)


def factors(shape: tuple[int, ...], dtype: str, upper: bool) -> np.ndarray:
    return cholesky(positive(shape, dtype), upper).astype(dtype)


def cholesky_inverse_calls(dtype: str) -> Iterator[Call]:
    for shape in SQUARE:
        for upper in (False, True):
            for a in in_layouts(factors(shape, dtype, upper), dtype):
                yield Call((a,), {"upper": upper})


def squared(factor: np.ndarray, upper: bool) -> np.ndarray:
    return adjoint(factor) @ factor if upper else factor @ adjoint(factor)


def cholesky_inverse(factor: np.ndarray, upper: bool = False) -> np.ndarray:
    return np.linalg.inv(squared(factor, upper))


def cholesky_solve_calls(dtype: str) -> Iterator[Call]:
    for shape, right, left in SYSTEMS:
        for upper in (False, True):
            if left:
                b = operand(numbers(right, dtype, -2, 2, 1), dtype)
                yield Call((b, operand(factors(shape, dtype, upper), dtype, "transposed"), upper))


def of_one_batch(dtype: str) -> Iterator[Call]:
    """Yields the calls whose operands have one batch, as cholesky_solve passes them on."""
    for call in cholesky_solve_calls(dtype):
        b, a = call.operands
        if b.stored.shape[:-2] == a.stored.shape[:-2]:
            yield call


def cholesky_solve(b: np.ndarray, factor: np.ndarray, upper: bool = False) -> np.ndarray:
    return solved(squared(factor, upper), b)


def legacy_calls(dtype: str) -> Iterator[Call]:
    for call in triangular_calls(dtype):
        given = dict(call.kwargs)
        if given.pop("left"):
            for transpose in (False, True):
                yield Call((call.args[1], call.args[0]), {**given, "transpose": transpose})


def triangular_solve(
    b: np.ndarray, a: np.ndarray, upper: bool = True, transpose: bool = False, unitriangular: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    turned = np.swapaxes(a, -1, -2) if transpose else a
    x = solve_triangular(turned, b, upper != transpose, True, unitriangular)
    return x, np.broadcast_to(a, (*x.shape[:-2], *a.shape[-2:]))


def twice(call: Call) -> tuple[str, str]:
    return first(call), first(call)


ROWS = (
    row("cholesky", cholesky, positive_calls),
    row("cholesky_inverse", cholesky_inverse, cholesky_inverse_calls),
    row("cholesky_solve", cholesky_solve, cholesky_solve_calls),
    row("_cholesky_solve_helper", cholesky_solve, of_one_batch),
    row("triangular_solve", triangular_solve, legacy_calls, twice),
    row("linalg_cholesky", cholesky, positive_calls),
    row("linalg_cholesky_ex", cholesky_ex, positive_calls, with_info),
    row("linalg_solve_triangular", solve_triangular, triangular_calls),
)
