"""Sample rows of special functions: Bessel and Airy functions, incomplete gamma functions, zeta, polynomials.

The references are series, and integrals of periodic or fast decaying functions by the trapezoidal rule, which
converges exponentially for them.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator
from statistics import NormalDist
from typing import Any

import numpy as np
from calls import Call
from rows import Row, differs, first, floating
from tensors import FLOATS, LAYOUTS, numbers, operand

from samples.elementwise_functions import lgamma

WIDE = ("float32", "float64")
EULER = 0.57721566490153286


# ---- references


def averaged(f: Callable[[Any, Any], Any]) -> Callable[[np.ndarray], np.ndarray]:
    """Returns the mean of f(x, t) over a period of t."""
    t = np.arange(64) * (2 * np.pi / 64)
    return lambda x: np.asarray(f(x.astype(float)[..., None], t)).mean(-1)


def decaying(f: Callable[[Any, Any], Any]) -> Callable[[np.ndarray], np.ndarray]:
    """Returns the integral of f(x, t) over t >= 0, where f is even and vanishes beyond 8."""
    t = np.arange(160) * 0.05
    weights = np.where(t == 0, 0.025, 0.05)
    return lambda x: (np.asarray(f(x.astype(float)[..., None], t)) * weights).sum(-1)


i0 = averaged(lambda x, t: np.exp(x * np.cos(t)))
i1 = averaged(lambda x, t: np.exp(x * np.cos(t)) * np.cos(t))
j0 = averaged(lambda x, t: np.cos(x * np.sin(t)))
j1 = averaged(lambda x, t: np.cos(t - x * np.sin(t)))
k0 = decaying(lambda x, t: np.exp(-x * np.cosh(t)))
k1 = decaying(lambda x, t: np.exp(-x * np.cosh(t)) * np.cosh(t))


def harmonic(k: int) -> float:
    return sum(1 / i for i in range(1, k + 1))


def y0(x: np.ndarray) -> np.ndarray:
    x = x.astype(float)
    terms = (-((-x * x / 4) ** k) / math.factorial(k) ** 2 * harmonic(k) for k in range(30))
    return 2 / np.pi * ((np.log(x / 2) + EULER) * j0(x) + sum(terms))


def y1(x: np.ndarray) -> np.ndarray:
    x = x.astype(float)
    terms = (
        (-x * x / 4) ** k
        / (math.factorial(k) * math.factorial(k + 1))
        * (harmonic(k) + harmonic(k + 1) - 2 * EULER)
        for k in range(30)
    )
    return 2 / np.pi * (np.log(x / 2) * j1(x) - 1 / x) - x / (2 * np.pi) * sum(terms)


def airy_ai(x: np.ndarray) -> np.ndarray:
    """Sums the Maclaurin series; each term follows from the one before the last but one."""
    x = x.astype(float)
    even, odd = np.full_like(x, 3 ** (-2 / 3) / math.gamma(2 / 3)), -x * 3 ** (-1 / 3) / math.gamma(1 / 3)
    total = even + odd
    for k in range(1, 40):
        even, odd = even * x**3 / (3 * k * (3 * k - 1)), odd * x**3 / (3 * k * (3 * k + 1))
        total = total + even + odd
    return total


ndtri = np.vectorize(NormalDist().inv_cdf, otypes=[float])


def igamma(a: np.ndarray, x: np.ndarray) -> np.ndarray:
    a, x = a.astype(float), x.astype(float)
    terms = (np.exp((a + n) * np.log(x) - x - lgamma(a + n + 1)) for n in range(60))
    return sum(terms)


def igammac(a: np.ndarray, x: np.ndarray) -> np.ndarray:
    return 1 - igamma(a, x)


def zeta(s: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Computes 100 terms of the sum, and the rest by the Euler-Maclaurin formula."""
    s, q = np.asarray(s, float), np.asarray(q, float)
    end = q + 100
    rest = end ** (1 - s) / (s - 1) + end**-s / 2 + s * end ** -(s + 1) / 12
    return sum((q + k) ** -s for k in range(100)) + rest


def mvlgamma(x: np.ndarray, p: int) -> np.ndarray:
    return p * (p - 1) / 4 * math.log(math.pi) + sum(lgamma(x.astype(float) - i / 2) for i in range(p))


Step = Callable[[int, Any, Any, Any], Any]


def polynomial(one: Callable[[Any], Any], step: Step) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    """Returns the polynomial of degree n at x: 1, one(x), and step(k, x, last, the one before)."""

    def evaluate(x: Any, n: Any) -> np.ndarray:
        x, n = np.broadcast_arrays(np.asarray(x, float), np.trunc(np.asarray(n, float)))
        last, value = np.ones_like(x), one(x)
        result = np.where(n == 0, 1, np.where(n == 1, value, 0))
        for k in range(1, int(n.max(initial=1))):
            last, value = value, step(k, x, value, last)
            result = np.where(n == k + 1, value, result)
        return result

    return evaluate


