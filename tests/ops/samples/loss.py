"""Sample rows of losses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from calls import Call
from rows import Row, first
from tensors import FLOATS, LAYOUTS, Operand, numbers, operand

NONE, MEAN, SUM = 0, 1, 2
SHAPES = ((), (1,), (7,), (3, 5), (33, 17), (2, 3, 4, 5))


def reduced(loss: np.ndarray, reduction: int) -> Any:
    return loss if reduction == NONE else np.mean(loss) if reduction == MEAN else np.sum(loss)


def loose(dtype: str) -> tuple[float, float] | None:
    """Returns the tolerance of sums of many squares."""
    return {"float16": (1e-2, 1e-2), "bfloat16": (3e-2, 3e-2), "float32": (1e-5, 1e-5)}.get(dtype)


def pairs(dtype: str) -> Iterator[tuple[Any, Any]]:
    for shape in SHAPES:
        for layout in LAYOUTS:
            x = operand(numbers(shape, dtype, -1, 1), dtype, layout)
            yield x, operand(numbers(shape, dtype, -1, 1, 1), dtype)


def mse_calls(dtype: str) -> Iterator[Call]:
    for x, target in pairs(dtype):
        yield Call((x, target))
        yield from (Call((x, target, reduction)) for reduction in (NONE, MEAN, SUM))
    yield Call((operand(numbers((0, 3), dtype), dtype), operand(numbers((0, 3), dtype), dtype), NONE))


def mse(x: np.ndarray, target: np.ndarray, reduction: int = MEAN) -> Any:
    return reduced((x - target) ** 2, reduction)


def mse_backward_calls(dtype: str) -> Iterator[Call]:
    for x, target in pairs(dtype):
        yield Call((operand(numbers(x.stored.shape, dtype, -1, 1, 2), dtype), x, target, NONE))
        one = operand(numbers((), dtype, 1, 2), dtype)
        yield from (Call((one, x, target, reduction)) for reduction in (MEAN, SUM))


def mse_backward(grad: np.ndarray, x: np.ndarray, target: np.ndarray, reduction: int) -> np.ndarray:
    return 2 * (x - target) * grad / (x.size if reduction == MEAN else 1)


# ---- negative log likelihood


def choices(shape: tuple[int, ...], classes: int, ignored: int = -100) -> Operand:
    """Returns one class for each position, some of them ignored."""
    made = np.random.default_rng([2, *shape]).integers(0, classes, shape)
    made.reshape(-1)[1::4] = ignored
    return operand(made, "int64")


def nll_calls(tail: Any, weighted: tuple[bool, ...] = (False, True)) -> Any:
    def calls(dtype: str) -> Iterator[Call]:
        for batch, classes in (((), 5), ((1,), 3), ((7,), 5), ((200,), 17)):
            for layout in LAYOUTS:
                x = operand(numbers((*batch, classes), dtype, -3, 0), dtype, layout)
                target = choices(batch, classes)
                for has_weight in weighted:
                    weight = operand(numbers((classes,), dtype, 1, 2), dtype) if has_weight else None
                    yield from tail(x, target, weight, dtype)

    return calls


def forward_tail(x: Any, target: Any, weight: Any, _: str) -> Iterator[Call]:
    yield from (Call((x, target, weight, reduction, -100)) for reduction in (NONE, MEAN, SUM))


def backward_tail(x: Any, target: Any, weight: Any, dtype: str) -> Iterator[Call]:
    total = operand(numbers((), dtype, 2, 4), dtype)
    each = operand(numbers(target.stored.shape, dtype, -1, 1), dtype)
    yield Call((each, x, target, weight, NONE, -100, total))
    one = operand(numbers((), dtype, 1, 2, 3), dtype)
    yield from (Call((one, x, target, weight, reduction, -100, total)) for reduction in (MEAN, SUM))


def weights_of(x: np.ndarray, target: np.ndarray, weight: Any, ignored: int) -> np.ndarray:
    of_class = np.ones(x.shape[-1], x.dtype) if weight is None else weight
    return np.where(target == ignored, 0, of_class[np.where(target == ignored, 0, target)])


def nll(x: np.ndarray, target: np.ndarray, weight: Any, reduction: int, ignored: int = -100) -> Any:
    weights = weights_of(x, target, weight, ignored)
    places = np.where(target == ignored, 0, target)[..., None]
    loss = -weights * np.take_along_axis(x, places, -1)[..., 0]
    if reduction == NONE and x.ndim == 2:
        return loss, np.zeros((), x.dtype)
    return np.sum(loss) / (np.sum(weights) if reduction == MEAN else 1), np.sum(weights)


def nll_backward(
    grad: np.ndarray, x: np.ndarray, target: np.ndarray, weight: Any, reduction: int, ignored: int, total: Any
) -> np.ndarray:
    made = np.zeros(x.shape, x.dtype)
    places = np.where(target == ignored, 0, target)[..., None]
    each = -weights_of(x, target, weight, ignored) * grad / (total if reduction == MEAN else 1)
    np.put_along_axis(made, places, each[..., None], -1)
    return made


def positions_calls(extra: Any) -> Any:
    """Returns calls with the classes in the second dimension, and more dimensions after it."""

    def calls(dtype: str) -> Iterator[Call]:
        for shape in ((5,), (4, 5), (4, 5, 3), (2, 5, 3, 2), (2, 5, 2, 3, 2)):
            x = operand(numbers(shape, dtype, -3, 0), dtype)
            target = choices((shape[0], *shape[2:]) if len(shape) > 1 else (), 5)
            weight = operand(numbers((5,), dtype, 1, 2), dtype)
            for reduction in (NONE, MEAN, SUM):
                yield from (Call((x, target, w, reduction, -100, *extra)) for w in (None, weight))

    return calls


def nll_nd(x: np.ndarray, target: np.ndarray, weight: Any, reduction: int, ignored: int) -> Any:
    rows = np.moveaxis(x, 1, -1) if x.ndim > 1 else x
    flat = rows.reshape(-1, x.shape[1]) if x.ndim > 1 else x
    loss = nll(flat, target.reshape(-1) if x.ndim > 1 else target, weight, reduction, ignored)[0]
    return loss.reshape(target.shape) if reduction == NONE else loss


def log_softmax(x: np.ndarray, dim: int) -> np.ndarray:
    return x - np.log(np.sum(np.exp(x), dim, keepdims=True))


def cross_entropy(
    x: np.ndarray, target: np.ndarray, weight: Any, reduction: int, ignored: int, smoothing: float
) -> Any:
    dim = 1 if x.ndim > 1 else 0
    logs = log_softmax(x, dim)
    hard = nll_nd(logs, target, weight, reduction, ignored)
    shape = [-1 if d == dim else 1 for d in range(x.ndim)]
    smooth = -np.sum(logs * (1 if weight is None else weight.reshape(shape)), dim)
    smooth = reduced(np.where(target == ignored, 0, smooth), SUM if reduction else NONE)
    if reduction == MEAN:
        smooth = smooth / np.sum(weights_of(np.moveaxis(x, dim, -1), target, weight, ignored))
    return (1 - smoothing) * hard + smooth * smoothing / x.shape[dim]


def probability_calls(dtype: str) -> Iterator[Call]:
    for shape in ((5,), (4, 5), (4, 5, 3)):
        x, target = (operand(numbers(shape, dtype, 0, 1, s), dtype) for s in (0, 1))
        weight = operand(numbers((5,), dtype, 1, 2), dtype)
        for reduction in (NONE, MEAN, SUM):
            yield from (Call((x, target, w, reduction, -100, 0.2)) for w in (None, weight))


def cross_entropy_of_probabilities(
    x: np.ndarray, target: np.ndarray, weight: Any, reduction: int, _: int, smoothing: float
) -> Any:
    dim = 1 if x.ndim > 1 else 0
    shape = [-1 if d == dim else 1 for d in range(x.ndim)]
    wanted = target * (1 - smoothing) + smoothing / x.shape[dim]
    loss = -np.sum(log_softmax(x, dim) * (1 if weight is None else weight.reshape(shape)) * wanted, dim)
    return reduced(loss, reduction)


def logits_calls(dtype: str) -> Iterator[Call]:
    for x, target in pairs(dtype):
        shape = x.stored.shape
        weight, positive = (operand(numbers(shape[-1:], dtype, 1, 2, s), dtype) for s in (3, 4))
        for reduction in (NONE, MEAN, SUM):
            yield Call((x, target, weight, positive, reduction))
        yield Call((x, target))


def logits_loss(
    x: np.ndarray, target: np.ndarray, weight: Any = 1, positive: Any = 1, reduction: int = MEAN
) -> Any:
    each = weight * ((1 - target) * x + (1 + (positive - 1) * target) * np.logaddexp(0, -x))
    return reduced(each, reduction)


ROWS = (
    Row("mse_loss", mse, mse_calls, first, FLOATS, tolerance=loose),
    Row("mse_loss_backward", mse_backward, mse_backward_calls, first, FLOATS, tolerance=loose),
    Row("nll_loss_forward", nll, nll_calls(forward_tail), lambda c: (first(c),) * 2, FLOATS, tolerance=loose),
    Row(
        "nll_loss",
        lambda *args: nll(*args)[0],
        nll_calls(forward_tail),
        first,
        FLOATS,
        tolerance=loose,
    ),
    Row("nll_loss_backward", nll_backward, nll_calls(backward_tail), first, FLOATS, tolerance=loose),
    Row("nll_loss_nd", nll_nd, positions_calls(()), first, FLOATS, tolerance=loose),
    Row("cross_entropy_loss", cross_entropy, positions_calls((0.0,)), first, FLOATS, tolerance=loose),
    Row(
        "cross_entropy_loss",
        cross_entropy,
        positions_calls((0.1,)),
        first,
        FLOATS,
        tolerance=loose,
        label="smoothing",
    ),
    Row(
        "cross_entropy_loss",
        cross_entropy_of_probabilities,
        probability_calls,
        first,
        FLOATS,
        tolerance=loose,
        label="probabilities",
    ),
    Row("binary_cross_entropy_with_logits", logits_loss, logits_calls, first, FLOATS, tolerance=loose),
)
