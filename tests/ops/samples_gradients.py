"""Sample rows of the gradients of softmax, layer normalisation, embedding and dropout."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from calls import Call, DType
from rows import Row, first
from samples_indexing import indices
from tensors import COMPLEX, FLOATS, LAYOUTS, numbers, operand


def loose(dtype: str) -> tuple[float, float] | None:
    """Sums of a few hundred products."""
    return {"float16": (1e-2, 2e-2), "bfloat16": (5e-2, 1e-1), "float32": (1e-5, 1e-4)}.get(dtype)


# ---- softmax


def softmax_calls(low: float, high: float) -> Any:
    """The result lies in [low, high]; of softmax these are parts of 1, of its logarithm they are negative."""

    def calls(dtype: str) -> Iterator[Call]:
        for shape in ((), (1,), (7,), (3, 0), (3, 5), (33, 17), (2, 3, 4, 5), (5, 301), (3, 9, 270)):
            for layout in LAYOUTS:
                grad = operand(numbers(shape, dtype, -1, 1), dtype, layout)
                y = operand(numbers(shape, dtype, low, high, 1), dtype)
                for dim in {0, -1, len(shape) // 2} if shape else {0}:
                    yield Call((grad, y, dim, DType(dtype)))

    return calls


def softmax_backward(grad: np.ndarray, y: np.ndarray, dim: int, _: Any) -> np.ndarray:
    return (grad - np.sum(grad * y, dim, keepdims=grad.ndim > 0)) * y


def log_softmax_backward(grad: np.ndarray, y: np.ndarray, dim: int, _: Any) -> np.ndarray:
    return grad - np.exp(y) * np.sum(grad, dim, keepdims=grad.ndim > 0)


# ---- layer normalisation


def layer_norm_calls(dtype: str) -> Iterator[Call]:
    for shape, normalized in (
        ((7,), 1),
        ((3, 5), 1),
        ((33, 17), 1),
        ((2, 3, 4, 5), 2),
        ((6, 300), 1),
        ((2, 5), 2),
        ((0, 3), 1),
    ):
        rows = (*shape[: len(shape) - normalized], *(1,) * normalized)
        tail = shape[len(shape) - normalized :]
        mean, rstd = (operand(numbers(rows, dtype, *r), dtype) for r in ((-0.1, 0.1), (1, 2)))
        weight, bias = (operand(numbers(tail, dtype, -1, 1, s), dtype) for s in (3, 4))
        for layout in LAYOUTS:
            grad = operand(numbers(shape, dtype, -1, 1, 1), dtype, layout)
            x = operand(numbers(shape, dtype, -1, 1, 2), dtype, layout)
            yield Call((grad, x, list(tail), mean, rstd, weight, bias, [True] * 3))


def layer_norm_backward(
    grad: np.ndarray, x: np.ndarray, shape: list[int], mean: Any, rstd: Any, weight: Any, bias: Any, _: Any
) -> tuple[np.ndarray, ...]:
    tail = tuple(range(x.ndim - len(shape), x.ndim))
    rows = tuple(range(x.ndim - len(shape)))
    normalized, p = (x - mean) * rstd, grad * weight
    if x.size == 0:
        return x, np.zeros(shape), np.zeros(shape)
    along = normalized * np.mean(p * normalized, tail, keepdims=True)
    grad_x = (p - np.mean(p, tail, keepdims=True) - along) * rstd
    return grad_x, np.sum(grad * normalized, rows), np.sum(grad, rows)


# ---- embedding, dropout


def embedding_calls(dtype: str) -> Iterator[Call]:
    for shape in ((), (0,), (5,), (2, 30)):
        for layout in ("contiguous", "transposed", "sliced"):
            grad = operand(numbers((*shape, 6), dtype, -1, 1), dtype, layout)
            for padding in (-1, 2):
                yield Call((grad, indices(shape, 10), 10, padding, False))
            yield Call((grad, indices(shape, 10, "int32"), 10, -1, True))


def embedding_backward(
    grad: np.ndarray, where: np.ndarray, rows: int, padding: int, by_frequency: bool, *_: Any
) -> np.ndarray:
    made = np.zeros((rows, grad.shape[-1]), grad.dtype)
    flat = where.reshape(-1)
    counts = np.bincount(flat, minlength=rows)
    for row, values in zip(flat, grad.reshape(-1, grad.shape[-1]), strict=True):
        if row != padding:
            made[row] += values / (counts[row] if by_frequency else 1)
    return made


def dropout_calls(dtype: str) -> Iterator[Call]:
    for shape in ((), (0,), (7,), (33, 17), (2, 3, 4, 5)):
        for layout in LAYOUTS:
            grad = operand(numbers(shape, dtype), dtype, layout)
            yield Call((grad, operand(numbers(shape, "bool"), "bool"), 1.25))


GRADIENT_ROWS = (
    Row("_softmax_backward_data", softmax_backward, softmax_calls(0, 0.3), first, FLOATS, tolerance=loose),
    Row(
        "_log_softmax_backward_data",
        log_softmax_backward,
        softmax_calls(-6, -3),
        first,
        FLOATS,
        tolerance=loose,
    ),
    Row(
        "native_layer_norm_backward",
        layer_norm_backward,
        layer_norm_calls,
        lambda c: (first(c),) * 3,
        FLOATS,
        tolerance=loose,
    ),
    Row("embedding_dense_backward", embedding_backward, embedding_calls, first, FLOATS, tolerance=loose),
    Row(
        "embedding_backward",
        embedding_backward,
        lambda d: (Call((*c.args, False)) for c in embedding_calls(d)),
        first,
        FLOATS,
        tolerance=loose,
    ),
    Row("native_dropout_backward", lambda g, m, s: g * m * s, dropout_calls, first, FLOATS + COMPLEX),
)
