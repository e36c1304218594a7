"""Sample rows of activation functions, their gradients, signs, complex parts and three-operand arithmetic."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from calls import Call
from references import clamp, erf, sigmoid
from rows import Calls, Domain, Row, binary, binary_calls, differs, first, real, same, unary, unary_calls
from tensors import COMPLEX, FLOATS, INTEGERS, LAYOUTS, NUMBERS, numbers, operand

UNIT = Domain(-1, 1)
FINITE = Domain(special=False)


def also(calls: Calls, *given: dict[str, Any] | tuple[Any, ...]) -> Calls:
    """The calls with more arguments: each of `given` in turn, positional ones or keywords."""

    def made(dtype: str) -> Iterator[Call]:
        for call in calls(dtype):
            for more in given:
                if isinstance(more, dict):
                    yield Call(call.args, {**call.kwargs, **more})
                else:
                    yield Call((*call.args, *more), call.kwargs)

    return made


def gradient(name: str, reference: Any, dtypes: tuple[str, ...] = FLOATS + COMPLEX, **options: Any) -> Row:
    """Of the result's gradient and another operand."""
    return binary(name, reference, same, low=-2, high=2, dtypes=dtypes, mixed=False, special=False, **options)


# ---- references


def silu(x: np.ndarray) -> np.ndarray:
    return x / (1 + np.exp(-x))


def silu_backward(grad: np.ndarray, x: np.ndarray) -> np.ndarray:
    s = sigmoid(x)
    return grad * s * (1 + x * (1 - s))


def gelu_backward(grad: np.ndarray, x: np.ndarray, approximate: str = "none") -> np.ndarray:
    if approximate == "none":
        cdf = 0.5 * (1 + erf(x / math.sqrt(2))) if x.size else x
        return grad * (cdf + x * np.exp(-(x**2) / 2) / math.sqrt(2 * math.pi))
    k = math.sqrt(2 / math.pi)
    t = np.tanh(k * (x + 0.044715 * x**3))
    return grad * (0.5 * (1 + t) + 0.5 * x * (1 - t**2) * k * (1 + 3 * 0.044715 * x**2))


def softplus(x: np.ndarray, beta: float = 1, threshold: float = 20) -> np.ndarray:
    return np.where(x * beta > threshold, x, np.logaddexp(0, x * beta) / beta)


def softplus_backward(grad: np.ndarray, x: np.ndarray, beta: float, threshold: float) -> np.ndarray:
    return np.where(x * beta > threshold, grad, grad * sigmoid(x * beta))


def leaky_relu_backward(grad: np.ndarray, x: np.ndarray, slope: float, self_is_result: bool) -> np.ndarray:
    return np.where(x > 0, grad, grad * slope)


