"""Sample rows of attention's backends and of its softmax."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from calls import Call
from rows import Row, first, loose
from tensors import FLOATS, LAYOUTS, Operand, numbers, operand

SIZES = (  # batch, heads, key heads, queries, keys, head size
    (2, 3, 3, 5, 7, 8),
    (1, 1, 1, 1, 1, 1),
    (2, 2, 2, 33, 17, 5),
    (1, 2, 2, 70, 300, 16),
    (2, 4, 2, 3, 9, 33),
    (1, 2, 1, 1, 270, 64),
)


def heads(dtype: str, size: tuple[int, ...], layout: str = "contiguous") -> tuple[Operand, ...]:
    b, h, g, queries, keys, e = size
    shapes = ((b, h, queries, e), (b, g, keys, e), (b, g, keys, e))
    return tuple(operand(numbers(s, dtype, -1, 1, i), dtype, layout) for i, s in enumerate(shapes))


def mask_of(dtype: str, shape: tuple[int, ...]) -> Operand:
    made = numbers(shape, dtype, -1, 1, 5)
    made[np.random.default_rng([3, *shape]).random(shape) < 0.3] = -np.inf
    return operand(made, dtype)


def attention_calls(dtype: str) -> Iterator[Call]:
    for size in SIZES:
        b, h, _, queries, keys, _ = size
        for layout in LAYOUTS:
            yield Call(heads(dtype, size, layout))
        q, k, v = heads(dtype, size)
        yield Call((q, k, v, 0.0, True))
        yield Call((q, k, v), {"scale": 0.3})
        for shape in ((queries, keys), (b, h, queries, keys), (1, 1, 1, keys), (queries, 1)):
            yield Call((q, k, v, 0.0, False), {"attn_mask": mask_of(dtype, shape)})
        yield Call((q, k, v, 0.0, True), {"attn_mask": mask_of(dtype, (queries, keys))})


def scores(q: np.ndarray, k: np.ndarray, causal: bool, mask: Any, scale: float | None) -> np.ndarray:
    k = np.repeat(k, q.shape[1] // k.shape[1], 1)
    made = q @ np.swapaxes(k, -1, -2) * (q.shape[-1] ** -0.5 if scale is None else scale)
    if causal:
        made = np.where(np.tril(np.ones(made.shape[-2:], bool)), made, -np.inf)
    return made if mask is None else made + mask


def weights_of(made: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Returns the weights; rows that contain only minus infinity get none."""
    top = np.max(made, -1, keepdims=True)
    shift = np.where(np.isinf(top), 0, top)
    e = np.exp(made - shift)
    total = e.sum(-1, keepdims=True)
    logs = np.where(total == 0, 0, shift + np.log(np.where(total == 0, 1, total)))
    return e / np.where(total == 0, 1, total), logs[..., 0]


