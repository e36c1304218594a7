"""The polynomials of ops/math: functions, intervals, and how errors count."""

from __future__ import annotations

from mpmath import (
    asin,
    asinh,
    atan,
    atanh,
    cos,
    erf,
    erfc,
    erfinv,
    exp,
    expm1,
    log,
    log1p,
    mpf,
    pi,
    sin,
    sinh,
    sqrt,
    tan,
    tanh,
)
from target import Real, Target, square

TYPES = ("float", "double")
LN2 = log(mpf(2))
ROOT_HALF = sqrt(mpf(1) / 2)


def odd_tails(name: str, file: str, function: Real, high: float, origin: str = "not known") -> list[Target]:
    """(f(x) - x) / x^3 as a polynomial in x^2."""
    return [
        Target(
            f"{name}_tail",
            kind,
            file,
            f"{kind} {name}_tail(",
            f"({name}(x) - x) / x^3",
            0,
            high,
            lambda x: (function(x) - x) / x**3,
            lambda x: x**3 / function(x),
            square,
            origin=origin,
        )
        for kind in TYPES
    ]


def exponentials() -> list[Target]:
    def tail(r: mpf) -> mpf:
        return (expm1(r) - r) / r**2

    def power(name: str, kind: str, file: str, anchor: str, **more: object) -> Target:
        return Target(
            name, kind, file, anchor, "(2^r - 1) / r", mpf(-0.5), mpf(0.5),
            lambda r: (2**r - 1) / r, lambda r: r / 2**r, **more,
        )  # fmt: skip

    found = [
        Target(
            "exp_tail", kind, "host_exp.h", f"{kind} exp_tail(", "(exp(r) - 1 - r) / r^2", -LN2 / 2, LN2 / 2,
            tail, lambda r: r**2 / exp(r),
        )
        for kind in TYPES
    ]  # fmt: skip
    wide = Target(
        "exp, wide", "double", "host_wide.h", "Doubles exp(Doubles x)", "(exp(r) - 1 - r) / r^2",
        -LN2 / 32, LN2 / 32, tail, lambda r: r**2 / exp(r),
    )  # fmt: skip
    tanh_wide = Target(
        "tanh, wide", "double", "host_wide.h", "Doubles tanh(Doubles x)", "(exp(2r) - 1 - 2r) / (2 r^2)",
        -LN2 / 64, LN2 / 64, lambda r: 2 * tail(2 * r), lambda r: 2 * r**2 / expm1(2 * r),
    )  # fmt: skip
    return [
        *found,
        wide,
        tanh_wide,
        power("short_exp2", "float", "host_exp.h", "float short_exp2(", leading=1),
        power("raw_power", "double", "host_pow.h", "float raw_power(", accuracy="float"),
    ]


def log_over(s: mpf) -> mpf:
    """log((1 + s) / (1 - s)) / s"""
    return 2 * atanh(s) / s


def logarithms() -> list[Target]:
    most = (1 - ROOT_HALF) / (1 + ROOT_HALF)

    def wide(kind: str, lanes: str) -> Target:
        return Target(
            "log, wide", kind, "host_wide_log.h", f"LogParts<{lanes}> log_parts({lanes} x)",
            "(log(1 + r) - r) / r^2", mpf(-1) / 32, mpf(1) / 16,
            lambda r: (log1p(r) - r) / r**2, lambda r: r**2 / log1p(r),
        )  # fmt: skip

    return [
        Target(
            "log_parts", "float", "host_log.h", "float log_parts(", "(log(1 + f) - f + f^2/2) / f^3",
            ROOT_HALF - 1, 2 * ROOT_HALF - 1,
            lambda f: (log1p(f) - f + f**2 / 2) / f**3, lambda f: f**3 / log1p(f),
        ),
        Target(
            "log_parts", "double", "host_log.h", "double log_parts(",
            "(log((1 + s) / (1 - s)) / s - 2) / s^2", 0, most,
             lambda s: (log_over(s) - 2) / s**2, lambda s: s**2 / log_over(s), square,
        ),
        Target(
            "log_pair", "double", "host_pow.h", "Pair log_pair(",
            "(log((1 + s) / (1 - s)) / s - 2 - 2/3 s^2) / s^4",
            0, most, lambda s: (log_over(s) - 2 - 2 * s**2 / 3) / s**4, lambda s: s**4 / log_over(s), square,
        ),
        Target(
            "short_log2", "double", "host_pow.h", "double short_log2(", "log2((1 + s) / (1 - s)) / s",
            0, most, lambda s: log_over(s) / LN2, lambda s: LN2 / log_over(s), square, accuracy="float",
        ),
        wide("float", "Floats"),
        wide("double", "Doubles"),
    ]  # fmt: skip


def waves() -> list[Target]:
    quarter = pi / 4
    first = mpf(float.fromhex("-0x1.5555555555549p-3"))

    def sine(kind: str, anchor: str) -> Target:
        return Target(
            "sine", kind, "host_trig.h", anchor, "(sin(r) - r) / r^3", 0, quarter,
            lambda r: (sin(r) - r) / r**3, lambda r: r**3 / sin(r), square,
        )  # fmt: skip

    def cosine(kind: str, anchor: str) -> Target:
        return Target(
            "cosine", kind, "host_trig.h", anchor, "(cos(r) - 1 + r^2/2) / r^4", 0, quarter,
            lambda r: (cos(r) - 1 + r**2 / 2) / r**4, lambda r: r**4 / cos(r), square,
        )  # fmt: skip

    tangent = Target(
        "short_tan_tail", "double", "host_trig.h", "double short_tan_tail(", "(tan(r) - r) / r^3", 0, quarter,
        lambda r: (tan(r) - r) / r**3, lambda r: r**3 / tan(r), square, accuracy="float",
    )  # fmt: skip
    # fmt: off
    return [
        sine("float", "const float sine ="),
        Target(
            "sine", "double", "host_trig.h", "const double s = z *", "((sin(r) - r) / r^3 - c) / r^2",
            0, quarter,
            lambda r: ((sin(r) - r) / r**3 - first) / r**2, lambda r: r**5 / sin(r), square,
        ),
        cosine("float", "const float cosine ="),
        cosine("double", "const double c ="),
        tangent,
    ]
    # fmt: on


