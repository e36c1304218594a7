"""Sample rows of activation functions of one operand, and of their gradients."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from calls import Call
from references import clamp, erf, gelu, masked_fill, sigmoid
from rows import FINITE, Domain, Row, also, binary_calls, first, gradient, same, unary, unary_calls
from tensors import COMPLEX, FLOATS, INTEGERS, operand


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


def log_sigmoid_backward_calls(dtype: str) -> Iterator[Call]:
    """Yields calls with the buffer that log_sigmoid_forward returns, exp(-|self|)."""
    for call in gradient("", None).calls(dtype):
        grad, x = call.operands
        buffer = np.exp(-np.abs(np.asarray(x.values, np.float64)))
        if grad.stored.shape == x.stored.shape:
            yield Call((grad, x, operand(buffer, dtype)))


def elu(x: np.ndarray, alpha: float = 1, scale: float = 1, input_scale: float = 1) -> np.ndarray:
    return scale * np.where(x < 0, alpha * np.expm1(x * input_scale), x)


def elu_backward(
    grad: np.ndarray, alpha: float, scale: float, input_scale: float, is_result: bool, y: np.ndarray
) -> np.ndarray:
    below = y + alpha * scale if is_result else alpha * scale * np.exp(y * input_scale)
    return grad * np.where(y <= 0, input_scale * below, scale)


def elu_backward_calls(dtype: str) -> Iterator[Call]:
    for call in gradient("", None, FLOATS).calls(dtype):
        grad, y = call.args
        yield from (Call((grad, 1.5, 2.0, 0.5, is_result, y)) for is_result in (False, True))


def hardsigmoid(x: np.ndarray) -> np.ndarray:
    return np.clip(x + 3, 0, 6) / 6


def shrunk(x: np.ndarray, lambd: float = 0.5) -> np.ndarray:
    return np.sign(x) * np.maximum(np.abs(x) - lambd, 0)


def hard(x: np.ndarray, lambd: float = 0.5) -> np.ndarray:
    return np.where(np.abs(x) <= lambd, 0, x)


def shrink_backward(grad: np.ndarray, x: np.ndarray, lambd: float) -> np.ndarray:
    return np.where(np.abs(x) <= lambd, 0, grad)


def mish_backward(grad: np.ndarray, x: np.ndarray) -> np.ndarray:
    t = np.tanh(np.logaddexp(0, x))
    return grad * (t + x * sigmoid(x) * (1 - t * t))


def hardswish_backward(grad: np.ndarray, x: np.ndarray) -> np.ndarray:
    return grad * np.where(x <= -3, 0, np.where(x < 3, x / 3 + 0.5, 1))


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
        lambda x, t, v: masked_fill(x, x <= t, v),
        also(unary_calls(Domain()), (1, 7)),
        first,
        INTEGERS + FLOATS,
    ),
    Row("hardtanh", clamp, also(unary_calls(Domain()), (0, 3)), first, INTEGERS + FLOATS),
    Row("hardtanh", lambda x: clamp(x, -1, 1), unary_calls(Domain()), first, FLOATS, label="defaults"),
    Row("log_sigmoid", lambda x: log_sigmoid(x)[0], unary_calls(Domain()), first, FLOATS),
    Row("log_sigmoid_forward", log_sigmoid, unary_calls(Domain()), lambda c: (first(c),) * 2, FLOATS),
    unary("relu", lambda x: np.where(x < 0, 0, x).astype(x.dtype), same, dtypes=INTEGERS + FLOATS),
    unary("gelu", gelu, same, dtypes=FLOATS, special=False),
    Row(
        "gelu",
        gelu,
        lambda d: (
            Call(c.args, {"approximate": "tanh"}) for c in unary("gelu", gelu, special=False).calls(d)
        ),
        first,
        FLOATS,
        label="tanh",
    ),
    Row("elu", elu, also(unary_calls(FINITE), {}, (1.5, 2.0, 0.5)), first, FLOATS),
    Row("celu", lambda x, a: elu(x, a, 1, 1 / a), also(unary_calls(FINITE), (1.5,)), first, FLOATS),
    unary(
        "selu", lambda x: elu(x, 1.6732632423543772, 1.0507009873554805), same, dtypes=FLOATS, special=False
    ),
    unary("relu6", lambda x: np.clip(x, 0, 6), same, dtypes=FLOATS),
    unary("hardsigmoid", hardsigmoid, same, dtypes=FLOATS),
    unary("hardswish", lambda x: x * hardsigmoid(x), same, dtypes=FLOATS, special=False),
    unary("mish", lambda x: x * np.tanh(np.logaddexp(0, x)), same, dtypes=FLOATS, special=False),
    Row("hardshrink", hard, also(unary_calls(FINITE), {}, (1.0,)), first, FLOATS),
    Row("softshrink", shrunk, also(unary_calls(FINITE), {}, (1.0,)), first, FLOATS),
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
        log_sigmoid_backward_calls,
        first,
        FLOATS,
        tolerance=lambda d: (4e-2, 2e-2) if d == "bfloat16" else None,
    ),
    Row("elu_backward", elu_backward, elu_backward_calls, first, FLOATS),
    gradient("hardsigmoid_backward", lambda g, x: np.where(np.abs(x) < 3, g / 6, 0), FLOATS),
    gradient("hardswish_backward", hardswish_backward, FLOATS),
    gradient("mish_backward", mish_backward, FLOATS),
    *(
        Row(name, shrink_backward, also(gradient("", None, FLOATS).calls, (0.5,)), first, FLOATS)
        for name in ("hardshrink_backward", "softshrink_backward")
    ),
)
ROWS = ACTIVATIONS + GRADIENTS
