"""Sample rows of similarities and distances of pairs, of one_hot and of dropout."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from calls import Call
from rows import Row, first, index
from samples_pair_losses import loss
from tensors import FLOATS, numbers, operand


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


def one_hot_calls(_: str) -> Iterator[Call]:
    for shape in ((), (4,), (2, 3)):
        x = operand(np.random.default_rng(5).integers(0, 4, shape), "int64")
        yield from (Call((x, 7)), Call((x,)))


def one_hot(x: np.ndarray, count: int = -1) -> np.ndarray:
    return np.eye(x.max() + 1 if count < 0 else count, dtype="int64")[x]


def drop_calls(dtype: str) -> Iterator[Call]:
    x = operand(numbers((3, 4, 5), dtype, -2, 2), dtype)
    yield from (Call((x, p, train)) for p, train in ((0.5, True), (0.0, True), (0.5, False), (1.0, True)))


SIMILARITY_ROWS = (
    loss("cosine_similarity", similarity, similar_calls),
    loss("pairwise_distance", distance, distance_calls),
    Row("one_hot", one_hot, one_hot_calls, index, ("int64",), data_dependent=True),
    Row("alpha_dropout", lambda x, *_: x, drop_calls, first, FLOATS, compare=False),
    Row("feature_dropout", lambda x, *_: x, drop_calls, first, FLOATS, compare=False),
    Row("feature_alpha_dropout", lambda x, *_: x, drop_calls, first, FLOATS, compare=False),
)
