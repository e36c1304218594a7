"""The Chebyshev series of ops/elementwise/functors: functions, their intervals, and the coefficients anew.

python tests/numerics/series.py     # a row of Markdown for each
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from headers import array
from mpmath import (
    airyai,
    airybi,
    besseli,
    besselj,
    besselk,
    bessely,
    cos,
    exp,
    log,
    loggamma,
    mp,
    mpf,
    pi,
    sin,
    sqrt,
)
from remez import nearest

NODES = 128  # the series of 1/x don't converge at a constant rate
ONE_ULP = mpf(2) ** -52
Real = Callable[[mpf], mpf]
BESSEL, MODIFIED = "bessel.h", "modified_bessel.h"


@dataclass(frozen=True)
class Series:
    """The sum of c[k] T_k(t) is function(t) for t from -1 to 1."""

    file: str
    function_name: str
    array_name: str
    formula: str
    function: Real

    def coefficients(self) -> list[mpf]:
        path = f"ops/elementwise/functors/{self.file}"
        return array(path, f" {self.function_name}(double", f"{self.array_name}[] = {{")

    def exact(self, count: int) -> list[mpf]:
        """By interpolation in the zeros of T_NODES."""
        angles = [(2 * j + 1) / mpf(2 * NODES) for j in range(NODES)]
        values = [self.function(mp.cospi(angle)) for angle in angles]
        sums = [
            2 * sum(f * mp.cospi(k * angle) for f, angle in zip(values, angles, strict=True)) / NODES
            for k in range(count)
        ]
        return [sums[0] / 2, *sums[1:]]


def small(function: Callable[[mpf], mpf]) -> Real:
    """x from 0 to 5, t = 0.08 x^2 - 1."""
    return lambda t: function(sqrt((t + 1) * mpf("12.5")))


def wave(order: int, quadrature: bool) -> Real:
    """p or q of (p + iq) exp(i(x - phase)) sqrt(2 / (pi x)) = J + iY; q over 5/x; t = 2 (5/x)^2 - 1."""

    def value(t: mpf) -> mpf:
        ratio = sqrt((t + 1) / 2)
        x, phase = 5 / ratio, (2 * order + 1) * pi / 4
        j, y, c, s = besselj(order, x), bessely(order, x), cos(x - phase), sin(x - phase)
        return sqrt(pi * x / 2) * ((y * c - j * s) / ratio if quadrature else j * c + y * s)

    return value


def bessels() -> Iterator[Series]:
    factor = 2 / pi
    rows: list[tuple[str, str, str, Real]] = [
        ("small_j0", "j0", "J0(x)", small(lambda x: besselj(0, x))),
        ("small_j1", "j1", "J1(x) / x", small(lambda x: besselj(1, x) / x)),
        (
            "small_y0", "y0", "Y0(x) - 2/pi log(x) J0(x)",
            small(lambda x: bessely(0, x) - factor * log(x) * besselj(0, x)),
        ),
        (
            "small_y1", "y1", "(Y1(x) - 2/pi (log(x) J1(x) - 1/x)) / x",
            small(lambda x: (bessely(1, x) - factor * (log(x) * besselj(1, x) - 1 / x)) / x),
        ),
    ]  # fmt: skip
    for row in rows:
        yield Series(BESSEL, *row)
    for order in (0, 1):
        for name in ("p", "q"):
            formula = f"{name} of J{order} + i Y{order}"
            yield Series(BESSEL, f"large_wave{order}", name, formula, wave(order, name == "q"))


def airy_wave(quadrature: bool) -> Real:
    """P or Q zeta of Ai(-y) = (cos(zeta - pi/4) P + sin(zeta - pi/4) Q) / (sqrt(pi) y^(1/4))."""
    least = mpf(2) / 3 * mpf(5) ** mpf("1.5")

    def value(t: mpf) -> mpf:
        zeta = least / sqrt((t + 1) / 2)
        y, phase = (3 * zeta / 2) ** (mpf(2) / 3), zeta - pi / 4
        a, b, scale = airyai(-y), airybi(-y), sqrt(pi) * sqrt(sqrt(y))
        if quadrature:
            return zeta * scale * (a * sin(phase) + b * cos(phase))
        return scale * (a * cos(phase) - b * sin(phase))

    return value


def airy_large(t: mpf) -> mpf:
    zeta = 2 * (mpf(2) / 3 * mpf(2) ** mpf("1.5")) / (t + 1)
    x = (3 * zeta / 2) ** (mpf(2) / 3)
    return airyai(x) * exp(zeta) * 2 * sqrt(pi) * sqrt(sqrt(x))


def airys() -> Iterator[Series]:
    rows: list[tuple[str, str, Real]] = [
        ("negative", "Ai(x), -5 <= x <= 0", lambda t: airyai((t - 1) * mpf("2.5"))),
        ("positive", "Ai(x) exp(1.16 x), 0 <= x <= 2", lambda t: airyai(t + 1) * exp((t + 1) * mpf("1.16"))),
        ("large", "2 sqrt(pi) x^(1/4) exp(zeta) Ai(x), x >= 2", airy_large),
        ("wave_p", "P of Ai(-y), y >= 5", airy_wave(False)),
        ("wave_q", "Q zeta of Ai(-y), y >= 5", airy_wave(True)),
    ]
    for name, formula, function in rows:
        yield Series(BESSEL, "airy_ai", name, formula, function)


def modified_small(function: Callable[[mpf], mpf]) -> Real:
    """x from 0 to 2, t = x^2 / 2 - 1."""
    return lambda t: function(sqrt(2 * (t + 1)))


def modified() -> Iterator[Series]:
    for n in (0, 1):
        yield Series(
            MODIFIED, f"i{n}e", "small", f"exp(-x) I{n}(x)" + " / x" * n + ", 0 <= x <= 8",
            lambda t, n=n: besseli(n, 4 * (t + 1)) * exp(-4 * (t + 1)) / (4 * (t + 1)) ** n,
        )  # fmt: skip
        yield Series(
            MODIFIED, f"i{n}e", "large", f"sqrt(x) exp(-x) I{n}(x), x >= 8",
            lambda t, n=n: besseli(n, 16 / (t + 1)) * exp(-16 / (t + 1)) * sqrt(16 / (t + 1)),
        )  # fmt: skip
        yield Series(
            MODIFIED, f"large_k{n}", "large", f"sqrt(x) exp(x) K{n}(x), x >= 2",
            lambda t, n=n: besselk(n, 4 / (t + 1)) * exp(4 / (t + 1)) * sqrt(4 / (t + 1)),
        )  # fmt: skip
    rows: list[tuple[str, str, str, Real]] = [
        (
            "small_k0", "k0", "K0(x) + log(x/2) I0(x)",
            modified_small(lambda x: besselk(0, x) + log(x / 2) * besseli(0, x)),
        ),
        ("small_k0", "i0", "I0(x)", modified_small(lambda x: besseli(0, x))),
        (
            "small_k1", "k1", "x (K1(x) - log(x/2) I1(x))",
            modified_small(lambda x: x * (besselk(1, x) - log(x / 2) * besseli(1, x))),
        ),
        ("small_k1", "i1", "I1(x) / x", modified_small(lambda x: besseli(1, x) / x)),
    ]  # fmt: skip
    for row in rows:
        yield Series(MODIFIED, *row)


def all_series() -> Iterator[Series]:
    yield from bessels()
    yield from airys()
    yield from modified()
    yield Series(
        "incomplete_gamma.h", "near_lgamma", "series", "log(gamma(1 + a)) / a, 0 <= a <= 5/4",
        lambda t: loggamma(1 + (t + 1) / mpf("1.6")) / ((t + 1) / mpf("1.6")),
    )  # fmt: skip


def compare(series: Series) -> tuple[int, mpf]:
    """How many coefficients aren't the nearest doubles, and what all of them can add to the sum, in ulp of
    the greatest.
    """
    code = series.coefficients()
    exact = series.exact(len(code))
    away = sum(c != nearest(e, 53) for c, e in zip(code, exact, strict=True))
    lost = sum(abs(c - e) for c, e in zip(code, exact, strict=True))
    return away, lost / (max(map(abs, code)) * ONE_ULP)


def main() -> None:
    for series in all_series():
        away, lost = compare(series)
        row = (series.file, series.function_name, series.array_name, f"`{series.formula}`")
        print(
            f"| {' | '.join(row)} | {len(series.coefficients())} | {away} | {float(lost):.2g} |", flush=True
        )


if __name__ == "__main__":
    main()
