"""Sample rows of losses of pairs, of distributions and of class scores per pixel."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from calls import Call
from rows import Calls, Row, first
from tensors import FLOATS, Operand, numbers, operand

from samples.loss import MEAN, NONE, SUM, loose, nll, pairs, reduced


def probabilities(shape: tuple[int, ...], dtype: str, seed: int) -> Operand:
    return operand(numbers(shape, dtype, 0.05, 0.95, seed), dtype)


def with_reductions(make: Callable[[str], Iterator[tuple[Any, ...]]], *before: Any) -> Calls:
    """Returns calls with the operands, then these arguments, then each reduction."""

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


# ---- smooth_l1 and huber: a parabola between lines


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


# ---- class scores per pixel


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


def loss(name: str, reference: Any, calls: Calls, dtypes: tuple[str, ...] = FLOATS, **options: Any) -> Row:
    return Row(name, reference, calls, options.pop("dtype", first), dtypes, tolerance=looser, **options)


def looser(dtype: str) -> tuple[float, float] | None:
    return {"bfloat16": (5e-2, 5e-2), "float16": (1e-2, 1e-2)}.get(dtype) or loose(dtype)


ROWS = (
    loss("l1_loss", lambda x, t, r=MEAN: reduced(np.abs(x - t), r), with_reductions(pairs)),
    loss("smooth_l1_loss", smooth_l1, with_threshold(pairs, 0.4)),
    loss("smooth_l1_loss_backward", smooth_backward, backward(pairs, 0.4)),
    loss("huber_loss", huber, with_threshold(pairs, 0.4)),
    loss("huber_loss_backward", huber_backward, backward(pairs, 0.4)),
    loss("binary_cross_entropy", cross_entropy, with_reductions(weighted_chances)),
    loss("binary_cross_entropy_backward", cross_entropy_backward, backward(weighted_chances)),
    loss("kl_div", kl, kl_calls),
    loss("poisson_nll_loss", poisson, poisson_calls),
    loss("nll_loss2d", lambda *a: plane_loss(*a)[0], plane_calls),
    loss("nll_loss2d_forward", plane_loss, plane_calls, dtype=lambda c: (first(c),) * 2),
    loss("nll_loss2d_backward", plane_backward, plane_backward_calls),
)
