"""Sample rows of products whose sums have another dtype than the matrices."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from calls import Call, DType
from rows import Calls, Row, loose_products
from tensors import numbers, operand

from samples.matmul import addmm

NARROW = ("float16", "bfloat16", "float32")


def out_dtype(call: Call) -> str:
    return next(a.name for a in call.args if isinstance(a, DType))


def in_float32(batch: tuple[int, ...], added: bool) -> Calls:
    def calls(dtype: str) -> Iterator[Call]:
        a, b = (
            operand(numbers((*batch, *s), dtype, -2, 2, i), dtype) for i, s in enumerate(((3, 4), (4, 5)))
        )
        bias = operand(numbers((*batch, 3, 5), dtype, -2, 2, 2), dtype)
        if not added:
            yield Call((a, b, DType("float32")))
            return
        yield Call((bias, a, b, DType("float32")))
        yield Call((bias, a, b, DType("float32")), {"beta": 2, "alpha": 3})

    return calls


def product(a: np.ndarray, b: np.ndarray, dtype: str) -> np.ndarray:
    return a @ b


def added(
    x: np.ndarray, a: np.ndarray, b: np.ndarray, dtype: str, beta: int = 1, alpha: int = 1
) -> np.ndarray:
    return addmm(x, a, b, beta, alpha)


def bytes_calls(dtype: str) -> Iterator[Call]:
    for m, k, n in ((3, 4, 5), (2, 0, 3), (17, 33, 9)):
        yield Call(
            (
                operand(numbers((m, k), dtype, -100, 100), dtype),
                operand(numbers((k, n), "int8", -100, 100, 1), "int8"),
            )
        )


def bytes_product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return a.astype("int32") @ b.astype("int32")


ROWS = (
    Row("mm", product, in_float32((), False), out_dtype, NARROW, tolerance=loose_products, label="dtype"),
    Row("bmm", product, in_float32((2,), False), out_dtype, NARROW, tolerance=loose_products, label="dtype"),
    Row(
        "addmm",
        added,
        in_float32((), True),
        out_dtype,
        NARROW,
        tolerance=loose_products,
        inplace=False,
        label="dtype",
    ),
    Row(
        "baddbmm",
        added,
        in_float32((2,), True),
        out_dtype,
        NARROW,
        tolerance=loose_products,
        inplace=False,
        label="dtype",
    ),
    Row(
        "_int_mm", bytes_product, bytes_calls, lambda c: "int32", ("int8", "uint8"), tolerance=loose_products
    ),
)
