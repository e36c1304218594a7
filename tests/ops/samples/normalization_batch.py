"""Sample rows of batch and instance normalisation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from calls import Call
from rows import first
from tensors import Operand, operand

from samples.normalization import EPS, Arrays, inputs, norm, of_channels, over, scaled, times, vector

MOMENTUM = 0.2
SHAPES = ((4, 3), (70, 5), (2, 3, 7), (3, 5, 2, 9), (2, 3, 2, 3, 2), (2, 70, 3, 3), (1, 2, 2500))


def batch_parameters(shape: tuple[int, ...], dtype: str) -> tuple[Operand, Operand, Operand, Operand]:
    """Returns weight, bias, running mean and variance."""
    ranges = ((-1, 1, 1), (-1, 1, 2), (-0.5, 0.5, 3), (0.5, 2, 4))
    return tuple(vector(shape[1], dtype, *r) for r in ranges)  # type: ignore[return-value]


def batch_calls(given: str, *tail: Any, optional: bool = True) -> Any:
    """Returns calls; `given` names the arguments after weight and bias: r for running statistics, t for
    training.
    """

    def calls(dtype: str) -> Iterator[Call]:
        for shape in SHAPES:
            weight, bias, *running = batch_parameters(shape, dtype)
            for i, x in enumerate(inputs(shape, dtype)):
                parameters = (weight, bias) if i % 2 == 0 or not optional else (None, None)
                statistics = running if "r" in given else ()
                for training in ((True,), (False,)) if "t" in given else ((),):
                    yield Call((x, *parameters, *statistics, *training, *tail))

    return calls


def batch_norm(
    x: np.ndarray, w: Any, b: Any, running_mean: Any, running_var: Any, training: bool, *_: Any
) -> Arrays:
    if not training:
        y = scaled(x, running_mean, 1 / np.sqrt(running_var + EPS), w, b)
        return y, np.zeros(0), np.zeros(0)
    mean, invstd = x.mean(over(x)), 1 / np.sqrt(x.var(over(x)) + EPS)
    return scaled(x, mean, invstd, w, b), mean, invstd


def updated(x: np.ndarray, running_mean: np.ndarray, running_var: np.ndarray) -> Arrays:
    var = x.var(over(x), ddof=1)
    return (
        running_mean * (1 - MOMENTUM) + x.mean(over(x)) * MOMENTUM,
        running_var * (1 - MOMENTUM) + var * MOMENTUM,
    )


def legit(x: np.ndarray, w: Any, b: Any, *rest: Any) -> Arrays:
    """Computes both variants: with running statistics and without."""
    return batch_norm(x, w, b, *(rest if len(rest) == 5 else (None, None, *rest)))


def legit_functional(
    x: np.ndarray, w: Any, b: Any, mean: Any, var: Any, training: bool, *rest: Any
) -> Arrays:
    running = updated(x, mean, var) if training else (mean, var)
    return *batch_norm(x, w, b, mean, var, training), *running


def reserved(results: Arrays) -> Arrays:
    return *results, np.zeros(0, "uint8")


def no_stats_calls(dtype: str) -> Iterator[Call]:
    for call in batch_calls("t", MOMENTUM, EPS)(dtype):
        if call.args[3]:
            yield call


def legit_calls(dtype: str) -> Iterator[Call]:
    yield from batch_calls("rt", MOMENTUM, EPS)(dtype)
    yield from no_stats_calls(dtype)


def backward_calls(dtype: str, weighted: bool = False, *tail: Any) -> Iterator[Call]:
    for shape in SHAPES:
        weight, _, running_mean, running_var = batch_parameters(shape, dtype)
        saved = vector(shape[1], dtype, -0.5, 0.5, 5), vector(shape[1], dtype, 0.5, 2, 6)
        for i, (grad, x) in enumerate(zip(inputs(shape, dtype, 7), inputs(shape, dtype), strict=True)):
            for train in (True, False):
                w = weight if weighted or i % 2 == 0 else None
                yield Call((grad, x, w, running_mean, running_var, *saved, train, EPS, [True] * 3, *tail))


def batch_norm_backward(
    grad: np.ndarray, x: np.ndarray, w: Any, mean: Any, var: Any, save_mean: Any, save_invstd: Any,
    train: bool, *_: Any,
) -> Arrays:  # fmt: skip
    used_mean, invstd = (save_mean, save_invstd) if train else (mean, 1 / np.sqrt(var + EPS))
    normalized = scaled(x, used_mean, invstd, None, None)
    scale = of_channels(invstd if w is None else invstd * w, x)
    taken = grad
    if train:
        along = (grad * normalized).mean(over(x), keepdims=True)
        taken = grad - grad.mean(over(x), keepdims=True) - normalized * along
    return taken * scale, (grad * normalized).sum(over(x)), grad.sum(over(x))


def update_stats(x: np.ndarray, *_: Any) -> Arrays:
    return x.mean(over(x)), x.var(over(x))


def update_calls(dtype: str) -> Iterator[Call]:
    for call in batch_calls("r", MOMENTUM)(dtype):
        yield Call((call.args[0], *call.args[3:]))


def instance_norm(x: np.ndarray, w: Any, b: Any, mean: Any, var: Any, own: bool, *_: Any) -> np.ndarray:
    samples = [batch_norm(s[None], w, b, mean, var, own)[0] for s in x]
    return np.concatenate(samples)


def spatial(calls: Any) -> Any:
    """Returns the calls whose inputs have more than one element in a channel."""
    return lambda dtype: (c for c in calls(dtype) if c.args[0].stored.ndim > 2)


RUNNING = batch_calls("rt", MOMENTUM, EPS)
TRAINING = batch_calls("r", MOMENTUM, EPS)
ROWS = (
    norm("native_batch_norm", batch_norm, RUNNING, times(3)),
    norm("native_batch_norm_backward", batch_norm_backward, backward_calls, times(3)),
    norm("batch_norm_update_stats", update_stats, update_calls, times(2)),
    norm("_native_batch_norm_legit", legit, legit_calls, times(3)),
    norm("_native_batch_norm_legit_functional", legit_functional, RUNNING, times(5)),
    norm(
        "_native_batch_norm_legit_no_training",
        lambda x, w, b, m, v, *_: batch_norm(x, w, b, m, v, False),
        TRAINING,
        times(3),
    ),
    norm(
        "_batch_norm_with_update",
        lambda x, w, b, m, v, *_: reserved(batch_norm(x, w, b, m, v, True)),
        TRAINING,
        times(3, "uint8"),
    ),
    norm(
        "_batch_norm_with_update_functional",
        lambda x, w, b, m, v, *_: (*reserved(batch_norm(x, w, b, m, v, True)), *updated(x, m, v)),
        TRAINING,
        lambda c: (*(first(c),) * 3, "uint8", *(first(c),) * 2),
    ),
    norm(
        "_batch_norm_no_update",
        lambda x, w, b, m, v, *_: reserved(batch_norm(x, w, b, m, v, False)),
        TRAINING,
        times(3, "uint8"),
    ),
    norm(
        "batch_norm_backward",
        batch_norm_backward,
        lambda d: backward_calls(d, True, operand(np.zeros(0, "uint8"), "uint8")),
        times(3),
    ),
    norm(
        "batch_norm",
        lambda *args: batch_norm(*args)[0],
        batch_calls("rt", MOMENTUM, EPS, True),
        first,
    ),
    norm("instance_norm", instance_norm, spatial(batch_calls("rt", MOMENTUM, EPS, True)), first),
)