def chebyshev(one: Callable[[Any], Any], shifted: bool) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    plain = polynomial(one, lambda k, x, last, before: 2 * x * last - before)
    return (lambda x, n: plain(2 * np.asarray(x, float) - 1, n)) if shifted else plain


KINDS: dict[str, Callable[[Any], Any]] = {
    "t": lambda x: x,
    "u": lambda x: 2 * x,
    "v": lambda x: 2 * x - 1,
    "w": lambda x: 2 * x + 1,
}
POLYNOMIALS = {
    **{
        f"{shift}chebyshev_polynomial_{kind}": chebyshev(one, bool(shift))
        for shift in ("", "shifted_")
        for kind, one in KINDS.items()
    },
    "hermite_polynomial_h": polynomial(lambda x: 2 * x, lambda k, x, p, q: 2 * x * p - 2 * k * q),
    "hermite_polynomial_he": polynomial(lambda x: x, lambda k, x, p, q: x * p - k * q),
    "laguerre_polynomial_l": polynomial(
        lambda x: 1 - x, lambda k, x, p, q: ((2 * k + 1 - x) * p - k * q) / (k + 1)
    ),
    "legendre_polynomial_p": polynomial(
        lambda x: x, lambda k, x, p, q: ((2 * k + 1) * x * p - k * q) / (k + 1)
    ),
}


# ---- calls


def of(low: float, high: float, shapes: tuple[tuple[int, ...], ...] = ((), (0,), (7,), (33, 17))) -> Any:
    def calls(dtype: str) -> Iterator[Call]:
        for shape in shapes:
            for layout in ("contiguous", "sliced", "transposed"):
                if layout == "contiguous" or differs(shape, layout):
                    yield Call((operand(numbers(shape, dtype, low, high), dtype, layout),))

    return calls


def pairs(left: tuple[float, float], right: tuple[float, float], scalar: float | None = None) -> Any:
    """Returns two operands, broadcast too; with a scalar also that in place of either."""

    def calls(dtype: str) -> Iterator[Call]:
        for a, b in (((), ()), ((0,), (1,)), ((7,), (7,)), ((3, 1), (1, 5)), ((9, 7), (7,))):
            for layout in LAYOUTS:
                if layout == "contiguous" or differs(a, layout):
                    x, y = numbers(a, dtype, *left), numbers(b, dtype, *right, 1)
                    yield Call((operand(x, dtype, layout), operand(y, dtype)))
        if scalar is not None:
            yield Call((operand(numbers((7,), dtype, *left), dtype), scalar))
            yield Call((scalar, operand(numbers((7,), dtype, *right), dtype)))

    return calls


def with_dimension(calls: Any) -> Any:
    return lambda dtype: (Call((*call.args, p)) for call in calls(dtype) for p in (1, 3))


row = functools.partial(Row, dtype=floating, common=True)


def one(name: str, reference: Any, low: float, high: float, dtypes: tuple[str, ...] = WIDE) -> Row:
    return row(name, reference, of(low, high), dtypes=dtypes)


ROWS = (
    *(one(name, i0, -5, 5, FLOATS) for name in ("i0", "special_i0")),
    one("special_modified_bessel_i0", i0, -5, 5),
    one("special_i0e", lambda x: i0(x) * np.exp(-np.abs(x)), -5, 5, FLOATS),
    one("special_i1", i1, -5, 5, FLOATS),
    one("special_modified_bessel_i1", i1, -5, 5),
    one("special_i1e", lambda x: i1(x) * np.exp(-np.abs(x)), -5, 5, FLOATS),
    one("special_modified_bessel_k0", k0, 0.1, 5),
    one("special_modified_bessel_k1", k1, 0.1, 5),
    one("special_scaled_modified_bessel_k0", lambda x: k0(x) * np.exp(x), 0.1, 5),
    one("special_scaled_modified_bessel_k1", lambda x: k1(x) * np.exp(x), 0.1, 5),
    one("special_bessel_j0", j0, -20, 20),
    one("special_bessel_j1", j1, -20, 20),
    one("special_bessel_y0", y0, 0.1, 7),
    one("special_bessel_y1", y1, 0.1, 7),
    one("special_spherical_bessel_j0", lambda x: np.sinc(x.astype(float) / np.pi), -20, 20),
    one("special_airy_ai", airy_ai, -6, 3),
    one("special_ndtri", ndtri, 0.001, 0.999),
    *(
        Row(name, mvlgamma, with_dimension(of(1.5, 5)), first, FLOATS)
        for name in ("mvlgamma", "special_multigammaln")
    ),
    *(
        row(name, reference, pairs((0.1, 5), (0.1, 8)), dtypes=FLOATS, dtype=first)
        for name, reference in (
            ("igamma", igamma),
            ("igammac", igammac),
            ("special_gammainc", igamma),
            ("special_gammaincc", igammac),
        )
    ),
    row("special_zeta", zeta, pairs((1.5, 5), (0.1, 5), 2.5), dtypes=WIDE),
    *(
        row(f"special_{name}", reference, pairs((-1.5, 1.5), (-2, 9), 1.5), dtypes=WIDE)
        for name, reference in POLYNOMIALS.items()
    ),
)
