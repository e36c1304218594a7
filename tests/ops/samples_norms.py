"""Sample rows of batch, group, instance and rms normalisation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from calls import Call
from rows import Row, first
from tensors import FLOATS, LAYOUTS, Operand, numbers, operand

EPS, MOMENTUM = 1e-3, 0.2
Arrays = tuple[np.ndarray, ...]


def loose(dtype: str) -> tuple[float, float] | None:
    """A few roundings of numbers up to 5, and sums of some hundred of them."""
    return {"float16": (1e-2, 2e-2), "bfloat16": (5e-2, 1e-1), "float32": (1e-5, 1e-4)}.get(dtype)


def channels_last(o: Operand) -> Operand:
    """The same values with the channels side by side."""
    moved = np.ascontiguousarray(np.moveaxis(o.stored, 1, -1))
    return Operand(np.moveaxis(moved, -1, 1), o.dtype)


def inputs(shape: tuple[int, ...], dtype: str, seed: int = 0) -> Iterator[Operand]:
    values = numbers(shape, dtype, -2, 2, seed)
    for layout in ("contiguous", *(n for n in LAYOUTS if n in ("transposed", "sliced"))):
        yield operand(values, dtype, layout)
    if len(shape) > 3:
        yield channels_last(operand(values, dtype))


def vector(n: int, dtype: str, low: float, high: float, seed: int) -> Operand:
    return operand(numbers((n,), dtype, low, high, seed), dtype)


# ---- batch normalisation

SHAPES = ((4, 3), (70, 5), (2, 3, 7), (3, 5, 2, 9), (2, 3, 2, 3, 2), (2, 70, 3, 3), (1, 2, 2500))


def batch_parameters(shape: tuple[int, ...], dtype: str) -> tuple[Operand, Operand, Operand, Operand]:
    """Weight, bias, running mean and variance."""
    ranges = ((-1, 1, 1), (-1, 1, 2), (-0.5, 0.5, 3), (0.5, 2, 4))
    return tuple(vector(shape[1], dtype, *r) for r in ranges)  # type: ignore[return-value]


def batch_calls(given: str, *tail: Any, optional: bool = True) -> Any:
    """`given` names the arguments after weight and bias: r for running statistics, t for training."""

    def calls(dtype: str) -> Iterator[Call]:
        for shape in SHAPES:
            weight, bias, *running = batch_parameters(shape, dtype)
            for i, x in enumerate(inputs(shape, dtype)):
                parameters = (weight, bias) if i % 2 == 0 or not optional else (None, None)
                statistics = running if "r" in given else ()
                for training in ((True,), (False,)) if "t" in given else ((),):
                    yield Call((x, *parameters, *statistics, *training, *tail))

    return calls


def over(x: np.ndarray) -> tuple[int, ...]:
    return tuple(d for d in range(x.ndim) if d != 1)


def of_channels(v: Any, x: np.ndarray) -> Any:
    return v if v is None else v.reshape([-1 if d == 1 else 1 for d in range(x.ndim)])


def scaled(x: np.ndarray, mean: np.ndarray, invstd: np.ndarray, w: Any, b: Any) -> np.ndarray:
    y = (x - of_channels(mean, x)) * of_channels(invstd, x)
    y = y if w is None else y * of_channels(w, x)
    return y if b is None else y + of_channels(b, x)


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
    """With running statistics and without."""
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
    """Of inputs that have more than one number in a channel."""
    return lambda dtype: (c for c in calls(dtype) if c.args[0].stored.ndim > 2)


# ---- group normalisation

GROUPS = (
    ((4, 6), 3),
    ((2, 6, 7), 2),
    ((3, 4, 2, 9), 4),
    ((2, 8, 3, 2, 2), 1),
    ((1, 4, 2500), 2),
    ((0, 4, 3), 2),
)


def group_shapes(shape: tuple[int, ...]) -> tuple[int, int, int]:
    return shape[0], shape[1], int(np.prod(shape[2:]))


def group_calls(native: bool) -> Any:
    def calls(dtype: str) -> Iterator[Call]:
        for shape, groups in GROUPS:
            weight, bias = (vector(shape[1], dtype, -1, 1, s) for s in (1, 2))
            for x in inputs(shape, dtype):
                for parameters in ((weight, bias), (None, None), (weight, None)):
                    if native:
                        yield Call((x, *parameters, *group_shapes(shape), groups, EPS))
                    else:
                        yield Call((x, groups, *parameters, EPS))

    return calls


def native_group_norm(
    x: np.ndarray, w: Any, b: Any, n: int, c: int, inner: int, groups: int, eps: float
) -> Arrays:
    if x.size == 0:
        return x, np.zeros((n, groups)), np.zeros((n, groups))
    rows = x.reshape(n, groups, -1)
    mean, rstd = rows.mean(2), 1 / np.sqrt(rows.var(2) + eps)
    y = ((rows - mean[..., None]) * rstd[..., None]).reshape(x.shape)
    ones, zeros = np.ones(c), np.zeros(c)
    return scaled(y, zeros, ones, w, b), mean, rstd


def group_norm(x: np.ndarray, groups: int, w: Any, b: Any, eps: float) -> np.ndarray:
    return native_group_norm(x, w, b, *group_shapes(x.shape), groups, eps)[0]


def group_backward_calls(dtype: str) -> Iterator[Call]:
    for shape, groups in GROUPS:
        statistics = [
            operand(numbers((shape[0], groups), dtype, *r), dtype) for r in ((-0.5, 0.5, 3), (0.5, 2, 4))
        ]
        weight = vector(shape[1], dtype, -1, 1, 1)
        for grad, x in zip(inputs(shape, dtype, 7), inputs(shape, dtype), strict=True):
            last = x.stored.ndim > 3 and np.moveaxis(x.stored, 1, -1).flags.c_contiguous
            if not x.stored.flags.c_contiguous and not last:
                continue  # PyTorch takes any strides, but reads the numbers as if they were contiguous
            yield Call((grad, x, *statistics, weight, *group_shapes(shape), groups, [True] * 3))


def group_norm_backward(
    grad: np.ndarray, x: np.ndarray, mean: Any, rstd: Any, w: Any, n: int, c: int, inner: int, groups: int,
    *_: Any,
) -> Arrays:  # fmt: skip
    if x.size == 0:
        return x, np.zeros(c), np.zeros(c)
    scale = rstd[..., None]
    normalized = (x.reshape(n, groups, -1) - mean[..., None]) * scale
    p = (grad * of_channels(w, x)).reshape(n, groups, -1)
    along = normalized * (p * normalized).mean(2, keepdims=True)
    of_x = ((p - p.mean(2, keepdims=True) - along) * scale).reshape(x.shape)
    return of_x, (grad * normalized.reshape(x.shape)).sum(over(x)), grad.sum(over(x))


# ---- rms norm


def rms_calls(*eps: Any) -> Any:
    def calls(dtype: str) -> Iterator[Call]:
        for shape, last in (((7,), 1), ((3, 5), 1), ((2, 3, 4, 5), 2), ((6, 300), 1), ((0, 3), 1)):
            tail = shape[len(shape) - last :]
            for x in inputs(shape, dtype):
                for weight in (operand(numbers(tail, dtype, -1, 1, 1), dtype), None):
                    for e in eps:
                        yield Call((x, list(tail), weight, e))

    return calls


def last_dims(x: np.ndarray, shape: list[int]) -> tuple[int, ...]:
    return tuple(range(x.ndim - len(shape), x.ndim))


def fused_rms_norm(x: np.ndarray, shape: list[int], w: Any, eps: float) -> Arrays:
    rstd = 1 / np.sqrt((x * x).mean(last_dims(x, shape), keepdims=True) + eps)
    return (x * rstd if w is None else x * rstd * w), rstd


def rms_types(call: Call) -> tuple[str, str]:
    dtype = first(call)
    return dtype, "float32" if dtype in ("float16", "bfloat16") else dtype


def rms_backward_calls(dtype: str) -> Iterator[Call]:
    for call in rms_calls(EPS)(dtype):
        x, tail, weight, _ = call.args
        if weight is None:
            continue
        rows = (*x.stored.shape[: x.stored.ndim - len(tail)], *(1,) * len(tail))
        grad = operand(numbers(x.stored.shape, dtype, -1, 1, 5), dtype)
        rstd = operand(numbers(rows, dtype, 0.5, 2, 6), dtype)
        yield Call((grad, x, tail, rstd, weight, [True, True]))


def rms_backward(grad: np.ndarray, x: np.ndarray, shape: list[int], rstd: Any, w: Any, _: Any) -> Arrays:
    normalized, p = x * rstd, grad * w
    along = normalized * (p * normalized).mean(last_dims(x, shape), keepdims=True)
    return (p - along) * rstd, (grad * normalized).sum(tuple(range(x.ndim - len(shape))))


def times(n: int, *others: str) -> Any:
    return lambda call: (*(first(call),) * n, *others)


def norm(name: str, reference: Any, calls: Any, dtype: Any, **options: Any) -> Row:
    return Row(name, reference, calls, dtype, FLOATS, tolerance=loose, **options)


RUNNING = batch_calls("rt", MOMENTUM, EPS)
TRAINING = batch_calls("r", MOMENTUM, EPS)
NORM_ROWS = (
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
    norm("native_group_norm", native_group_norm, group_calls(True), times(3)),
    norm("native_group_norm_backward", group_norm_backward, group_backward_calls, times(3)),
    norm("group_norm", group_norm, group_calls(False), first),
    norm("_fused_rms_norm", fused_rms_norm, rms_calls(EPS), rms_types),
    norm("_fused_rms_norm_backward", rms_backward, rms_backward_calls, times(2)),
    norm("rms_norm", lambda *args: fused_rms_norm(*args)[0], rms_calls(EPS), first),
)
