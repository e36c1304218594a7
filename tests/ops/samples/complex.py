"""Sample rows of real and imaginary parts and of conjugation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from calls import Call
from rows import Row, first, real, same, unary
from tensors import COMPLEX, numbers, operand


def complex_pairs(dtype: str) -> Iterator[Call]:
    for shape in ((2,), (7, 2), (3, 5, 2), (2, 3, 4, 2)):
        yield Call((operand(numbers(shape, dtype), dtype),))


def pairs_of(x: np.ndarray) -> np.ndarray:
    return np.stack([x.real, x.imag], -1)


def of_pairs(x: np.ndarray) -> np.ndarray:
    return x[..., 0] + 1j * x[..., 1]


def complex_of(call: Call) -> str:
    return "complex64" if first(call) == "float32" else "complex128"


def two_calls(low: float) -> Any:
    """Returns calls with two real tensors of one dtype."""

    def calls(dtype: str) -> Iterator[Call]:
        for shapes in (((), ()), ((7,), (7,)), ((3, 1), (5,)), ((33, 17), ()), ((0,), (1,))):
            for layout in ("contiguous", "transposed"):
                a, b = (numbers(s, dtype, low, 3, seed) for seed, s in enumerate(shapes))
                yield Call((operand(a, dtype, layout), operand(b, dtype)))

    return calls


ROWS = (
    Row("complex", lambda a, b: a + 1j * b, two_calls(-3), complex_of, ("float32", "float64")),
    Row("polar", lambda a, b: a * np.exp(1j * b), two_calls(0), complex_of, ("float32", "float64")),
    unary("conj_physical", np.conj, same),
    unary("_conj_physical", np.conj, same),
    unary("conj", np.conj, same),
    unary("_conj", np.conj, same),
    unary("resolve_conj", lambda x: x, same),
    unary("resolve_neg", lambda x: x, same),
    unary("real", np.real, real, special=False),
    unary("imag", np.imag, real, dtypes=COMPLEX),
    unary("view_as_real", pairs_of, real, dtypes=COMPLEX),
    unary("view_as_real_copy", pairs_of, real, dtypes=COMPLEX),
    Row("view_as_complex", of_pairs, complex_pairs, complex_of, ("float32", "float64")),
    Row("view_as_complex_copy", of_pairs, complex_pairs, complex_of, ("float32", "float64")),
)
