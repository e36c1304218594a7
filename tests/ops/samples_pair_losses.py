"""Sample rows of losses of pairs, of distributions and by margins; distances and dropout."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from calls import Call
from rows import Calls, Row, first, index
from samples_losses import MEAN, NONE, SUM, loose, nll, pairs, reduced
from tensors import FLOATS, Operand, numbers, operand

WIDE = ("float32", "float64")  # what PyTorch's kernels for the CPU take


def signs(shape: tuple[int, ...], dtype: str) -> Operand:
    return operand(np.where(numbers(shape, dtype, 0, 1, 9) < 0.5, -1, 1), dtype)


def probabilities(shape: tuple[int, ...], dtype: str, seed: int) -> Operand:
    return operand(numbers(shape, dtype, 0.05, 0.95, seed), dtype)


def with_reductions(make: Callable[[str], Iterator[tuple[Any, ...]]], *before: Any) -> Calls:
    """The operands, then these arguments, then each reduction."""

    def calls(dtype: str) -> Iterator[Call]:
        for operands in make(dtype):
            yield from (Call((*operands, *before, reduction)) for reduction in (NONE, MEAN, SUM))

    return calls


def backward(make: Callable[[str], Iterator[tuple[Any, ...]]], *after: Any) -> Calls:
    def calls(dtype: str) -> Iterator[Call]:
        for operands in make(dtype):
            each = operand(numbers(operands[0].stored.shape, dtype, -1, 1, 2), dtype)
            one = operand(numbers((), dtype, 1, 2, 3), dtype)
            yield Call((each, *operands, NONE, *after))
            yield from (Call((one, *operands, reduction, *after)) for reduction in (MEAN, SUM))

    return calls


def share(x: np.ndarray, reduction: int) -> float:
    return 1 / x.size if reduction == MEAN else 1


# ---- a parabola between lines


def with_threshold(make: Callable[[str], Iterator[tuple[Any, ...]]], threshold: float) -> Calls:
    def calls(dtype: str) -> Iterator[Call]:
        for operands in make(dtype):
            yield from (Call((*operands, reduction, threshold)) for reduction in (NONE, MEAN, SUM))
            yield Call(operands)

    return calls


def smooth_l1(x: np.ndarray, t: np.ndarray, reduction: int = MEAN, beta: float = 1.0) -> Any:
    d = np.abs(x - t)
    return reduced(np.where(d < beta, d * d / (2 * beta), d - beta / 2), reduction)


def huber(x: np.ndarray, t: np.ndarray, reduction: int = MEAN, delta: float = 1.0) -> Any:
    return delta * smooth_l1(x, t, reduction, delta)


def smooth_backward(g: np.ndarray, x: np.ndarray, t: np.ndarray, reduction: int, beta: float) -> Any:
    return np.clip((x - t) / beta, -1, 1) * g * share(x, reduction)


def huber_backward(g: np.ndarray, x: np.ndarray, t: np.ndarray, reduction: int, delta: float) -> Any:
    return np.clip(x - t, -delta, delta) * g * share(x, reduction)


# ---- distributions


def chances(dtype: str) -> Iterator[tuple[Any, ...]]:
    for shape in ((), (7,), (3, 5), (33, 17)):
        yield probabilities(shape, dtype, 0), probabilities(shape, dtype, 1)


def weighted_chances(dtype: str) -> Iterator[tuple[Any, ...]]:
    for x, t in chances(dtype):
        yield from ((x, t, None), (x, t, operand(numbers(x.stored.shape, dtype, 1, 2, 4), dtype)))


def cross_entropy(x: np.ndarray, t: np.ndarray, weight: Any = None, reduction: int = MEAN) -> Any:
    return reduced(-(t * np.log(x) + (1 - t) * np.log(1 - x)) * (1 if weight is None else weight), reduction)


def cross_entropy_backward(
    g: np.ndarray, x: np.ndarray, t: np.ndarray, weight: Any = None, reduction: int = MEAN
) -> Any:
    return (x - t) / (x * (1 - x)) * g * share(x, reduction) * (1 if weight is None else weight)


def kl_calls(dtype: str) -> Iterator[Call]:
    for x, t in chances(dtype):
        for reduction in (NONE, MEAN, SUM):
            yield from (Call((x, t, reduction), {"log_target": flag}) for flag in (False, True))


def kl(x: np.ndarray, t: np.ndarray, reduction: int, log_target: bool) -> Any:
    return reduced(np.exp(t) * (t - x) if log_target else t * (np.log(t) - x), reduction)


def poisson_calls(dtype: str) -> Iterator[Call]:
    for shape in ((7,), (3, 5)):
        x, t = (operand(numbers(shape, dtype, 0.5, 3, s), dtype) for s in (0, 1))
        for logs in (False, True):
            for full in (False, True):
                yield from (Call((x, t, logs, full, 1e-8, reduction)) for reduction in (NONE, MEAN, SUM))


def poisson(x: np.ndarray, t: np.ndarray, logs: bool, full: bool, eps: float, reduction: int) -> Any:
    loss = np.exp(x) - t * x if logs else x - t * np.log(x + eps)
    stirling = t * np.log(t) - t + 0.5 * np.log(2 * np.pi * t)
    return reduced(loss + (np.where(t <= 1, 0, stirling) if full else 0), reduction)


# ---- margins


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


def cosine(x: np.ndarray, y: np.ndarray, dim: int = -1) -> np.ndarray:
    return np.sum(x * y, dim) / np.sqrt(np.sum(x * x, dim) * np.sum(y * y, dim))


def cosine_embedding(x: np.ndarray, y: np.ndarray, t: np.ndarray, margin: float, reduction: int) -> Any:
    c = cosine(x, y)
    return reduced(np.where(t == 1, 1 - c, np.maximum(c - margin, 0)), reduction)


def triplet_calls(dtype: str) -> Iterator[Call]:
    a, p, n = (operand(numbers((5, 6), dtype, -2, 2, s), dtype) for s in range(3))
    for power in (1.0, 2.0, 3.0):
        for swap in (False, True):
            yield from (Call((a, p, n, 1.0, power, 1e-6, swap, r)) for r in (NONE, MEAN, SUM))


def distance(x: np.ndarray, y: np.ndarray, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> Any:
    return np.linalg.norm(x - y + eps, p, -1, keepdims=keepdim)


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
    chosen[2] = 1  # a row of nothing but labels
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


# ---- planes of classes


def planes(dtype: str) -> Iterator[tuple[Any, ...]]:
    x = operand(numbers((2, 3, 4, 5), dtype, -3, 0), dtype)
    target = np.random.default_rng(4).integers(0, 3, (2, 4, 5))
    target[0, 0, :2] = 1
    for weight in (None, operand(numbers((3,), dtype, 1, 2), dtype)):
        yield x, operand(target, "int64"), weight


def plane_calls(dtype: str) -> Iterator[Call]:
    for operands in planes(dtype):
        yield from (Call((*operands, reduction, 1)) for reduction in (NONE, MEAN, SUM))


def plane_loss(x: np.ndarray, t: np.ndarray, w: Any, reduction: int, ignored: int) -> Any:
    loss, total = nll(np.moveaxis(x, 1, -1).reshape(-1, 3), t.reshape(-1), w, reduction, ignored)
    return loss.reshape(t.shape) if reduction == NONE else loss, total


def plane_backward_calls(dtype: str) -> Iterator[Call]:
    for x, t, w in planes(dtype):
        total = operand(numbers((), dtype, 2, 4), dtype)
        for reduction in (NONE, MEAN, SUM):
            shape = t.stored.shape if reduction == NONE else ()
            yield Call((operand(numbers(shape, dtype, -1, 1), dtype), x, t, w, reduction, 1, total))


def plane_backward(
    g: np.ndarray, x: np.ndarray, t: np.ndarray, w: Any, reduction: int, ignored: int, total: np.ndarray
) -> Any:
    of_class = np.ones(3, x.dtype) if w is None else w
    each = np.where(t == ignored, 0, -of_class[t]) * g / (total if reduction == MEAN else 1)
    return np.moveaxis(np.eye(3)[t] * each[..., None], -1, 1).astype(x.dtype)


# ---- similarity


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


def loss(name: str, reference: Any, calls: Calls, dtypes: tuple[str, ...] = FLOATS, **options: Any) -> Row:
    return Row(name, reference, calls, options.pop("dtype", first), dtypes, tolerance=looser, **options)


def looser(dtype: str) -> tuple[float, float] | None:
    return {"bfloat16": (5e-2, 5e-2), "float16": (1e-2, 1e-2)}.get(dtype) or loose(dtype)


def second(call: Call) -> str:
    return call.operands[1].dtype


PAIR_LOSS_ROWS = (
    loss("l1_loss", lambda x, t, r=MEAN: reduced(np.abs(x - t), r), with_reductions(pairs)),
    loss("smooth_l1_loss", smooth_l1, with_threshold(pairs, 0.4)),
    loss("smooth_l1_loss_backward", smooth_backward, backward(pairs, 0.4)),
    loss("huber_loss", huber, with_threshold(pairs, 0.4)),
    loss("huber_loss_backward", huber_backward, backward(pairs, 0.4)),
    loss("binary_cross_entropy", cross_entropy, with_reductions(weighted_chances)),
    loss("binary_cross_entropy_backward", cross_entropy_backward, backward(weighted_chances)),
    loss("kl_div", kl, kl_calls),
    loss("poisson_nll_loss", poisson, poisson_calls),
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
    loss("nll_loss2d", lambda *a: plane_loss(*a)[0], plane_calls),
    loss("nll_loss2d_forward", plane_loss, plane_calls, dtype=lambda c: (first(c),) * 2),
    loss("nll_loss2d_backward", plane_backward, plane_backward_calls),
    loss("cosine_similarity", similarity, similar_calls),
    loss("pairwise_distance", distance, distance_calls),
    Row("one_hot", one_hot, one_hot_calls, index, ("int64",), data_dependent=True),
    Row("alpha_dropout", lambda x, *_: x, drop_calls, first, FLOATS, compare=False),
    Row("feature_dropout", lambda x, *_: x, drop_calls, first, FLOATS, compare=False),
    Row("feature_alpha_dropout", lambda x, *_: x, drop_calls, first, FLOATS, compare=False),
)
