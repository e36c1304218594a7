"""Sample rows of layer, group and rms normalisation, and helpers shared with batch normalisation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from calls import Call
from rows import Row, first, loose, loose_products
from tensors import FLOATS, LAYOUTS, Operand, numbers, operand

EPS = 1e-3
Arrays = tuple[np.ndarray, ...]


def channels_last(o: Operand) -> Operand:
    """Returns the same values in channels-last layout."""
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


def over(x: np.ndarray) -> tuple[int, ...]:
    return tuple(d for d in range(x.ndim) if d != 1)


def of_channels(v: Any, x: np.ndarray) -> Any:
    return v if v is None else v.reshape([-1 if d == 1 else 1 for d in range(x.ndim)])


def scaled(x: np.ndarray, mean: np.ndarray, invstd: np.ndarray, w: Any, b: Any) -> np.ndarray:
    y = (x - of_channels(mean, x)) * of_channels(invstd, x)
    y = y if w is None else y * of_channels(w, x)
    return y if b is None else y + of_channels(b, x)


def times(n: int, *others: str) -> Any:
    return lambda call: (*(first(call),) * n, *others)


def norm(name: str, reference: Any, calls: Any, dtype: Any, **options: Any) -> Row:
    return Row(name, reference, calls, dtype, FLOATS, tolerance=loose_products, **options)


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
                continue  # PyTorch accepts any strides, but reads the elements as if they were contiguous
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


# ---- layer norm


def layer_norm_calls(full: bool) -> Any:
    def calls(dtype: str) -> Iterator[Call]:
        for shape, axes in (((3, 5), 1), ((2, 3, 4, 5), 2), ((0, 5), 1), ((33, 300), 1)):
            for layout in ("contiguous", "transposed"):
                x = operand(numbers(shape, dtype, -2, 2), dtype, layout)
                over = list(shape[len(shape) - axes :])
                w, b = (operand(numbers(tuple(over), dtype, -1, 1, s), dtype) for s in (1, 2))
                for tail in ((w, b), (None, None), (w, None)):
                    yield Call((x, over, *tail, 1e-5))

    return calls


def layer_norm(
    x: np.ndarray, over: list[int], w: Any = None, b: Any = None, eps: float = 1e-5, *_: Any
) -> np.ndarray:
    axes = tuple(range(x.ndim - len(over), x.ndim))
    y = (x - x.mean(axes, keepdims=True)) / np.sqrt(x.var(axes, keepdims=True) + eps)
    return (y if w is None else y * w) + (0 if b is None else b)


def native_layer_norm(x: np.ndarray, over: list[int], w: Any, b: Any, eps: float) -> Any:
    axes = tuple(range(x.ndim - len(over), x.ndim))
    return (
        layer_norm(x, over, w, b, eps),
        x.mean(axes, keepdims=True),
        1 / np.sqrt(x.var(axes, keepdims=True) + eps),
    )


def norm_types(call: Call) -> tuple[str, str, str]:
    """Returns the dtypes; half precision has statistics in float32 only where the weights are float32."""
    return (first(call),) * 3


def norm_tolerance(dtype: str) -> tuple[float, float] | None:
    return (3e-2, 3e-2) if dtype == "bfloat16" else loose(dtype)


def layer_norm_backward_calls(dtype: str) -> Iterator[Call]:
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


ROWS = (
    norm("native_group_norm", native_group_norm, group_calls(True), times(3)),
    norm("native_group_norm_backward", group_norm_backward, group_backward_calls, times(3)),
    norm("group_norm", group_norm, group_calls(False), first),
    norm("_fused_rms_norm", fused_rms_norm, rms_calls(EPS), rms_types),
    norm("_fused_rms_norm_backward", rms_backward, rms_backward_calls, times(2)),
    norm("rms_norm", lambda *args: fused_rms_norm(*args)[0], rms_calls(EPS), first),
    Row("layer_norm", layer_norm, layer_norm_calls(False), first, FLOATS, tolerance=norm_tolerance),
    Row(
        "native_layer_norm",
        native_layer_norm,
        layer_norm_calls(True),
        norm_types,
        FLOATS,
        tolerance=norm_tolerance,
    ),
    Row(
        "native_layer_norm_backward",
        layer_norm_backward,
        layer_norm_backward_calls,
        lambda c: (first(c),) * 3,
        FLOATS,
        tolerance=loose_products,
    ),
)
