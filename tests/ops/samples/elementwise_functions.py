"""Sample rows of mathematical functions: exponentials and logarithms, trigonometric and hyperbolic functions,
special functions."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any

import numpy as np
from calls import Call
from references import erf, rsqrt, sigmoid
from rows import Domain, Row, also, binary, first, floating, gradient, real, unary, unary_calls
from tensors import FLOATS, REAL

erfc = np.vectorize(math.erfc, otypes=[float])
lgamma = np.vectorize(math.lgamma, otypes=[float])
erfinv = np.vectorize(lambda x: NormalDist().inv_cdf((x + 1) / 2) / math.sqrt(2), otypes=[float])


def digamma(x: np.ndarray) -> np.ndarray:
    """Computes the asymptotic series, 30 steps up the recurrence."""
    y = x.astype(float) + 30
    series = np.log(y) - 1 / (2 * y) - 1 / (12 * y**2) + 1 / (120 * y**4) - 1 / (252 * y**6)
    return series - sum(1 / (x.astype(float) + k) for k in range(30))


def polygamma(n: int, x: np.ndarray) -> np.ndarray:
    """Computes 200 terms of the sum, and the rest by the Euler-Maclaurin formula."""
    end, s = x.astype(float) + 200, n + 1
    total = sum((x.astype(float) + k) ** -s for k in range(200))
    total = total + end**-n / n + end**-s / 2 + s * end ** -(s + 1) / 12
    return (-1) ** (n + 1) * math.factorial(n) * total


def sinc(x: np.ndarray) -> np.ndarray:
    y = np.pi * x.astype(complex if x.dtype.kind == "c" else float)
    return np.where(y == 0, 1, np.sin(y) / np.where(y == 0, 1, y))


def entropy(x: np.ndarray) -> np.ndarray:
    return np.where(x == 0, 0, np.where(x < 0, -np.inf, -x * np.log(np.where(x > 0, x, 1))))


def log_normal(x: np.ndarray) -> np.ndarray:
    return np.log(erfc(-x / math.sqrt(2)) / 2)


def normal(x: np.ndarray) -> np.ndarray:
    return erfc(-x / math.sqrt(2)) / 2


def times_log(log: Any) -> Any:
    return lambda x, y: np.where((x == 0) & ~np.isnan(y), 0, x * log(y))


def angle(x: np.ndarray) -> np.ndarray:
    """Returns the angle; for real numbers the sign of zero is ignored."""
    if x.dtype.kind == "c":
        return np.angle(x)
    return np.where(np.isnan(x), x, np.where(x < 0, np.pi, 0))


def logit(x: np.ndarray, eps: float | None = None) -> np.ndarray:
    x = x if eps is None else np.clip(x, eps, 1 - eps)
    return np.log(x / (1 - x))


def logit_backward(grad: np.ndarray, x: np.ndarray, eps: float | None = None) -> np.ndarray:
    inside = grad / (x * (1 - x))
    return inside if eps is None else np.where((x < eps) | (x > 1 - eps), 0, inside)


def real_floating(call: Call) -> str:
    return floating(call) if "complex" not in first(call) else real(call)


ONE = (
    unary("acos", np.arccos, low=-1, high=1),
    unary("asin", np.arcsin, low=-1, high=1),
    unary("atan", np.arctan, low=-1, high=1),
    unary("acosh", np.arccosh, low=1, high=5),
    unary("asinh", np.arcsinh, low=-1, high=1),
    unary("atanh", np.arctanh, low=-0.9, high=0.9),
    unary("sinh", np.sinh, low=-2, high=2),
    unary("cosh", np.cosh, low=-2, high=2),
    unary("tan", np.tan, low=-1, high=1),
    unary("sinc", sinc, low=-2, high=2, special=False),
    unary("exp2", np.exp2),
    unary("expm1", np.expm1, low=-2, high=2),
    unary("log10", np.log10, low=0.1),
    unary("log1p", np.log1p, low=-0.9),
    unary("log2", np.log2, low=0.1),
    unary("erf", erf, dtypes=REAL, special=False),
    unary("erfc", erfc, dtypes=REAL, low=-2, high=2, special=False),
    unary("erfinv", erfinv, dtypes=FLOATS, low=-0.9, high=0.9, special=False),
    unary(
        "special_erfcx",
        lambda x: np.exp(x.astype(float) ** 2) * erfc(x),
        dtypes=("float32", "float64"),
        low=-2,
        special=False,
    ),
    unary("lgamma", lgamma, dtypes=FLOATS, low=0.5, special=False),
    unary("digamma", digamma, dtypes=FLOATS, low=0.5, special=False),
    unary("special_entr", entropy, dtypes=FLOATS, low=-1, special=False),
    unary("special_log_ndtr", log_normal, dtypes=("float32", "float64"), special=False),
    unary("special_ndtr", normal, dtypes=FLOATS, low=-8, special=False),
    unary("angle", angle, real_floating, low=1, inplace=False),
    unary("exp", np.exp),
    unary("log", np.log, low=0.1),
    unary("sqrt", np.sqrt, low=0),
    unary("rsqrt", rsqrt, low=0.1),
    unary("sin", np.sin),
    unary("cos", np.cos),
    unary("tanh", np.tanh, low=-1, high=1),
    unary("sigmoid", sigmoid, low=-1, high=1),
)

TWO = (
    binary("atan2", np.arctan2, floating, dtypes=REAL, mixed=False),
    *(
        binary(
            name,
            times_log(log),
            floating,
            numbers=(0, 2),
            order=order,
            low=0.5,
            dtypes=FLOATS,
            mixed=False,
            special=False,
            label=order,
        )
        for name, log in (("xlogy", np.log), ("special_xlogy", np.log), ("special_xlog1py", np.log1p))
        for order in ("ts", "st")
    ),
)

MODES = (
    Row("logit", logit, also(unary_calls(Domain(0.1, 0.9, False)), {}, (0.2,)), first, FLOATS),
    Row(
        "polygamma",
        polygamma,
        lambda dtype: (
            Call((n, *call.args)) for call in unary_calls(Domain(0.5, 5, False))(dtype) for n in (1, 2, 3)
        ),
        first,
        FLOATS,
        inplace=False,
    ),
    Row(
        "logit_backward",
        logit_backward,
        also(gradient("", None, FLOATS, second=Domain(0.1, 0.9, False)).calls, {}, (0.2,)),
        first,
        FLOATS,
    ),
)
ROWS = ONE + TWO + MODES
