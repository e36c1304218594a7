"""Sample rows of real and imaginary parts and of conjugation."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from calls import Call
from rows import Row, first, real, same, unary
from tensors import COMPLEX, numbers, operand


def complex_pairs(dtype: str) -> Iterator[Call]:
    for shape in ((2,), (7, 2), (3, 5, 2), (2, 3, 4, 2)):
        yield Call((operand(numbers(shape, dtype), dtype),))


def pairs_of(x: np.ndarray) -> np.ndarray:
    return np.stack([x.real, x.imag], -1)


def complex_of(call: Call) -> str:
    return "complex64" if first(call) == "float32" else "complex128"


ROWS = (
    unary("conj_physical", np.conj, same),
    unary("_conj_physical", np.conj, same),
    unary("conj", np.conj, same),
    unary("_conj", np.conj, same),
    unary("resolve_conj", lambda x: x, same),
    unary("real", np.real, real, special=False),
    unary("imag", np.imag, real, dtypes=COMPLEX),
    unary("view_as_real", pairs_of, real, dtypes=COMPLEX),
    Row(
        "view_as_complex",
        lambda x: x[..., 0] + 1j * x[..., 1],
        complex_pairs,
        complex_of,
        ("float32", "float64"),
    ),
)
