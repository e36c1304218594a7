"""Sample rows of distances and similarities between rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from calls import Call
from rows import Row, first, loose
from tensors import COMPLEX, FLOATS, numbers, operand

from samples.loss_pairs import looser

DTYPES = ("float32", "float64")
NORMS = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, float("inf"))
PAIRS = (
    ((3, 4), (5, 4)),
    ((1, 1), (1, 1)),
    ((2, 3, 4), (2, 6, 4)),
    ((2, 1, 3, 4), (5, 6, 4)),
    ((0, 4), (3, 4)),
)
MANY = (((30, 7), (28, 7)), ((2, 600, 3), (4, 3)))


def pairs(dtype: str, shapes: Any = PAIRS) -> Iterator[tuple[Any, Any]]:
    for a, b in shapes:
        for layout in ("contiguous", "transposed"):
            x1 = operand(numbers(a, dtype, -2, 2), dtype, layout)
            yield x1, operand(numbers(b, dtype, -2, 2, 3), dtype, layout)


def norm(difference: np.ndarray, p: float) -> np.ndarray:
    size = np.abs(difference)
    if p == 0:
        return np.sum(size != 0, axis=-1).astype(difference.dtype)
    if p == np.inf:
        return np.max(size, axis=-1, initial=0)
    return np.sum(size**p, axis=-1) ** (1 / p)


def cdist(x1: np.ndarray, x2: np.ndarray, p: float = 2.0, mode: int | None = None) -> np.ndarray:
    return norm(x1[..., :, None, :] - x2[..., None, :, :], p)


def cdist_calls(dtype: str) -> Iterator[Call]:
    for x1, x2 in pairs(dtype):
        yield from (Call((x1, x2, p)) for p in NORMS)
        yield Call((x1, x2, 2.0, 1))
    for x1, x2 in pairs(dtype, MANY):
        yield from (Call((x1, x2, 2.0, mode)) for mode in (None, 1, 2))


def forward_calls(dtype: str) -> Iterator[Call]:
    for x1, x2 in pairs(dtype, PAIRS + MANY):
        yield from (Call((x1, x2, p, 2)) for p in NORMS)


def slope(difference: np.ndarray, p: float, distance: np.ndarray) -> np.ndarray:
    """Returns the gradient of each coordinate, which is zero where rows are equal."""
    size, sign = np.abs(difference), np.sign(difference)
    if p == 0:
        return np.zeros_like(difference)
    if p == np.inf:
        return sign * (size == distance)
    with np.errstate(all="ignore"):
        made = sign * (size / distance) ** (p - 1)
    return np.where((difference == 0) | (distance == 0), 0, made)


def backward_calls(dtype: str) -> Iterator[Call]:
    for x1, x2 in pairs(dtype, PAIRS[:4]):
        for p in NORMS:
            made = cdist(x1.values, x2.values, p).astype(dtype)
            grad = operand(numbers(made.shape, dtype, -1, 1, 5), dtype)
            yield Call((grad, x1, x2, p, operand(made, dtype)))


def cdist_backward(
    grad: np.ndarray, x1: np.ndarray, x2: np.ndarray, p: float, distance: np.ndarray
) -> np.ndarray:
    difference = x1[..., :, None, :] - x2[..., None, :, :]
    exact = cdist(x1, x2, p)
    return np.sum(grad[..., None] * slope(difference, p, exact[..., None]), axis=-2)


# ---- pairs of one set


def rows(dtype: str) -> Iterator[Any]:
    """Yields sets of rows. test_distances.py tests empty sets, on which PyTorch, whose derivatives are
    compared, crashes.
    """
    return (operand(numbers(s, dtype, -2, 2), dtype) for s in ((5, 3), (1, 3), (40, 9), (4, 0)))


def pdist(x: np.ndarray, p: float = 2.0) -> np.ndarray:
    first_row, second_row = np.triu_indices(x.shape[0], 1)
    return norm(x[first_row] - x[second_row], p)


def pdist_calls(dtype: str) -> Iterator[Call]:
    for x in rows(dtype):
        yield from (Call((x, p)) for p in NORMS)


def pdist_backward_calls(dtype: str) -> Iterator[Call]:
    for x in rows(dtype):
        for p in NORMS:
            made = pdist(x.values, p).astype(dtype)
            yield Call((operand(numbers(made.shape, dtype, -1, 1, 5), dtype), x, p, operand(made, dtype)))


def pdist_backward(grad: np.ndarray, x: np.ndarray, p: float, distance: np.ndarray) -> np.ndarray:
    first_row, second_row = np.triu_indices(x.shape[0], 1)
    difference = x[first_row] - x[second_row]
    moved = grad[:, None] * slope(difference, p, norm(difference, p)[:, None])
    made = np.zeros_like(x)
    np.add.at(made, first_row, moved)
    np.add.at(made, second_row, -moved)
    return made


# ---- row by row


def cosine(x: np.ndarray, y: np.ndarray, dim: int = -1) -> np.ndarray:
    return np.sum(x * y, dim) / np.sqrt(np.sum(x * x, dim) * np.sum(y * y, dim))


def distance(x: np.ndarray, y: np.ndarray, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> Any:
    return np.linalg.norm(x - y + eps, p, -1, keepdims=keepdim)


def similar_calls(dtype: str) -> Iterator[Call]:
    x, y = (operand(numbers((3, 4, 5), dtype, -2, 2, s), dtype) for s in (0, 1))
    yield from (Call((x, y, dim)) for dim in (0, 1, 2, -1))
    yield Call((x, operand(numbers((4, 5), dtype, -2, 2, 1), dtype)))


def similarity(x: np.ndarray, y: np.ndarray, dim: int = 1) -> np.ndarray:
    return cosine(*np.broadcast_arrays(x, y), dim)


def distance_calls(dtype: str) -> Iterator[Call]:
    x, y = (operand(numbers((4, 5), dtype, -2, 2, s), dtype) for s in (0, 1))
    yield Call((x, y))
    for p in (0.0, 1.0, 2.0, 3.0, float("inf"), -float("inf")):
        yield from (Call((x, y, p, 1e-6, keep)) for keep in (False, True))


def dist_calls(dtype: str) -> Iterator[Call]:
    for shapes in (((3, 4), (4,)), ((5,), (5,)), ((2, 1, 3), (4, 3))):
        x, y = (operand(numbers(s, dtype, -2, 2, i), dtype) for i, s in enumerate(shapes))
        yield from (Call((x, y)), Call((x, y, 1)), Call((x, y, 3.5)), Call((x, y, float("inf"))))


def dist(x: np.ndarray, y: np.ndarray, p: float = 2) -> np.ndarray:
    return norm((x - y).reshape(-1), p)


def real_first(call: Call) -> str:
    return {"complex64": "float32", "complex128": "float64"}.get(first(call), first(call))


ROWS = (
    tuple(
        Row(name, reference, calls, first, DTYPES, tolerance=loose)
        for name, reference, calls in (
            ("_cdist_forward", cdist, forward_calls),
            ("_cdist_backward", cdist_backward, backward_calls),
            ("pdist", pdist, pdist_calls),
            ("_pdist_forward", pdist, pdist_calls),
            ("_pdist_backward", pdist_backward, pdist_backward_calls),
        )
    )
    + tuple(
        # Squared distances are computed as differences of products.
        Row(
            name,
            cdist,
            calls,
            first,
            DTYPES,
            tolerance=lambda dtype: (1e-4, 2e-2 if dtype == "float32" else 1e-6),
        )
        for name, calls in (
            ("cdist", cdist_calls),
            ("_euclidean_dist", lambda dtype: (Call(p) for p in pairs(dtype, (*PAIRS[:3], MANY[0])))),
        )
    )
    + (
        Row("cosine_similarity", similarity, similar_calls, first, FLOATS, tolerance=looser),
        Row("dist", dist, dist_calls, real_first, FLOATS + COMPLEX, tolerance=loose),
        Row("pairwise_distance", distance, distance_calls, first, FLOATS, tolerance=looser),
    )
)
