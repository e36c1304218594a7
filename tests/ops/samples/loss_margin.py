"""Sample rows of margin losses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from calls import Call
from rows import first
from tensors import Operand, numbers, operand

from samples.distance import cosine, distance
from samples.loss import MEAN, NONE, SUM, reduced
from samples.loss_pairs import backward, loss, share, with_reductions

WIDE = ("float32", "float64")  # the dtypes of PyTorch's kernels for the CPU


def signs(shape: tuple[int, ...], dtype: str) -> Operand:
    return operand(np.where(numbers(shape, dtype, 0, 1, 9) < 0.5, -1, 1), dtype)


def signed(dtype: str) -> Iterator[tuple[Any, ...]]:
    for shape in ((), (7,), (3, 5), (33, 17)):
        yield operand(numbers(shape, dtype, -2, 2), dtype), signs(shape, dtype)


def soft_margin(x: np.ndarray, t: np.ndarray, reduction: int) -> Any:
    return reduced(np.log1p(np.exp(-t * x)), reduction)


def soft_margin_backward(g: np.ndarray, x: np.ndarray, t: np.ndarray, reduction: int) -> Any:
    return -t / (1 + np.exp(t * x)) * g * share(x, reduction)


def hinge(x: np.ndarray, t: np.ndarray, margin: float, reduction: int) -> Any:
    return reduced(np.where(t == 1, x, np.maximum(margin - x, 0)), reduction)


def ranked(dtype: str) -> Iterator[tuple[Any, ...]]:
    for shape in ((7,), (3, 5)):
        x, y = (operand(numbers(shape, dtype, -2, 2, s), dtype) for s in (0, 1))
        yield x, y, signs(shape, dtype)


def ranking(x: np.ndarray, y: np.ndarray, t: np.ndarray, margin: float, reduction: int) -> Any:
    return reduced(np.maximum(-t * (x - y) + margin, 0), reduction)


def embedded(dtype: str) -> Iterator[tuple[Any, ...]]:
    for rows in ((), (4,)):
        x, y = (operand(numbers((*rows, 6), dtype, -2, 2, s), dtype) for s in (0, 1))
        yield x, y, signs(rows, dtype)


def cosine_embedding(x: np.ndarray, y: np.ndarray, t: np.ndarray, margin: float, reduction: int) -> Any:
    c = cosine(x, y)
    return reduced(np.where(t == 1, 1 - c, np.maximum(c - margin, 0)), reduction)


def triplet_calls(dtype: str) -> Iterator[Call]:
    a, p, n = (operand(numbers((5, 6), dtype, -2, 2, s), dtype) for s in range(3))
    for power in (1.0, 2.0, 3.0):
        for swap in (False, True):
            yield from (Call((a, p, n, 1.0, power, 1e-6, swap, r)) for r in (NONE, MEAN, SUM))


def triplet(
    a: np.ndarray,
    p: np.ndarray,
    n: np.ndarray,
    margin: float,
    power: float,
    eps: float,
    swap: bool,
    reduction: int,
) -> Any:
    far = distance(a, n, power, eps)
    far = np.minimum(far, distance(p, n, power, eps)) if swap else far
    return reduced(np.maximum(margin + distance(a, p, power, eps) - far, 0), reduction)


def classes(dtype: str) -> Iterator[tuple[Any, ...]]:
    yield operand(numbers((4, 5), dtype, -1, 1), dtype), operand(np.array([0, 3, 4, 1]), "int64")
    yield operand(numbers((5,), dtype, -1, 1), dtype), operand(np.array([2]), "int64")


def multi_margin_calls(dtype: str) -> Iterator[Call]:
    weight = operand(numbers((5,), dtype, 1, 2, 5), dtype)
    for x, t in classes(dtype):
        for p in (1, 2):
            for w in (None, weight):
                yield from (Call((x, t, p, 0.7, w, reduction)) for reduction in (NONE, MEAN, SUM))


def excess(x: np.ndarray, t: np.ndarray, margin: float) -> np.ndarray:
    rows = x.reshape(-1, x.shape[-1])
    made = np.maximum(margin + rows - np.take_along_axis(rows, t[:, None], 1), 0)
    np.put_along_axis(made, t[:, None], 0, 1)
    return made


def of_rows(t: np.ndarray, weight: Any) -> Any:
    return 1 if weight is None else weight[t][:, None]


def multi_margin(x: np.ndarray, t: np.ndarray, p: int, margin: float, weight: Any, reduction: int) -> Any:
    cost = excess(x, t, margin) ** p * of_rows(t, weight)
    return reduced(cost.sum(1) / x.shape[-1], reduction)


def multi_margin_backward_calls(dtype: str) -> Iterator[Call]:
    for call in multi_margin_calls(dtype):
        x, t, *rest = call.args
        shape = t.stored.shape if rest[-1] == NONE else ()
        yield Call((operand(numbers(shape, dtype, 1, 2, 6), dtype), x, t, *rest))


def multi_margin_backward(
    g: np.ndarray, x: np.ndarray, t: np.ndarray, p: int, margin: float, weight: Any, reduction: int
) -> Any:
    above = excess(x, t, margin)
    slope = (above > 0) * (1 if p == 1 else 2 * above) * of_rows(t, weight) / x.shape[-1]
    np.put_along_axis(slope, t[:, None], -slope.sum(1, keepdims=True), 1)
    slope = slope / (len(slope) if reduction == MEAN else 1) * g.reshape(-1, 1)
    return slope.reshape(x.shape).astype(x.dtype)


LABELS = np.array([[0, 3, -1, 2], [-1, 1, 2, 3], [3, 2, 1, 0]])


def labelled(dtype: str) -> Iterator[tuple[Any, ...]]:
    yield operand(numbers((3, 4), dtype, -1, 1), dtype), operand(LABELS, "int64")


def label_pairs(x: np.ndarray, t: np.ndarray) -> Iterator[tuple[int, int, int, float]]:
    for row, labels in enumerate(t):
        chosen = labels[: list(labels).index(-1)] if -1 in labels else labels
        for label in chosen:
            for other in set(range(len(labels))) - set(chosen):
                yield row, label, other, max(0.0, 1 - x[row, label] + x[row, other]) / len(labels)


def multilabel(x: np.ndarray, t: np.ndarray, reduction: int) -> Any:
    loss, chosen = np.zeros(len(x), x.dtype), np.zeros(x.shape, x.dtype)
    for row, label, _, cost in label_pairs(x, t):
        loss[row] += cost
        chosen[row, label] = 1
    chosen[2] = 1  # a row that contains only labels
    return reduced(loss, reduction), chosen


def multilabel_backward_calls(dtype: str) -> Iterator[Call]:
    for x, t in labelled(dtype):
        chosen = operand(multilabel(x.values, t.values, NONE)[1], dtype)
        for reduction in (NONE, MEAN, SUM):
            shape = (3,) if reduction == NONE else ()
            yield Call((operand(numbers(shape, dtype, 1, 2, 6), dtype), x, t, reduction, chosen))


def multilabel_backward(g: np.ndarray, x: np.ndarray, t: np.ndarray, reduction: int, _: np.ndarray) -> Any:
    slope = np.zeros(x.shape, x.dtype)
    for row, label, other, cost in label_pairs(x, t):
        slope[row, label] -= (cost > 0) / x.shape[1]
        slope[row, other] += (cost > 0) / x.shape[1]
    return slope / (len(x) if reduction == MEAN else 1) * g.reshape(-1, 1)


def second(call: Call) -> str:
    return call.operands[1].dtype


ROWS = (
    loss("soft_margin_loss", soft_margin, with_reductions(signed)),
    loss("soft_margin_loss_backward", soft_margin_backward, backward(signed)),
    loss("hinge_embedding_loss", hinge, with_reductions(signed, 0.7)),
    loss("margin_ranking_loss", ranking, with_reductions(ranked, 0.3)),
    loss("cosine_embedding_loss", cosine_embedding, with_reductions(embedded, 0.3)),
    loss("triplet_margin_loss", triplet, triplet_calls),
    loss("multi_margin_loss", multi_margin, multi_margin_calls, WIDE),
    loss(
        "multi_margin_loss_backward", multi_margin_backward, multi_margin_backward_calls, WIDE, dtype=second
    ),
    loss("multilabel_margin_loss", lambda *a: multilabel(*a)[0], with_reductions(labelled), WIDE),
    loss(
        "multilabel_margin_loss_forward",
        multilabel,
        with_reductions(labelled),
        WIDE,
        dtype=lambda c: (first(c),) * 2,
    ),
    loss("multilabel_margin_loss_backward", multilabel_backward, multilabel_backward_calls, WIDE),
)
