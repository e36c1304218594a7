"""The polynomials of ops/linalg/matrix_exp.cpp and the norms up to which they are used.

They are those of P. Bader, S. Blanes and F. Casas, "Computing the matrix exponential with an optimized Taylor
polynomial approximation", Mathematics 7 (2019), 1174. Here: that their products are Taylor polynomials, and
that the norms are those up to which the backward error is one rounding.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from headers import NUMBER, ROOT, array, value
from mpmath import factorial, findroot, mp, mpf

FILE = "ops/linalg/matrix_exp.cpp"
DEGREES = (1, 2, 4, 8, 12, 18)
ORDER = 120  # of the power series of the backward error
Polynomial = list[mpf]


def times(a: Polynomial, b: Polynomial) -> Polynomial:
    product = [mpf(0)] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            product[i + j] += x * y
    return product


def plus(a: Polynomial, b: Polynomial) -> Polynomial:
    size = max(len(a), len(b))
    padded = ([*one, *[mpf(0)] * (size - len(one))] for one in (a, b))
    return [x + y for x, y in zip(*padded, strict=True)]


def rows(degree: int, powers: tuple[int, ...]) -> list[Polynomial]:
    text = (ROOT / FILE).read_text(encoding="utf-8")
    text = text[text.index(f"Tensor degree_{degree}(") :]
    text = text[: text.index("\n}")]
    found = []
    for row in re.findall(r"\brow\(([^;]*)\);", text):
        polynomial = [mpf(0)] * (powers[-1] + 1)
        for power, digits in zip(powers, re.findall(NUMBER, row), strict=True):
            polynomial[power] = value(digits)
        found.append(polynomial)
    return found


def products() -> dict[int, Polynomial]:
    b1, b2, b3, b4 = rows(12, (0, 1, 2, 3))
    a6 = plus(times(b4, b4), b3)
    twelve = plus(times(plus(b2, a6), a6), b1)
    b1, b2, b3, b4, b5 = rows(18, (0, 1, 2, 3, 6))
    a9 = plus(times(b1, b5), b4)
    return {12: twelve, 18: plus(times(plus(b3, a9), a9), b2)}


def backward_error(degree: int) -> list[mpf]:
    """The absolute terms of log(exp(-x) T(x)) / x, T the Taylor polynomial: the error is a change of x."""
    quotient = times(
        [mpf(-1) ** k / factorial(k) for k in range(ORDER)], [1 / factorial(k) for k in range(degree + 1)]
    )[:ORDER]
    logarithm = [mpf(0)]
    for n in range(1, ORDER):
        inner = sum(k * logarithm[k] * quotient[n - k] for k in range(1, n))
        logarithm.append(quotient[n] - inner / n)
    return [abs(term) for term in logarithm[1:]]


def largest_norm(degree: int, rounding: mpf) -> mpf:
    terms = backward_error(degree)
    terms[:degree] = [mpf(0)] * degree  # 0 but for rounding errors
    first = (rounding / terms[degree]) ** (mpf(1) / degree)
    return findroot(lambda x: mp.polyval(terms[::-1], x) / rounding - 1, first)


def checks() -> Iterator[tuple[str, bool]]:
    for degree, product in products().items():
        worst = max(abs(term * factorial(k) - 1) for k, term in enumerate(product[: degree + 1]))
        text = f"matrix_exp: degree {degree} is Taylor's polynomial, to {float(worst):.2g} of each term"
        yield (
            text,
            worst < mpf("1e-13") and max(map(abs, product[degree + 1 :]), default=mpf(0)) < mpf("1e-30"),
        )
    for bits, name in ((24, "largest_norms_32"), (53, "largest_norms_64")):
        given = array(FILE, f"{name} =", "{")
        exact = [largest_norm(degree, mpf(2) ** -bits) for degree in DEGREES]
        ratios = [float(g / e - 1) for g, e in zip(given, exact, strict=True)]
        yield f"matrix_exp: {name}, relative {max(map(abs, ratios)):.2g}", max(map(abs, ratios)) < 1e-6


if __name__ == "__main__":
    for text, good in checks():
        print("ok  " if good else "FAIL", text)