def scaled_erfc(t: mpf) -> mpf:
    """(1 + 2t) exp(t^2) erfc(t)"""
    return (1 + 2 * t) * exp(t * t) * erfc(t)


def normal(u: mpf) -> mpf:
    """The normal distribution function of -u."""
    return erfc(u / sqrt(mpf(2))) / 2


def error_functions() -> list[Target]:
    def excess(kind: str, high: float) -> Target:
        return Target(
            "erf_excess", kind, "host_erf.h", f"{kind} erf_excess(", "erf(x) / x - 1", 0, high,
            lambda x: erf(x) / x - 1, lambda x: x / erf(x), square,
        )  # fmt: skip

    def near(t: mpf) -> mpf:
        return scaled_erfc(2 * (1 + t) / (1 - t))

    def far(q: mpf) -> mpf:
        middle = scaled_erfc(mpf(4))
        return (scaled_erfc(4 * (1 + q) / (1 - q)) - middle) / q

    return [
        excess("float", 1),
        excess("double", 1),
        Target(
            "scaled_erfc", "float", "host_erf.h", "float scaled_erfc_numerator(",
            "(1 + 2t) exp(t^2) erfc(t), t = 2 (1 + q) / (1 - q)", -1, mpf(8.1) / 12.1,
            near, lambda q: 1 / near(q),
        ),
        Target(
            "scaled_erfc_slope", "double", "host_erf.h", "double scaled_erfc_slope(",
            "((1 + 2t) exp(t^2) erfc(t) - 9 exp(16) erfc(4)) / q, t = 4 (1 + q) / (1 - q)",
            -1, mpf(23.3) / 31.3, far, lambda q: q / scaled_erfc(4 * (1 + q) / (1 - q)),
        ),
        Target(
            "short_erfc", "float", "host_erf.h", "float short_erfc(", "log2(erfc(t)) / t", 0.875, 4,
            lambda t: log(erfc(t)) / LN2 / t, lambda t: erfc(t) * LN2 * t / erf(t),
        ),
    ]  # fmt: skip


def inverse_errors() -> list[Target]:
    def ratio(w: mpf) -> mpf:
        x = sqrt(-expm1(-w))
        return erfinv(x) / x

    # In double it is a start for a step whose error is the third power of the start's.
    def target(kind: str, anchor: str, near: bool, middle: float, low: mpf, high: mpf) -> Target:
        if near:
            return Target(
                "erfinv, near", kind, "host_erf.h", anchor, "erfinv(x) / x, w = -log(1 - x^2)", low, high,
                ratio, lambda w: 1 / ratio(w), lambda w: w - mpf(middle), accuracy="float",
            )  # fmt: skip
        return Target(
            "erfinv, far", kind, "host_erf.h", anchor, "erfinv(x) / x, w = -log(1 - x^2)", low, high,
            lambda root: ratio(root**2), lambda root: 1 / ratio(root**2), lambda root: root - mpf(middle),
                accuracy="float",
        )  # fmt: skip

    five = sqrt(mpf(5))
    return [
        target("float", "const float near =", True, 1, mpf(0), mpf(5)),
        target("float", "const float far =", False, 3, five, mpf(4)),
        target("double", "const double a =", True, 2.5, mpf(0), mpf(5)),
        target("double", "const double b =", False, 3, five, mpf("6.2")),
    ]


def normals() -> list[Target]:
    def tail(kind: str, middle: str, end: float) -> Target:
        def value(a: mpf) -> mpf:
            u = 2 * a / (1 - a)
            return 2 * (u + 2) * exp(u * u / 2) * normal(u) - 1

        return Target(
            "NormalTail", kind, "host_erf.h", f"C10_ALWAYS_INLINE {kind} excess({kind} a)",
            "2 (u + 2) exp(u^2 / 2) P(-u) - 1, a = u / (u + 2)", 0, mpf(end) / (mpf(end) + 2),
            value, lambda a: 1 / (1 + value(a)), lambda a: a - mpf(float.fromhex(middle)),
        )  # fmt: skip

    return [
        tail("float", "0x1.afb258p-2", 14.5),
        tail("double", "0x1.032p-1", 38.6),
        Target(
            "short_gelu", "float", "host_erf.h", "const float log2_below_half =", "log2(2 P(-u)) / u",
            0, 13.625, lambda u: log(2 * normal(u)) / LN2 / u, lambda u: LN2 * u, accuracy="13 bits",
        ),
    ]  # fmt: skip


def targets() -> list[Target]:
    return [
        *exponentials(),
        *logarithms(),
        *waves(),
        *odd_tails("asin", "host_arc.h", asin, 0.5),
        *odd_tails("atan", "host_arc.h", atan, 1, "new fit"),
        *odd_tails("tanh", "host_exp.h", tanh, 0.625),
        *odd_tails("sinh", "host_hyperbolic.h", sinh, 1),
        *odd_tails("asinh", "host_hyperbolic.h", asinh, 0.5),
        *odd_tails("atanh", "host_hyperbolic.h", atanh, 0.5),
        *error_functions(),
        *inverse_errors(),
        *normals(),
    ]