def attention(
    q: np.ndarray,
    k: np.ndarray,
    v: np.ndarray,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    attn_mask: Any = None,
    scale: float | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    q, k, v = (t.astype(np.float64) for t in (q, k, v))
    weights, logs = weights_of(scores(q, k, is_causal, attn_mask, scale))
    return weights @ np.repeat(v, q.shape[1] // v.shape[1], 1), logs


def computed_in(dtype: str) -> str:
    return "float32" if dtype in ("float16", "bfloat16") else dtype


def backward_calls(dtype: str) -> Iterator[Call]:
    for size in SIZES:
        q, k, v = heads(dtype, size)
        out, logs = attention(q.values, k.values, v.values)
        grad = operand(numbers(q.stored.shape, dtype, -1, 1, 4), dtype)
        yield Call((grad, q, k, v, operand(out, dtype), operand(logs, computed_in(dtype)), 0.0, False))
        for causal, mask in ((True, None), (False, mask_of(dtype, (size[3], size[4])))):
            values = None if mask is None else mask.values
            out, logs = attention(q.values, k.values, v.values, 0.0, causal, values)
            yield Call(
                (grad, q, k, v, operand(out, dtype), operand(logs, computed_in(dtype)), 0.0, causal),
                {"attn_mask": mask},
            )


def attention_backward(
    grad: np.ndarray,
    q: np.ndarray,
    k: np.ndarray,
    v: np.ndarray,
    out: np.ndarray,
    logs: np.ndarray,
    dropout_p: float,
    is_causal: bool,
    attn_mask: Any = None,
) -> tuple[np.ndarray, ...]:
    grad, q, k, v = (t.astype(np.float64) for t in (grad, q, k, v))
    group, scale = q.shape[1] // k.shape[1], q.shape[-1] ** -0.5
    keys, values = np.repeat(k, group, 1), np.repeat(v, group, 1)
    weights, _ = weights_of(scores(q, k, is_causal, attn_mask, None))
    slopes = grad @ np.swapaxes(values, -1, -2)
    slopes = weights * (slopes - np.sum(slopes * weights, -1, keepdims=True)) * scale

    def joined(t: np.ndarray) -> np.ndarray:
        return t.reshape(t.shape[0], -1, group, *t.shape[2:]).sum(2)

    to_keys = joined(np.swapaxes(slopes, -1, -2) @ q)
    return slopes @ keys, to_keys, joined(np.swapaxes(weights, -1, -2) @ grad)


def math_calls(dtype: str) -> Iterator[Call]:
    for size in SIZES:
        q, k, v = heads(dtype, size)
        options: dict[str, Any] = {"enable_gqa": True} if size[1] != size[2] else {}
        yield Call((q, k, v), options)
        yield Call((q, k, v, None, 0.0, True), options)
        mask = mask_of(dtype, (size[3], size[4]))
        yield Call((q, k, v, mask), options)


def attention_math(
    q: np.ndarray,
    k: np.ndarray,
    v: np.ndarray,
    mask: Any = None,
    p: float = 0.0,
    causal: bool = False,
    **_: Any,
) -> tuple[np.ndarray, np.ndarray]:
    weights, _logs = weights_of(scores(q.astype(np.float64), k.astype(np.float64), causal, mask, None))
    return weights @ np.repeat(v.astype(np.float64), q.shape[1] // v.shape[1], 1), weights


def safe_softmax_calls(dtype: str) -> Iterator[Call]:
    for shape in ((5,), (3, 5), (2, 3, 4)):
        made = mask_of(dtype, shape)
        emptied = made.values.copy()
        emptied[..., :] = np.where(np.arange(shape[-1]) < 0, emptied, -np.inf) if len(shape) == 1 else emptied
        for dim in range(len(shape)):
            yield from (Call((made, dim)), Call((operand(emptied, dtype), dim)))


def safe_softmax(x: np.ndarray, dim: int) -> np.ndarray:
    return np.moveaxis(weights_of(np.moveaxis(x.astype(np.float64), dim, -1))[0], -1, dim)


def tolerance(dtype: str) -> tuple[float, float] | None:
    return {"float16": (1e-2, 1e-2), "bfloat16": (6e-2, 6e-2), "float32": (1e-5, 2e-5)}.get(dtype) or loose(
        dtype
    )


def two(call: Call) -> tuple[str, str]:
    return first(call), computed_in(first(call))


ROWS = (
    Row(
        "_scaled_dot_product_flash_attention_for_cpu",
        attention,
        attention_calls,
        two,
        FLOATS,
        tolerance=tolerance,
    ),
    Row(
        "_scaled_dot_product_flash_attention_for_cpu_backward",
        attention_backward,
        backward_calls,
        lambda c: (first(c),) * 3,
        FLOATS,
        tolerance=tolerance,
    ),
    Row(
        "_scaled_dot_product_attention_math",
        attention_math,
        math_calls,
        lambda c: (first(c),) * 2,
        FLOATS,
        tolerance=tolerance,
    ),
    Row(
        "scaled_dot_product_attention",
        lambda *args, **kw: attention_math(*args, **kw)[0],
        math_calls,
        first,
        FLOATS,
        data_dependent=True,  # the Meta device uses the math backend, whose result has other strides
        tolerance=tolerance,
    ),
    Row("_safe_softmax", safe_softmax, safe_softmax_calls, first, FLOATS, tolerance=tolerance),
)
