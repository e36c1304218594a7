"""Elementwise operators on rows of every short length; an operand is one row for all, or a value for each."""

from __future__ import annotations

from itertools import product

import aten
import numpy as np
import pytest

COLUMNS = (1, 2, 3, 7, 15, 16, 17, 31, 32, 33, 63, 64, 65, 250)
ROWS = (1, 3, 4, 5, 64, 341, 1025)
DTYPES = ("float32", "float64", "int64", "uint8", "bool")
FUNCTIONS = {
    "add": (aten.add, np.add),
    "mul": (aten.mul, np.multiply),
    "maximum": (aten.maximum, np.maximum),
    "lt": (aten.lt, np.less),
    "atan2": (aten.atan2, np.arctan2),
}


def operand(shape: tuple[int, ...], dtype: str, seed: int) -> np.ndarray:
    """Returns values that all dtypes have, with neighbours that differ except by chance."""
    return np.random.default_rng(seed).integers(1, 12, shape).astype(dtype)


def equal(got: aten.Tensor, wanted: np.ndarray, shapes: object) -> None:
    np.testing.assert_allclose(got.numpy(), wanted, rtol=1e-6, err_msg=str(shapes))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_two_operands(name: str, dtype: str) -> None:
    mine, numpys = FUNCTIONS[name]
    for rows, columns in product(ROWS, COLUMNS):
        shapes = [(rows, columns), (rows, 1), (1, columns), (columns,), (1, 1)]
        for left, right in product(shapes, shapes):
            a, b = operand(left, dtype, 1), operand(right, dtype, 2)
            wanted = numpys(a, b) if name != "atan2" else numpys(a.astype("float64"), b.astype("float64"))
            equal(mine(aten.tensor(a), aten.tensor(b)), wanted, (left, right))


@pytest.mark.parametrize("dtype", ("bfloat16", "float16"))
def test_rows_that_are_converted(dtype: str) -> None:
    for rows, columns in product(ROWS, COLUMNS):
        shapes = [(rows, columns), (rows, 1), (1, columns)]
        for left, right in product(shapes, shapes):
            a, b = operand(left, "float32", 1), operand(right, "float32", 2)
            kind = getattr(aten, dtype)
            got = aten.mul(aten.tensor(a).to(kind), aten.tensor(b).to(kind))
            equal(got.to(aten.float32), a * b, (left, right))


def test_three_operands() -> None:
    for rows, columns in product(ROWS, COLUMNS):
        shapes = [(rows, columns), (rows, 1), (1, columns)]
        for first, second, third in product(shapes, shapes, shapes):
            a, b, c = (operand(s, "float32", seed) for seed, s in enumerate((first, second, third)))
            got = aten.addcmul(aten.tensor(a), aten.tensor(b), aten.tensor(c))
            equal(got, a + b * c, (first, second, third))


@pytest.mark.parametrize("columns", COLUMNS)
def test_in_place_and_out(columns: int) -> None:
    """Results are written to contiguous and to separate rows: nothing beside them is written."""
    row, column = operand((columns,), "float32", 1), operand((341, 1), "float32", 2)
    for beside in (0, 3):
        whole = operand((341, columns + beside), "float32", 3)
        mine = aten.tensor(whole)
        inside = mine[:, :columns]
        wanted = whole.copy()
        wanted[:, :columns] += row
        inside.add_(aten.tensor(row))
        equal(mine, wanted, (columns, beside))
        wanted[:, :columns] = column - row
        aten.sub(aten.tensor(column), aten.tensor(row), out=inside)
        equal(mine, wanted, (columns, beside))
