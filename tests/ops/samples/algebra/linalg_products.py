"""Sample rows of vectors' products, and of traces, powers and norms of matrices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from calls import Call, DType
from matrices import DTYPES, SQUARE, in_layouts, loose
from rows import Row, first, loose_products, summed
from tensors import COMPLEX, FLOATS, NUMBERS, numbers, operand, value_type

Shapes = tuple[tuple[int, ...], ...]
MORE = FLOATS + COMPLEX


def pair(shapes: Shapes, dtype: str, layout: str = "contiguous") -> list[Any]:
    return [operand(numbers(s, dtype, -2, 2, i), dtype, layout) for i, s in enumerate(shapes)]


def cross_calls(dtype: str) -> Iterator[Call]:
    for shapes, dim in (
        (((3,), (3,)), -1),
        (((2, 3), (1, 3)), 1),
        (((3, 4), (3, 4)), 0),
        (((0, 3), (0, 3)), -1),
    ):
        for layout in ("contiguous", "transposed"):
            yield Call((*pair(shapes, dtype, layout),), {"dim": dim})


def cross(a: np.ndarray, b: np.ndarray, dim: int | None = None) -> np.ndarray:
    axis = a.shape.index(3) if dim is None else dim
    a, b = np.broadcast_arrays(np.moveaxis(a, axis, -1), np.moveaxis(b, axis, -1))
    terms = [a[..., i - 2] * b[..., i - 1] - a[..., i - 1] * b[..., i - 2] for i in range(3)]
    return np.moveaxis(np.stack(terms, -1), -1, axis)


def default_cross_calls(dtype: str) -> Iterator[Call]:
    yield Call((*pair(((2, 3), (2, 3)), dtype),))
    yield Call((*pair(((3, 3), (3, 3)), dtype),))


def vecdot_calls(dtype: str) -> Iterator[Call]:
    for shapes in (((4,), (4,)), ((2, 4), (4,)), ((2, 0), (2, 0)), ((3, 1, 4), (2, 4))):
        yield Call((*pair(shapes, dtype),))
    yield Call((*pair(((4, 2), (4, 2)), dtype, "transposed"),), {"dim": 0})


def vecdot(x: np.ndarray, y: np.ndarray, dim: int = -1) -> np.ndarray:
    return np.sum(x.conj() * y, axis=dim)


def vander_calls(dtype: str) -> Iterator[Call]:
    for n in (0, 4):
        x = operand(numbers((n,), dtype, -2, 2), dtype)
        yield from (Call((x,)), Call((x, 3)), Call((x, 0)), Call((x, 1, True)), Call((x, 5, True)))


def long_of(call: Call) -> str:
    dtype = first(call)
    return dtype if dtype in MORE else "int64"


def vander(x: np.ndarray, n: int | None = None, increasing: bool = False) -> np.ndarray:
    return np.vander(x, n, increasing=increasing)


def batched_vander_calls(dtype: str) -> Iterator[Call]:
    for shape in ((3,), (2, 2), (0, 3)):
        x = operand(numbers(shape, dtype, -2, 2), dtype)
        yield from (Call((x,)), Call((x,), {"N": 4}))


def batched_vander(x: np.ndarray, N: int | None = None) -> np.ndarray:
    return x[..., None] ** np.arange(N or x.shape[-1])


def trace_calls(dtype: str) -> Iterator[Call]:
    for shape in ((3, 3), (2, 5), (5, 2), (0, 3)):
        for layout in ("contiguous", "transposed"):
            yield Call((operand(numbers(shape, dtype, -2, 2), dtype, layout),))


def trace_backward_calls(dtype: str) -> Iterator[Call]:
    for shape in ([3, 3], [2, 5], [0, 3]):
        yield Call((operand(numbers((), dtype), dtype), shape))


def trace_backward(grad: np.ndarray, shape: list[int]) -> np.ndarray:
    return grad * np.eye(*shape)


def diagonal_calls(dtype: str) -> Iterator[Call]:
    x = operand(numbers((2, 3, 4), dtype), dtype)
    yield from (Call((x,)), Call((x,), {"offset": 1}), Call((x,), {"offset": -1, "dim1": 0, "dim2": 1}))


def diagonal(x: np.ndarray, offset: int = 0, dim1: int = -2, dim2: int = -1) -> np.ndarray:
    return np.diagonal(x, offset, dim1, dim2)


def matmul_calls(dtype: str) -> Iterator[Call]:
    for shapes in (((3, 4), (4, 2)), ((2, 3, 4), (4,))):
        yield Call((*pair(shapes, dtype),))


# Norms of 0, and below and above the greatest of each polynomial.
SCALES = (0, 1e-8, 3e-4, 2e-2, 0.1, 0.5, 1, 4)


def exp_calls(dtype: str) -> Iterator[Call]:
    for shape in SQUARE:
        for a in in_layouts(numbers(shape, dtype, -1, 1), dtype):
            yield Call((a,))
    for scale in SCALES:
        yield Call((operand((numbers((3, 3), dtype, -1, 1) * scale).astype(value_type(dtype)), dtype),))
    scales = np.asarray(SCALES)[:, None, None]
    yield Call(
        (operand((numbers((len(SCALES), 3, 3), dtype, -1, 1) * scales).astype(value_type(dtype)), dtype),)
    )


def few_exp_calls(dtype: str) -> Iterator[Call]:
    yield Call((*pair(((2, 3, 3),), dtype),))


def exponential(a: np.ndarray) -> np.ndarray:
    """Returns the sum of the series for a / 2 ** 10, squared ten times."""
    if not a.size:
        return a
    small = a / 1024
    total = term = np.broadcast_to(np.eye(a.shape[-1]), a.shape).astype(a.dtype)
    for k in range(1, 12):
        term = term @ small / k
        total = total + term
    for _ in range(10):
        total = total @ total
    return total


def exp_backward_calls(dtype: str) -> Iterator[Call]:
    for shape in ((1, 1), (3, 3), (2, 2, 2)):
        yield Call((*pair((shape, shape), dtype),))


def exp_backward(a: np.ndarray, grad: np.ndarray) -> np.ndarray:
    n, adjoint = a.shape[-1], np.swapaxes(a, -1, -2).conj()
    zero = np.zeros_like(a)
    whole = np.concatenate((np.concatenate((adjoint, grad), -1), np.concatenate((zero, adjoint), -1)), -2)
    return exponential(whole)[..., :n, n:]


# ---- norms

ORDERS = (1, -1, 2, -2, float("inf"), float("-inf"), "fro", "nuc")


def norm_calls(dtype: str, orders: tuple[Any, ...] = ORDERS) -> Iterator[Call]:
    for order in orders:
        for shape in ((3, 4), (2, 4, 3)):
            yield Call((operand(numbers(shape, dtype, -2, 2), dtype, "transposed"), order))
        x = operand(numbers((3, 4, 2), dtype, -2, 2), dtype)
        yield from (Call((x, order, [2, 0])), Call((x, order, [0, -2], True)))
        if order in (1, 2, "fro", "nuc"):
            yield Call((operand(numbers((2, 0, 3), dtype), dtype), order))


def wide_norm_calls(dtype: str) -> Iterator[Call]:
    for order in (1, 2, "fro", "nuc"):
        x = operand(numbers((3, 4), dtype, -2, 2), dtype)
        yield Call(
            (x, order, [0, 1], False), {"dtype": DType("complex128" if dtype in COMPLEX else "float64")}
        )


def low_norm_calls(dtype: str) -> Iterator[Call]:
    return norm_calls(dtype, (1, float("inf"), "fro"))


def matrix_norm(
    x: np.ndarray, order: Any, dim: Any = (-2, -1), keepdim: bool = False, dtype: str | None = None
) -> np.ndarray:
    if x.size == 0:
        return np.zeros(np.delete(x.shape, [d % x.ndim for d in dim]))
    return np.linalg.norm(x, order, tuple(dim), keepdim)


def real_of(call: Call) -> str:
    dtype = call.kwargs["dtype"].name if "dtype" in call.kwargs else first(call)
    return {"complex64": "float32", "complex128": "float64"}.get(dtype, dtype)


def any_norm_calls(dtype: str) -> Iterator[Call]:
    x = operand(numbers((3, 4), dtype, -2, 2), dtype)
    whole = operand(numbers((2, 3, 4), dtype, -2, 2), dtype)
    yield from (Call((x,)), Call((whole,)), Call((whole, None, [0, 1])))
    yield from (Call((x, 1)), Call((x, "fro")), Call((x, "nuc", [0, 1], True)), Call((whole, 3, [1])))
    yield Call((operand(numbers((5,), dtype, -2, 2), dtype), float("-inf")))


def any_norm(x: np.ndarray, order: Any = None, dim: Any = None, keepdim: bool = False) -> np.ndarray:
    if order is None:
        axes = tuple(range(x.ndim)) if dim is None else tuple(dim)
        return np.sqrt(np.sum(np.abs(x) ** 2, axes, keepdims=keepdim))
    return np.linalg.norm(x, order, dim if dim is None else tuple(dim) if len(dim) > 1 else dim[0], keepdim)


def frobenius_calls(dtype: str) -> Iterator[Call]:
    x = operand(numbers((3, 4, 2), dtype, -2, 2), dtype)
    yield from (Call((x, [0, 2])), Call((x, [1], True)), Call((x, [])))


def frobenius(x: np.ndarray, dim: list[int], keepdim: bool = False) -> np.ndarray:
    return np.sqrt(np.sum(np.abs(x) ** 2, tuple(dim) or None, keepdims=keepdim))


def nuclear_calls(dtype: str) -> Iterator[Call]:
    x = operand(numbers((3, 4, 2), dtype, -2, 2), dtype)
    yield from (Call((x,)), Call((x, True)), Call((x, [0, 2])), Call((x, [2, 1], True)))


def nuclear(x: np.ndarray, dim: Any = (-2, -1), keepdim: bool = False) -> np.ndarray:
    dims, keep = ((-2, -1), dim) if isinstance(dim, bool) else (tuple(dim), keepdim)
    return np.linalg.norm(x, "nuc", dims, keep)


def row(
    name: str, reference: Any, calls: Any, dtype: Any = first, dtypes: Any = DTYPES, **options: Any
) -> Row:
    return Row(name, reference, calls, dtype, dtypes, **{"tolerance": loose, **options})


ROWS = (
    row("linalg_cross", cross, cross_calls, dtypes=NUMBERS, tolerance=loose_products),
    row("cross", cross, cross_calls, dtypes=NUMBERS, tolerance=loose_products),
    row("cross", cross, default_cross_calls, label="default"),
    row("linalg_vecdot", vecdot, vecdot_calls, dtypes=MORE, tolerance=loose_products),
    row("vander", vander, vander_calls, long_of, NUMBERS, tolerance=loose_products),
    row("linalg_vander", batched_vander, batched_vander_calls, long_of, NUMBERS, tolerance=loose_products),
    row("trace", np.trace, trace_calls, summed, NUMBERS, tolerance=loose_products, out_decides=True),
    row("trace_backward", trace_backward, trace_backward_calls),
    row("linalg_diagonal", diagonal, diagonal_calls),
    row("linalg_matmul", np.matmul, matmul_calls),
    row("linalg_matrix_exp", exponential, exp_calls),
    row("matrix_exp", exponential, few_exp_calls),
    row("matrix_exp_backward", exp_backward, exp_backward_calls),
    row("linalg_matrix_norm", matrix_norm, norm_calls, real_of),
    row("linalg_matrix_norm", matrix_norm, wide_norm_calls, real_of, label="dtype"),
    row(
        "linalg_matrix_norm",
        matrix_norm,
        low_norm_calls,
        dtypes=("float16", "bfloat16"),
        tolerance=loose_products,
        label="low",
    ),
    row("linalg_norm", any_norm, any_norm_calls, real_of),
    row("frobenius_norm", frobenius, frobenius_calls, real_of),
    row("nuclear_norm", nuclear, nuclear_calls, real_of),
)
