"""The constants and tables of ops/ that have a formula: each is what its comment says, rounded to its type.

python tests/numerics/constants.py    # a line for each; ends with an error if one is wrong
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from fractions import Fraction

from headers import ROOT, array, constant, parts, value
from mpmath import bernoulli, erfc, exp, factorial, log, log10, loggamma, mp, mpf, pi, sqrt, tanh
from remez import nearest

MATH = "ops/math/"
Check = tuple[str, bool]
BITS = {"float": 24, "double": 53}
LN2 = log(mpf(2))


def numbers(file: str, anchor: str, count: int) -> list[mpf]:
    """The next `count` literals in hexadecimal after `anchor`."""
    text = (ROOT / file).read_text(encoding="utf-8")
    found = re.findall(r"-?0x[0-9a-f.]+p[-+]?\d+f?", text[text.index(anchor) :])
    return [value(one) for one in found[:count]]


def splits(exact: mpf, given: list[mpf], digits: int) -> bool:
    """All but the last are exact heads of what the ones before left, and the last is nearest to the rest."""
    for part in given[:-1]:
        exact -= part
    return given[-1] == nearest(exact, digits)


def split_constants() -> Iterator[Check]:
    rows = [
        ("log(2), float", LN2, "host_exp.h", "struct ExpRange<float>", 2, 2, 24),
        ("log(2), double", LN2, "host_exp.h", "double ln2_high", 2, 2, 53),
        ("log(2), wide float", LN2, "host_wide.h", "float short_ln2 =", 2, 2, 24),
        ("log(2), wide double", LN2, "host_wide.h", "double long_ln2 =", 2, 2, 53),
        ("pi, float", pi, "host_arc.h", "float pi =", 2, 2, 24),
        ("pi/2, float", pi / 2, "host_arc.h", "float half =", 2, 2, 24),
        ("pi, double", pi, "host_arc.h", "double pi =", 2, 2, 53),
        ("pi/2, double", pi / 2, "host_arc.h", "double half =", 2, 2, 53),
        ("2/3", mpf(2) / 3, "host_pow.h", "Pair series =", 2, 2, 53),
        ("log2(e)", 1 / LN2, "host_pow.h", "double log2(double x)", 2, 2, 53),
        ("log10(e)", log10(mp.e), "host_pow.h", "double log10(double x)", 2, 2, 53),
    ]
    for name, exact, file, anchor, skip, count, digits in rows:
        given = numbers(MATH + file, anchor, skip)[-count:]
        yield f"{name} in {count} parts ({file})", splits(+exact, given, digits)
    three = [constant(f"{MATH}host_trig.h", f"half_pi_{i}") for i in (1, 2, 3)]
    yield "pi/2 in 3 parts (host_trig.h)", splits(pi / 2, three, 53)
    yield "pi/2, heads of 33 bits", all(nearest(part, 33) == part for part in three[:2])
    two = [three[0], constant(f"{MATH}host_trig.h", "half_pi_2_full")]
    yield "pi/2 in 2 parts (host_trig.h)", splits(pi / 2, two, 53)
    wave = numbers(f"{MATH}host_trig.h", "const float r = mad(-k", 3)
    yield "pi/2 in 3 floats (host_trig.h)", splits(pi / 2, wave[::-1], 24)
    rests = numbers(f"{MATH}host_hyperbolic.h", "ln2_low = F(sizeof", 2)
    for digits, low in zip((24, 53), rests, strict=True):
        exact = LN2 - nearest(LN2, digits)
        # That of double is its neighbour.
        good = abs(low / exact - 1) < mpf(2) ** (1 - digits)
        yield f"log(2), its rest beyond {digits} bits, to 1 ulp", good


def exponential_tables() -> Iterator[Check]:
    file = f"{MATH}host_wide_tables.h"
    power, low, half_log = (
        array(file, f"double {name}[16] =", "{") for name in ("root_power", "root_power_low", "half_log_low")
    )
    exact = [mpf(2) ** (mpf(i) / 16) for i in range(16)]
    yield "2^(i/16)", power == [nearest(e, 53) for e in exact]
    yield "2^(i/16), rests", low == [nearest(e - p, 53) for e, p in zip(exact, power, strict=True)]
    rests = [(log(e) - log(p)) / 2 for e, p in zip(exact, power, strict=True)]
    yield "log(2^(i/16)) / 2, rests", half_log == [nearest(r, 53) for r in rests]


def on_a_grid(exact: list[mpf], heads: list[mpf], unit: mpf) -> bool:
    """All heads are the nearest multiples of a power of two, and the unit is one: their sums are exact."""
    for places in range(8, 53):
        nearest_heads = [mp.ldexp(mp.nint(mp.ldexp(e, places)), -places) for e in exact]
        if heads == nearest_heads and mp.isint(mp.ldexp(unit, places)):
            return True
    return False


def log_tables() -> Iterator[Check]:
    file = f"{MATH}host_wide_log.h"
    text = (ROOT / file).read_text(encoding="utf-8")
    scales = {"natural": mpf(1), "binary": 1 / LN2, "decimal": 1 / log(mpf(10))}
    for kind, digits in BITS.items():
        inverse = array(file, f"log_inverse<{kind}>[16] =", "{")
        yield f"log_inverse has 5 bits, {kind}", inverse == [nearest(y, 5) for y in inverse]
        for base, scale in scales.items():
            table = parts(text, text.index("{", text.index(f"{base}_table<{kind}> =")))
            heads, rests = ([value(one) for one in parts(row, 0)] for row in table[:2])
            unit, unit_rest, factor, factor_rest = (value(one) for one in table[2:])
            exact = [-log(y) * scale for y in inverse]
            good = on_a_grid(exact, heads, unit)
            good &= rests == [nearest(e - h, digits) for e, h in zip(exact, heads, strict=True)]
            good &= unit_rest == nearest(LN2 * scale - unit, digits)
            yield f"logarithms of log_inverse and 2, {base}, {kind}", good
            good = factor == nearest(scale, digits) and factor_rest == nearest(scale - factor, digits)
            yield f"1 / log(base), {base}, {kind}", good


def stirling_rests() -> Iterator[Check]:
    fits = []
    for k, given in enumerate(array("ops/random/samplers.h", "double small[] =", "{")):
        exact = loggamma(mpf(k + 1)) - ((k + mpf(1) / 2) * log(mpf(k + 1)) - (k + 1) + log(2 * pi) / 2)
        fits.append(abs(given - exact) < mpf("6e-17") + exact * mpf("6e-15"))
    yield "log(k!) without Stirling's approximation (samplers.h), to 15 digits", all(fits)


def fractions(file: str, anchor: str, opening: str) -> list[float]:
    """The quotients in the first `opening` after `anchor`."""
    text = (ROOT / file).read_text(encoding="utf-8")
    written = parts(text, text.index(opening, text.index(anchor)))
    pairs = [one.split(" / ") for one in written if " / " in one]
    return [float(above) / float(below) for above, below in pairs]


def bernoulli_fractions() -> Iterator[Check]:
    given = fractions("ops/elementwise/functors/gamma.h", "const double coefficients[] =", "{")
    exact = [float(bernoulli(2 * k) / factorial(2 * k)) for k in range(1, 10)]
    yield "B(2k) / (2k)! (gamma.h)", given == exact
    given = fractions(f"{MATH}host_gamma.h", "const double series =", "(")
    exact = [float(bernoulli(2 * k) / (2 * k * (2 * k - 1))) for k in range(1, 8)]
    yield "B(2k) / (2k (2k - 1)) (host_gamma.h)", given == exact


def copies() -> Iterator[Check]:
    copied = array("cpu/activation/simd/softmax_backward.cpp", "V exp_tail(V r)", "c[] = {")
    original = array(f"{MATH}host_exp.h", "double exp_tail(", "polynomial(")
    yield "exp_tail of softmax's gradient is that of host_exp.h", copied == original


def activation_constants() -> Iterator[Check]:
    a = erfc(1 / sqrt(mpf(2))) * exp(mpf(1) / 2)
    b = erfc(sqrt(mpf(2))) * exp(mpf(2))
    alpha = -sqrt(2 / pi) / (a - 1)
    scale = (1 - a) * sqrt(2 * pi) / sqrt(2 * b + pi * a * a - 2 * (2 + pi) * a + pi + 2)
    file = "ops/activation/elu.cpp"
    yield "selu: alpha of the fixed point", constant(file, "selu_alpha") == nearest(alpha, 53)
    yield "selu: scale of the fixed point", constant(file, "selu_scale") == nearest(scale, 53)
    middle = 9 * exp(mpf(16)) * erfc(mpf(4))
    yield "9 exp(16) erfc(4)", constant(f"{MATH}host_erf.h", "scaled_erfc_middle") == nearest(middle, 53)


def tanh_pieces() -> Iterator[Check]:
    """The terms of the wide tanh of floats: errors of each piece, in the least ulp of the result."""
    file = f"{MATH}host_wide_tables.h"
    terms = [array(file, f"float tanh_term{k}[32] =", "{") for k in range(7)]
    step, worst = mpf(37) / 128, mpf(0)
    for i in range(32):
        code = [row[i] for row in terms]
        for j in range(-32, 33):
            r = step / 2 * j / 32
            x = step * i + r
            if 0 < x <= mpf("9.1"):
                found = sum(c * r**k for k, c in enumerate(code))
                worst = max(worst, abs(found / tanh(x) - 1))
    yield "tanh(37/128 i)", terms[0] == [nearest(tanh(step * i), 24) for i in range(32)]
    yield f"tanh(37/128 i + r): {float(worst * 2**24):.3f} ulp at most", worst < mpf(2) ** -24


def temme_exact() -> list[list[Fraction]]:
    """Temme's coefficients as power series of eta: c_0 = 1/mu - 1/eta, and c_k = c_(k-1)' / eta + (-1)^k
    g_k / mu, where eta^2 / 2 = mu - log(1 + mu), and g_k are those of the gamma function's series.
    """
    size = 36
    mu = [Fraction(0), Fraction(1)]
    for n in range(3, size + 3):
        mid = sum((mu[j] * mu[n - j] for j in range(2, n - 1)), Fraction(0))
        mu.append(mu[n - 2] / n - mid / 2)
    inverse = [Fraction(1)]  # eta / mu
    for n in range(1, size):
        inverse.append(-sum((mu[j + 1] * inverse[n - j] for j in range(1, n + 1)), Fraction(0)))
    exponent = [Fraction(0)] * 9
    for k, b in enumerate((Fraction(1, 6), Fraction(-1, 30), Fraction(1, 42), Fraction(-1, 30)), start=1):
        exponent[2 * k - 1] = b / (2 * k * (2 * k - 1))
    g = [Fraction(1)]
    for n in range(1, 8):
        g.append(sum((j * exponent[j] * g[n - j] for j in range(1, n + 1)), Fraction(0)) / n)
    rows = [inverse[1:]]
    for k in range(1, 7):
        last, sign = rows[-1], (-1) ** k
        poles = last[1] + sign * g[k]
        assert poles == 0
        rows.append([(n + 2) * last[n + 2] + sign * g[k] * inverse[n + 1] for n in range(len(last) - 2)])
    return rows


def temme_coefficients() -> Iterator[Check]:
    file = "ops/elementwise/functors/incomplete_gamma.h"
    given = array(file, "double temme(", "coefficients[] = {")
    lengths = [int(n) for n in array(file, "double temme(", "lengths[] = {")]
    exact = [row[n] for row, length in zip(temme_exact(), lengths, strict=True) for n in range(length)]
    good = [float(g) == float(e) for g, e in zip(given, exact, strict=True)]
    yield f"Temme's coefficients: {sum(good)} of {len(good)} are the nearest doubles", all(good)


def acklam() -> Iterator[Check]:
    """Acklam's approximation has a relative error below 1.15e-9, he says."""
    text = (ROOT / "ops/elementwise/functors/special.h").read_text(encoding="utf-8")
    begin, middle = text.index("double numerator ="), text.index("double denominator =")
    above, below = text[begin:middle], text[middle : text.index(";", middle)]
    worst = mpf(0)
    for i in range(200):
        x = mpf("-1.97320") - mpf(i) / 6
        p = erfc(-x / sqrt(mpf(2))) / 2
        q = sqrt(-2 * log(p))
        found = in_steps(above, q) / in_steps(below, q)
        worst = max(worst, abs(found / x - 1))
    yield f"Acklam's inverse: relative error {float(worst):.3g} at most", worst < mpf("1.15e-9")


def in_steps(code: str, q: mpf) -> mpf:
    """The value of c0 * q + c1) * q + ... as it is written."""
    signed = re.findall(r"([-+]?)\s*\(*(-?\d[\d.]*(?:e[-+]\d+)?)\b", code)
    total = mpf(0)
    for sign, digits in signed:
        total = total * q + mpf(digits) * (-1 if sign == "-" else 1)
    return total


def checks() -> Iterator[Check]:
    yield from split_constants()
    yield from exponential_tables()
    yield from log_tables()
    yield from stirling_rests()
    yield from bernoulli_fractions()
    yield from copies()
    yield from activation_constants()
    yield from tanh_pieces()
    yield from temme_coefficients()
    yield from acklam()


def main() -> None:
    wrong = 0
    for name, good in checks():
        print("ok  " if good else "FAIL", name)
        wrong += not good
    sys.exit(wrong)


if __name__ == "__main__":
    main()