def log_sigmoid(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return -np.logaddexp(0, -x), np.exp(-np.abs(x))


def sgn(x: np.ndarray) -> np.ndarray:
    if x.dtype.kind == "b":
        return x
    if x.dtype.kind != "c":
        return np.where(np.isnan(x), 0, np.sign(x)).astype(x.dtype)
    return np.where(x == 0, 0, x / np.abs(x))


def number(value: Any, like: np.ndarray) -> np.ndarray:
    return np.asarray(value).astype(like.dtype)


def addcmul(x: np.ndarray, a: np.ndarray, b: np.ndarray, value: Any = 1) -> np.ndarray:
    return x + number(value, x) * a * b


def addcdiv(x: np.ndarray, a: np.ndarray, b: np.ndarray, value: Any = 1) -> np.ndarray:
    return x + number(value, x) * a / b


def lerp(x: np.ndarray, end: np.ndarray, weight: Any) -> np.ndarray:
    return x + weight * (end - x)


# ---- calls


def three(low: float = -2, high: float = 2, **kwargs: Any) -> Calls:
    """Three operands that broadcast, the last away from zero."""

    def calls(dtype: str) -> Iterator[Call]:
        for shapes in (
            ((), (), ()),
            ((0,), (1,), (0,)),
            ((7,), (7,), (7,)),
            ((3, 5), (5,), (3, 1)),
            ((33, 17), (33, 17), (33, 17)),
            ((2, 3, 4, 5), (2, 3, 4, 5), (4, 5)),
            ((257, 301), (257, 301), (257, 301)),
        ):
            for layout in LAYOUTS:
                if layout == "contiguous" or differs(shapes[0], layout):
                    yield Call(tuple(three_operands(shapes, dtype, layout, low, high)), kwargs)

    return calls


def three_operands(
    shapes: tuple[tuple[int, ...], ...], dtype: str, layout: str, low: float, high: float
) -> Iterator[Any]:
    for i, shape in enumerate(shapes):
        bounds = (1, 4) if i == 2 else (low, high)
        yield operand(numbers(shape, dtype, *bounds, i), dtype, layout if i == 0 else "contiguous")


def buffered(dtype: str) -> Iterator[Call]:
    """What log_sigmoid_forward leaves is exp(-|self|)."""
    for call in gradient("", None).calls(dtype):
        grad, x = call.operands
        buffer = np.exp(-np.abs(np.asarray(x.values, np.float64)))
        if grad.stored.shape == x.stored.shape:
            yield Call((grad, x, operand(buffer, dtype)))


def complex_pairs(dtype: str) -> Iterator[Call]:
    for shape in ((2,), (7, 2), (3, 5, 2), (2, 3, 4, 2)):
        yield Call((operand(numbers(shape, dtype), dtype),))


def pairs_of(x: np.ndarray) -> np.ndarray:
    return np.stack([x.real, x.imag], -1)


def complex_of(call: Call) -> str:
    return "complex64" if first(call) == "float32" else "complex128"


def always_real(call: Call) -> str:
    return real(call)


ACTIVATIONS = (
    unary("silu", silu, same, dtypes=FLOATS, low=-3, special=False),
    unary("silu", silu, same, dtypes=COMPLEX, low=-1, high=1, label="complex"),
    Row("softplus", softplus, also(unary_calls(Domain(-9, 30)), (), (2.0, 5.0)), first, FLOATS),
    Row(
        "leaky_relu",
        lambda x, s=0.01: np.where(x > 0, x, x * s),
        also(unary_calls(Domain()), (), (0.3,)),
        first,
        FLOATS,
    ),
    Row(
        "threshold",
        lambda x, t, v: np.where(x <= t, number(v, x), x),
        also(unary_calls(Domain()), (1, 7)),
        first,
        INTEGERS + FLOATS,
    ),
    Row("hardtanh", clamp, also(unary_calls(Domain()), (0, 3)), first, INTEGERS + FLOATS),
    Row("hardtanh", lambda x: clamp(x, -1, 1), unary_calls(Domain()), first, FLOATS, label="defaults"),
    Row("log_sigmoid", lambda x: log_sigmoid(x)[0], unary_calls(Domain()), first, FLOATS),
    Row("log_sigmoid_forward", log_sigmoid, unary_calls(Domain()), lambda c: (first(c),) * 2, FLOATS),
)
GRADIENTS = (
    gradient("sigmoid_backward", lambda g, y: g * np.conj((1 - y) * y)),
    gradient("tanh_backward", lambda g, y: g * np.conj(1 - y * y)),
    gradient("silu_backward", silu_backward, FLOATS),
    gradient("gelu_backward", gelu_backward, FLOATS),
    gradient("gelu_backward", gelu_backward, FLOATS, label="tanh", approximate="tanh"),
    Row(
        "threshold_backward",
        lambda g, x, t: np.where(x <= t, 0, g),
        also(binary_calls(Domain()), (1,)),
        first,
        INTEGERS + FLOATS,
    ),
    Row(
        "hardtanh_backward",
        lambda g, x, low, high: np.where((x > low) & (x < high), g, 0),
        also(binary_calls(FINITE), (-1.5, 2.5)),
        first,
        FLOATS,
    ),
    Row("softplus_backward", softplus_backward, also(binary_calls(Domain(-9, 9)), (2.0, 5.0)), first, FLOATS),
    Row(
        "leaky_relu_backward",
        leaky_relu_backward,
        also(binary_calls(Domain()), (0.3, False), (0.1, True)),
        first,
        FLOATS,
    ),
    Row(
        "log_sigmoid_backward",
        lambda g, x, _: g * sigmoid(-x),
        buffered,
        first,
        FLOATS,
        tolerance=lambda d: (4e-2, 2e-2) if d == "bfloat16" else None,
    ),
)
ARITHMETIC = (
    unary("sign", sgn, same, dtypes=("bool", *INTEGERS, *FLOATS)),
    unary("sgn", sgn, same, special=False),
    Row("addcmul", addcmul, also(three(), {}, {"value": 3}), first, NUMBERS),
    Row("addcdiv", addcdiv, also(three(), {}, {"value": -0.5}), first, FLOATS + COMPLEX),
    Row("lerp", lerp, three(), first, FLOATS + COMPLEX),
    Row("lerp", lerp, also(binary_calls(FINITE), (0.3,), (0.75,)), first, FLOATS + COMPLEX, label="number"),
)
COMPLEX_PARTS = (
    unary("conj_physical", np.conj, same),
    unary("_conj_physical", np.conj, same),
    unary("conj", np.conj, same),
    unary("_conj", np.conj, same),
    unary("resolve_conj", lambda x: x, same),
    unary("real", np.real, always_real, special=False),
    unary("imag", np.imag, always_real, dtypes=COMPLEX),
    unary("view_as_real", pairs_of, always_real, dtypes=COMPLEX),
    Row(
        "view_as_complex",
        lambda x: x[..., 0] + 1j * x[..., 1],
        complex_pairs,
        complex_of,
        ("float32", "float64"),
    ),
)
ACTIVATION_ROWS = ACTIVATIONS + GRADIENTS + ARITHMETIC + COMPLEX_PARTS
