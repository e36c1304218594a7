"""Sample rows of glu, and of activations with learned or random slopes: prelu and rrelu."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from calls import Call, Seeded
from references import sigmoid
from rows import FINITE, Row, also, first, gradient, unary_calls
from tensors import FLOATS, LAYOUTS, numbers, operand

# ---- halves


def halved(*shapes: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], int]]:
    for shape in shapes:
        yield from ((shape, dim) for dim, size in enumerate(shape) if size % 2 == 0)


HALVED = tuple(halved((2,), (6, 3), (0, 4), (34, 18), (2, 4, 6)))


def glu(x: np.ndarray, dim: int = -1) -> np.ndarray:
    a, b = np.split(x, 2, dim)
    return a * sigmoid(b)


def glu_backward(grad: np.ndarray, x: np.ndarray, dim: int) -> np.ndarray:
    a, b = np.split(x, 2, dim)
    s = sigmoid(b)
    return np.concatenate([grad * s, grad * a * s * (1 - s)], dim)


def glu_jvp(_: np.ndarray, x: np.ndarray, dx: np.ndarray, dim: int) -> np.ndarray:
    (a, b), (da, db) = np.split(x, 2, dim), np.split(dx, 2, dim)
    s = sigmoid(b)
    return da * s + db * a * s * (1 - s)


def glu_backward_jvp(
    _: Any, grad: np.ndarray, x: np.ndarray, dgrad: np.ndarray, dx: np.ndarray, dim: int
) -> Any:
    (a, b), (da, db) = np.split(x, 2, dim), np.split(dx, 2, dim)
    s = sigmoid(b)
    slope, bend = s * (1 - s), s * (1 - s) * (1 - 2 * s)
    changed = np.concatenate([grad * slope * db, grad * (slope * da + a * bend * db)], dim)
    return glu_backward(dgrad, x, dim) + changed


def half_of(shape: tuple[int, ...], dim: int) -> tuple[int, ...]:
    return (*shape[:dim], shape[dim] // 2, *shape[dim + 1 :])


def glu_calls(dtype: str) -> Iterator[Call]:
    for shape, dim in HALVED:
        for layout in LAYOUTS:
            yield Call((operand(numbers(shape, dtype, -2, 2), dtype, layout), dim))


def glu_backward_calls(dtype: str) -> Iterator[Call]:
    for call in glu_calls(dtype):
        x, dim = call.args
        yield Call((operand(numbers(half_of(x.stored.shape, dim), dtype, -2, 2, 1), dtype), x, dim))


def glu_jvp_calls(dtype: str) -> Iterator[Call]:
    for call in glu_calls(dtype):
        x, dim = call.args
        y = operand(glu(np.asarray(x.values, np.float64), dim), dtype)
        yield Call((y, x, operand(numbers(x.stored.shape, dtype, -2, 2, 1), dtype), dim))


def glu_backward_jvp_calls(dtype: str) -> Iterator[Call]:
    for call in glu_backward_calls(dtype):
        grad, x, dim = call.args
        of_x = operand(glu_backward(*(np.asarray(t.values, np.float64) for t in (grad, x)), dim), dtype)
        dx = operand(numbers(x.stored.shape, dtype, -2, 2, 3), dtype)
        dgrad = operand(numbers(grad.stored.shape, dtype, -2, 2, 4), dtype)
        yield Call((of_x, grad, x, dgrad, dx, dim))


# ---- learned or random slopes


def prelu(x: np.ndarray, weight: np.ndarray) -> np.ndarray:
    if weight.ndim == 1 and x.ndim > 1:
        weight = weight.reshape(-1, *(1,) * (x.ndim - 2))
    return np.where(x > 0, x, weight * x)


def prelu_calls(dtype: str) -> Iterator[Call]:
    for shape, weight in (
        ((7,), (1,)),
        ((3, 5), (5,)),
        ((0, 3), (3,)),
        ((2, 3, 4, 5), (3,)),
        ((33, 17), (1,)),
        ((4, 2), ()),
    ):
        for layout in LAYOUTS:
            x = operand(numbers(shape, dtype, -2, 2), dtype, layout)
            yield Call((x, operand(numbers(weight, dtype, 0, 1, 1), dtype)))


def prelu_kernel_calls(dtype: str) -> Iterator[Call]:
    for call in unary_calls(FINITE)(dtype):
        (x,) = call.args
        yield Call((x, operand(numbers(x.stored.shape[-1:], dtype, 0, 1, 1), dtype)))


def prelu_backward(grad: np.ndarray, x: np.ndarray, weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return np.where(x > 0, grad, weight * grad), np.where(x > 0, 0, x * grad)


def prelu_backward_calls(dtype: str) -> Iterator[Call]:
    for call in gradient("", None, FLOATS).calls(dtype):
        grad, x = call.args
        if grad.stored.shape == x.stored.shape:
            weight = operand(numbers(x.stored.shape[-1:], dtype, 0, 1, 2), dtype)
            yield Call((grad, x, weight))


def rrelu(x: np.ndarray, lower: float, upper: float, *_: Any) -> np.ndarray:
    return np.where(x > 0, x, x * (lower + upper) / 2)


def with_noise(*more: Any) -> Any:
    def calls(dtype: str) -> Iterator[Call]:
        for call in unary_calls(FINITE)(dtype):
            (x,) = call.args
            yield Call((x, operand(np.ones(x.stored.shape), dtype), 0.1, 0.3, *more))

    return calls


def noisy_gradients(dtype: str) -> Iterator[Call]:
    for call in gradient("", None, FLOATS).calls(dtype):
        grad, x = call.args
        if grad.stored.shape == x.stored.shape:
            noise = operand(numbers(x.stored.shape, dtype, 0.1, 1, 2), dtype)
            yield from (Call((grad, x, noise, 0.1, 0.3, training, False)) for training in (True, False))


def rrelu_backward(
    grad: np.ndarray, x: np.ndarray, noise: np.ndarray, lower: float, upper: float, training: bool, _: bool
) -> np.ndarray:
    return grad * noise if training else np.where(x > 0, grad, grad * (lower + upper) / 2)


ROWS = (
    Row("glu", glu, glu_calls, first, FLOATS),
    Row("glu_backward", glu_backward, glu_backward_calls, first, FLOATS),
    Row("glu_jvp", glu_jvp, glu_jvp_calls, first, FLOATS),
    Row("glu_backward_jvp", glu_backward_jvp, glu_backward_jvp_calls, first, FLOATS),
    Row("prelu", prelu, prelu_calls, first, FLOATS),
    Row("_prelu_kernel", lambda x, w: np.where(x > 0, x, w * x), prelu_kernel_calls, first, FLOATS),
    Row("_prelu_kernel_backward", prelu_backward, prelu_backward_calls, lambda c: (first(c),) * 2, FLOATS),
    Row("rrelu", rrelu, also(unary_calls(FINITE), (0.1, 0.3)), first, FLOATS),
    Row(
        "rrelu",
        rrelu,
        also(unary_calls(FINITE), (0.1, 0.3, True, Seeded())),
        first,
        FLOATS,
        label="training",
        compare=False,
    ),
    Row("rrelu_with_noise", lambda x, _, *more: rrelu(x, *more), with_noise(), first, FLOATS),
    Row("rrelu_with_noise_backward", rrelu_backward, noisy_gradients, first, FLOATS),
)
