"""Sample rows of elementwise functions beside arithmetic: inverse and hyperbolic functions, rounding, special
functions, further operators of two operands."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from statistics import NormalDist
from typing import Any

import numpy as np
from calls import Call
from references import clamp, erf
from rows import Domain, Row, binary, boolean, first, floating, real, same, unary, unary_calls
from samples_activation import also
from tensors import COMPLEX, DTYPES, FLOATS, INTEGERS, NUMBERS, REAL, operand

erfc = np.vectorize(math.erfc, otypes=[float])
lgamma = np.vectorize(math.lgamma, otypes=[float])
erfinv = np.vectorize(lambda x: NormalDist().inv_cdf((x + 1) / 2) / math.sqrt(2), otypes=[float])
WHOLE = INTEGERS + FLOATS


def digamma(x: np.ndarray) -> np.ndarray:
    """The asymptotic series, 30 steps up the recurrence."""
    y = x.astype(float) + 30
    series = np.log(y) - 1 / (2 * y) - 1 / (12 * y**2) + 1 / (120 * y**4) - 1 / (252 * y**6)
    return series - sum(1 / (x.astype(float) + k) for k in range(30))


def polygamma(n: int, x: np.ndarray) -> np.ndarray:
    """200 terms of the sum, and what the Euler-Maclaurin formula has for the rest."""
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


def frac(x: np.ndarray) -> np.ndarray:
    return x - np.trunc(x)


def times_log(log: Any) -> Any:
    return lambda x, y: np.where((x == 0) & ~np.isnan(y), 0, x * log(y))


def angle(x: np.ndarray) -> np.ndarray:
    """A real number's angle knows no negative zero."""
    if x.dtype.kind == "c":
        return np.angle(x)
    return np.where(np.isnan(x), x, np.where(x < 0, np.pi, 0))


def logit(x: np.ndarray, eps: float | None = None) -> np.ndarray:
    x = x if eps is None else np.clip(x, eps, 1 - eps)
    return np.log(x / (1 - x))


def real_floating(call: Call) -> str:
    return floating(call) if "complex" not in first(call) else real(call)


def wide_floating(call: Call) -> str:
    return "complex128" if "complex" in same(call) else "float64"


def float_power(order: str, dtypes: tuple[str, ...]) -> Row:
    return binary(
        "float_power",
        np.power,
        wide_floating,
        numbers=(2, 0.5),
        order=order,
        low=1,
        high=3,
        dtypes=dtypes,
        mixed=False,
        special=False,
        label=order,
    )


def bounds(keyword: str) -> Any:
    """One bound, as a number and as a tensor."""

    def calls(dtype: str) -> Iterator[Call]:
        for call in unary_calls(Domain())(dtype):
            (x,) = call.args
            high = operand(Domain(0, 3, False).values(x.stored.shape[-1:], dtype), dtype)
            yield from (Call((x,), {keyword: 2}), Call((x,), {keyword: high}))

    return calls


def shifted_calls(dtype: str) -> Iterator[Call]:
    for call in unary_calls(Domain(0, 4, False))(dtype):
        (x,) = call.args
        by = operand(Domain(0, 3, False).values(x.stored.shape[-1:], dtype), dtype)
        yield from (Call((x, by)), Call((x, 2)))


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
    unary("ceil", np.ceil, same, dtypes=WHOLE),
    unary("floor", np.floor, same, dtypes=WHOLE),
    unary("round", np.round, same, dtypes=WHOLE),
    unary("trunc", np.trunc, same, dtypes=WHOLE),
    unary("frac", frac, same, dtypes=FLOATS, special=False),
    unary("square", np.square, same, dtypes=NUMBERS),
    unary("positive", np.positive, same, dtypes=NUMBERS, inplace=False),
    unary("signbit", np.signbit, boolean, dtypes=WHOLE),
    unary("isposinf", np.isposinf, boolean, dtypes=FLOATS),
    unary("isneginf", np.isneginf, boolean, dtypes=FLOATS),
    unary("isreal", np.isreal, boolean),
    unary("angle", angle, real_floating, low=1, inplace=False),
    unary("deg2rad", np.deg2rad, dtypes=REAL),
    unary("rad2deg", np.rad2deg, dtypes=REAL),
)

TWO = (
    binary("atan2", np.arctan2, floating, dtypes=REAL, mixed=False),
    binary("hypot", np.hypot, dtypes=FLOATS, mixed=False),
    binary("copysign", np.copysign, floating, numbers=(2, -1.5), dtypes=REAL, mixed=False),
    binary("nextafter", np.nextafter, dtypes=("float64",), mixed=False),
    binary("fmod", np.fmod, numbers=(2, -1.5), dtypes=WHOLE, second=Domain(1, 5), mixed=False, special=False),
    binary("fmax", np.fmax, dtypes=REAL, mixed=False),
    binary("fmin", np.fmin, dtypes=REAL, mixed=False),
    binary("heaviside", np.heaviside, dtypes=FLOATS, mixed=False, special=False),
    binary("gcd", np.gcd, dtypes=INTEGERS, mixed=False),
    binary("lcm", np.lcm, dtypes=INTEGERS, mixed=False),
    binary("logaddexp", np.logaddexp, dtypes=FLOATS, mixed=False, special=False),
    binary("logaddexp2", np.logaddexp2, dtypes=FLOATS, mixed=False, special=False),
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
    binary("ldexp", lambda x, y: x * 2.0**y, dtypes=FLOATS, low=-2, high=2, mixed=False, special=False),
    # In place the base has to be of the wide dtype already.
    *(replace(float_power(order, DTYPES), inplace=False) for order in ("ts", "st")),
    replace(float_power("ts", ("float64", "complex128")), label="wide"),
    *(
        binary(
            name,
            function,
            numbers=(1, 2),
            order=order,
            low=0,
            high=3,
            dtypes=INTEGERS,
            mixed=False,
            label=order,
        )
        for name, function in (("bitwise_left_shift", np.left_shift), ("bitwise_right_shift", np.right_shift))
        for order in ("ts", "st")
    ),
    Row("__lshift__", np.left_shift, shifted_calls, first, INTEGERS),
    Row("__rshift__", np.right_shift, shifted_calls, first, INTEGERS),
)

MODES = (
    Row("clamp_max", clamp, bounds("max"), first, WHOLE),
    Row("clamp_min", clamp, bounds("min"), first, WHOLE),
    Row(
        "round",
        lambda x, decimals: np.round(x, decimals),
        also(unary_calls(Domain()), {"decimals": 1}, {"decimals": -1}),
        first,
        ("float64",),
        label="decimals",
    ),
    Row("logit", logit, also(unary_calls(Domain(0.1, 0.9, False)), {}, (0.2,)), first, FLOATS),
    Row(
        "nan_to_num",
        lambda x, nan, above, below: np.nan_to_num(x, True, nan or 0.0, above, below),
        also(unary_calls(Domain()), (1.0, 2.0, 3.0), (None, 7.0, -7.0)),
        first,
        FLOATS + COMPLEX,
    ),
    Row("nan_to_num", np.nan_to_num, unary_calls(Domain()), first, ("float64", "int64"), label="defaults"),
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
)
ELEMENTWISE_ROWS = ONE + TWO + MODES
