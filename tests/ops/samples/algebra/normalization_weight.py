"""Sample rows of weights that are scaled to a length: renorm and weight_norm."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from calls import Call
from rows import Row, first, loose
from tensors import COMPLEX, FLOATS, numbers, operand

DTYPES = ("float32", "float64")


def renorm_calls(dtype: str) -> Iterator[Call]:
    for shape in ((3, 4), (2, 3, 4), (2, 0)):
        x = operand(numbers(shape, dtype, -2, 2), dtype, "transposed")
        yield from (Call((x, 2, 0, 2.5)), Call((x, 1, -1, 3.0)), Call((x, 3.5, 1, 1)), Call((x, 2, 0, 0)))
        if all(shape):
            yield Call((x, float("inf"), 0, 1.5))


def besides(x: np.ndarray, dim: int) -> tuple[int, ...]:
    return tuple(d for d in range(x.ndim) if d != dim % x.ndim)


def length(x: np.ndarray, p: float, dim: int) -> np.ndarray:
    size, dims = np.abs(x), besides(x, dim)
    if p == float("inf"):
        return np.max(size, dims, keepdims=True)
    return np.sum(size**p, dims, keepdims=True) ** (1 / p)


def renorm(x: np.ndarray, p: float, dim: int, maxnorm: float) -> np.ndarray:
    norm = length(x, p, dim)
    return x * np.where(norm > maxnorm, maxnorm / (norm + 1e-7), 1)


def except_calls(dtype: str) -> Iterator[Call]:
    for shape in ((3, 4), (2, 3, 4), (5,)):
        x = operand(numbers(shape, dtype, -2, 2), dtype)
        yield from (Call((x,)), Call((x, 2, -1)), Call((x, 1, len(shape) - 1)))


def norm_except(x: np.ndarray, p: int = 2, dim: int = 0) -> np.ndarray:
    return np.sum(np.abs(x) ** p) ** (1 / p) if dim == -1 else length(x, p, dim)


def pairs(dtype: str, dims: tuple[int, ...]) -> Iterator[tuple[Any, Any, int]]:
    for shape in ((3, 4), (2, 3, 4)):
        for dim in dims:
            v = operand(numbers(shape, dtype, 0.5, 2), dtype)
            g = numbers([n if d == dim % len(shape) else 1 for d, n in enumerate(shape)], dtype, 1, 2, 1)
            yield v, operand(g, dtype), dim


def ends(dtype: str) -> Iterator[tuple[Any, Any, int]]:
    for v, g, dim in pairs(dtype, (0, -1)):
        yield v, g, dim % v.stored.ndim


def weight_calls(dtype: str) -> Iterator[Call]:
    yield from (Call(args) for args in ends(dtype))
    yield from (Call(args) for args in pairs(dtype, (1,)))


def weight_norm(v: np.ndarray, g: np.ndarray, dim: int = 0) -> np.ndarray:
    return v * (g / length(v, 2, dim))


def interface_calls(dtype: str) -> Iterator[Call]:
    yield from (Call(args) for args in ends(dtype))


def weight_and_norm(v: np.ndarray, g: np.ndarray, dim: int = 0) -> tuple[np.ndarray, np.ndarray]:
    return weight_norm(v, g, dim), length(v, 2, dim)


def with_norms(call: Call) -> tuple[str, str]:
    return first(call), "float64" if first(call) == "float64" else "float32"


def backward_calls(dtype: str) -> Iterator[Call]:
    for v, g, dim in ends(dtype):
        grad = operand(numbers(v.stored.shape, dtype, -1, 1, 5), dtype)
        norms = length(numbers(v.stored.shape, dtype, 0.5, 2).astype("float64"), 2, dim)
        yield Call((grad, v, g, operand(norms, "float64" if dtype == "float64" else "float32"), dim))


def weight_backward(grad: np.ndarray, v: np.ndarray, g: np.ndarray, norms: np.ndarray, dim: int) -> Any:
    share = np.sum(grad * v, besides(v, dim), keepdims=True)
    return g / norms * (grad - v * share / norms**2), share / norms


def twice(call: Call) -> tuple[str, str]:
    return first(call), first(call)


ROWS = (
    Row("renorm", renorm, renorm_calls, first, FLOATS + COMPLEX, tolerance=loose),
    Row(
        "norm_except_dim",
        norm_except,
        except_calls,
        lambda c: {"complex64": "float32", "complex128": "float64"}.get(first(c), first(c)),
        FLOATS + COMPLEX,
        tolerance=loose,
    ),
    Row("_weight_norm", weight_norm, weight_calls, first, FLOATS, tolerance=loose),
    Row("_weight_norm_interface", weight_and_norm, interface_calls, with_norms, FLOATS, tolerance=loose),
    Row("_weight_norm_interface_backward", weight_backward, backward_calls, twice, FLOATS, tolerance=loose),
    Row(
        "_weight_norm_differentiable_backward",
        weight_backward,
        backward_calls,
        twice,
        DTYPES,
        tolerance=loose,
    ),
)
