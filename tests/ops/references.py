"""NumPy references that are more than one NumPy function."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

erf = np.vectorize(math.erf, otypes=[float])


def gelu(x: np.ndarray, approximate: str = "none") -> np.ndarray:
    if approximate == "tanh":
        return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + erf(x / math.sqrt(2))) if x.size else x


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-(x if x.dtype.kind in "fc" else x.astype(float))))


def rsqrt(x: np.ndarray) -> np.ndarray:
    return 1 / np.sqrt(x if x.dtype.kind in "fc" else x.astype(float))


def logical(function: Any) -> Any:
    """Applies a function to truth values; NaN is true."""
    return lambda *args: function(*(np.asarray(a) != 0 for a in args))


def divide(a: np.ndarray, b: np.ndarray, rounding_mode: str | None = None) -> np.ndarray:
    if rounding_mode == "floor":
        return floor_divide(a, b)
    if rounding_mode == "trunc":
        return np.trunc(a / b) if a.dtype.kind == "f" else truncated(a, b)
    return np.true_divide(a, b)


def truncated(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Divides integers towards zero."""
    quotient = np.floor_divide(a, b)
    return (quotient + ((np.remainder(a, b) != 0) & ((a < 0) != (b < 0)))).astype(a.dtype)


def floor_divide(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Divides as PyTorch: x / 0 is infinite for floats, where NumPy gives NaN for some."""
    if a.dtype.kind != "f":
        return np.floor_divide(a, b)
    return np.where(b == 0, a / b, np.floor_divide(a, b))


def remainder(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.remainder(a, b)


def integer_power(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Computes a wrapping power; a negative exponent gives the truncated reciprocal."""
    if np.asarray(a).dtype.kind not in "iu":
        return np.power(a, b)
    a, b = np.broadcast_arrays(a, b)
    positive = np.power(a, np.where(b < 0, 0, b).astype(b.dtype))
    reciprocal = np.where(a == 1, 1, np.where(a == -1, np.where(b % 2, -1, 1), 0))
    return np.where(b < 0, reciprocal, positive).astype(a.dtype)


def clamp(x: np.ndarray, min: Any = None, max: Any = None) -> np.ndarray:
    """Clamps; `max` has precedence over `min`, and NaN stays."""
    if min is not None:
        x = np.maximum(x, min)
    return np.minimum(x, max) if max is not None else x


def masked_fill(x: np.ndarray, mask: np.ndarray, value: Any) -> np.ndarray:
    return np.where(mask, np.asarray(value).astype(x.dtype), x)


def softmax(x: np.ndarray, dim: int, *_: Any, **__: Any) -> np.ndarray:
    if x.size == 0:
        return x
    e = np.exp(x - np.max(x, axis=dim, keepdims=True))
    return e / np.sum(e, axis=dim, keepdims=True)


def log_softmax(x: np.ndarray, dim: int, *_: Any, **__: Any) -> np.ndarray:
    if x.size == 0:
        return x
    shifted = x - np.max(x, axis=dim, keepdims=True)
    return shifted - np.log(np.sum(np.exp(shifted), axis=dim, keepdims=True))
