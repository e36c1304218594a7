"""Sample rows of eigenvalues of any matrices, and of powers and condition numbers, which need inverses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from calls import Call
from matrices import DTYPES, SQUARE, general, in_layouts, loose
from rows import Row, first
from tensors import numbers, operand


def real_of(call: Call) -> str:
    dtype = first(call)
    return {"complex64": "float32", "complex128": "float64"}.get(dtype, dtype)


def complex_of(call: Call) -> str:
    return "complex64" if first(call) in ("float32", "complex64") else "complex128"


def eig_calls(dtype: str) -> Iterator[Call]:
    for shape in SQUARE:
        yield from (Call((a,)) for a in in_layouts(general(shape, dtype), dtype))


def power_calls(dtype: str) -> Iterator[Call]:
    for shape in ((3, 3), (2, 2, 2), (0, 0), (2, 0, 0), (1, 1)):
        a = operand((general(shape, dtype) / 2).astype(dtype), dtype, "transposed")
        yield from (Call((a, n)) for n in (0, 1, 2, 5, 8, -1, -3))


def whole_power_calls(dtype: str) -> Iterator[Call]:
    a = operand(numbers((3, 3), dtype, -2, 2), dtype)
    yield from (Call((a, n)) for n in (0, 1, 3))


def power(a: np.ndarray, n: int) -> np.ndarray:
    return np.linalg.matrix_power(a, n)


def cond_calls(dtype: str) -> Iterator[Call]:
    for order in (1, -1, float("inf"), float("-inf"), "fro", "nuc"):
        for shape in ((3, 3), (2, 4, 4), (2, 0, 0)):
            yield Call((operand(general(shape, dtype), dtype, "transposed"), order))
    for order in (2, -2, None):
        for shape in ((3, 3), (2, 4, 3), (0, 3)):
            yield Call((operand(general(shape, dtype), dtype, "transposed"), order))
    yield Call((operand(general((3, 3), dtype), dtype),))


def cond(a: np.ndarray, order: Any = None) -> np.ndarray:
    return np.linalg.cond(a, order) if a.size else np.zeros(a.shape[:-2])


def row(
    name: str, reference: Any, calls: Any, dtype: Any = first, dtypes: Any = DTYPES, **options: Any
) -> Row:
    return Row(name, reference, calls, dtype, dtypes, **{"tolerance": loose, **options})


ROWS = (
    row("linalg_eig", np.linalg.eig, eig_calls, lambda c: (complex_of(c),) * 2),
    row("linalg_eigvals", np.linalg.eigvals, eig_calls, complex_of),
    row("_linalg_eigvals", np.linalg.eigvals, eig_calls, complex_of),
    row("linalg_matrix_power", power, power_calls),
    row("matrix_power", power, power_calls),
    row("matrix_power", power, whole_power_calls, dtypes=("int64", "int32"), label="whole"),
    row("linalg_cond", cond, cond_calls, real_of),
)
