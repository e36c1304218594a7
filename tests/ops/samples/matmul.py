"""Sample rows of matrix products."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from calls import Call
from references import gelu
from rows import Calls, Row, first, loose
from tensors import DEVICE, FLOATS, LAYOUTS, NUMBERS, numbers, operand


def products(*pairs: tuple[tuple[int, ...], tuple[int, ...]]) -> Calls:
    """Returns calls for pairs of shapes, the second operand in every layout and the first in two."""

    def calls(dtype: str) -> Iterator[Call]:
        for a, b in pairs:
            left, right = numbers(a, dtype, -2, 2), numbers(b, dtype, -2, 2, 1)
            for layout in LAYOUTS:
                yield Call((operand(left, dtype), operand(right, dtype, layout)))
            yield Call((operand(left, dtype, "transposed"), operand(right, dtype)))

    return calls


MATRICES = (
    ((3, 4), (4, 5)),
    ((1, 1), (1, 1)),
    ((0, 4), (4, 5)),
    ((3, 0), (0, 5)),
    ((65, 33), (33, 70)),
    ((130, 257), (257, 96)),
)
BATCHES = (((2, 3, 4), (2, 4, 5)), ((0, 3, 4), (0, 4, 5)), ((2, 3, 0), (2, 0, 5)), ((5, 33, 17), (5, 17, 20)))
ANY = (
    *MATRICES,
    *BATCHES,
    ((4,), (4,)),
    ((0,), (0,)),
    ((3, 4), (4,)),
    ((4,), (4, 5)),
    ((2, 3, 4), (4,)),
    ((4,), (2, 4, 5)),
    ((2, 1, 3, 4), (5, 4, 2)),
    ((3, 4), (2, 4, 5)),
    ((2, 3, 4), (4, 5)),
)


def addmm_calls(dtype: str) -> Iterator[Call]:
    for a, b in MATRICES:
        for bias in ((a[0], b[1]), (b[1],), (1, b[1]), (a[0], 1), ()):
            x, left, right = (operand(numbers(s, dtype, -2, 2, i), dtype) for i, s in enumerate((bias, a, b)))
            yield from (Call((x, left, right)), Call((x, left, right), {"beta": 2, "alpha": 3}))
            yield Call((x, left, right), {"beta": 0})


def addmm(x: np.ndarray, a: np.ndarray, b: np.ndarray, beta: int = 1, alpha: int = 1) -> np.ndarray:
    product = (np.asarray(alpha).astype(a.dtype) * (a @ b)).astype(a.dtype)
    return (np.broadcast_to(x, product.shape) * np.asarray(beta).astype(x.dtype) if beta else 0) + product


def addmm_activation_calls(dtype: str) -> Iterator[Call]:
    for call in addmm_calls(dtype):
        yield call
        yield Call(call.args, {**call.kwargs, "use_gelu": True})


def addmm_activation(
    x: np.ndarray, a: np.ndarray, b: np.ndarray, use_gelu: bool = False, **factors: int
) -> np.ndarray:
    """Applies relu or gelu to addmm's result."""
    result = addmm(x, a, b, **factors)
    return gelu(result) if use_gelu else np.maximum(result, 0)


def of_gelu(dtype: str) -> tuple[float, float] | None:
    """On CUDA gelu is the approximation by tanh, as in PyTorch: tests/cuda_host/matmul compares with that."""
    usual = tolerance(dtype)
    return usual if DEVICE == "cpu" or dtype == "bfloat16" else (2e-3, 2e-3)


def linear_calls(dtype: str) -> Iterator[Call]:
    for rows in ((), (1,), (7,), (2, 3), (0,), (2, 3, 4)):
        x, w, b = (
            operand(numbers(s, dtype, -2, 2, i), dtype) for i, s in enumerate(((*rows, 9), (5, 9), (5,)))
        )
        yield from (Call((x, w)), Call((x, w, b)), Call((x, w, None)))


def linear(x: np.ndarray, w: np.ndarray, b: np.ndarray | None = None) -> np.ndarray:
    return x @ w.T + (0 if b is None else b)


def tolerance(dtype: str) -> tuple[float, float] | None:
    return (2e-2, 1e-1) if dtype == "bfloat16" else loose(dtype)


ROWS = (
    Row("mm", np.matmul, products(*MATRICES), first, NUMBERS, tolerance=tolerance),
    Row("bmm", np.matmul, products(*BATCHES), first, NUMBERS, tolerance=tolerance),
    Row("matmul", np.matmul, products(*ANY), first, NUMBERS, tolerance=tolerance),
    Row(
        "dot",
        np.dot,
        products(((0,), (0,)), ((1,), (1,)), ((7,), (7,)), ((1001,), (1001,))),
        first,
        NUMBERS,
        tolerance=tolerance,
    ),
    Row("addmm", addmm, addmm_calls, first, NUMBERS, tolerance=tolerance),
    Row(
        "_addmm_activation",
        addmm_activation,
        addmm_activation_calls,
        first,
        FLOATS,
        tolerance=of_gelu,
        inplace=False,
    ),
    Row("linear", linear, linear_calls, first, NUMBERS, tolerance=tolerance),
)
