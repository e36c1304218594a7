"""Sample rows of arithmetic: a new operator of two operands is one row here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from calls import Call
from references import clamp, divide, floor_divide, integer_power, remainder
from rows import (
    FINITE,
    Calls,
    Domain,
    Row,
    also,
    binary,
    binary_calls,
    boolean,
    differs,
    first,
    floating,
    real,
    same,
    unary,
    unary_calls,
)
from tensors import COMPLEX, DTYPES, FLOATS, INTEGERS, LAYOUTS, NUMBERS, REAL, numbers, operand

NONZERO = Domain(1, 5)
WHOLE = INTEGERS + FLOATS


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


def three(low: float = -2, high: float = 2, **kwargs: Any) -> Calls:
    """Returns calls with three operands that broadcast, the last away from zero."""

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


def frac(x: np.ndarray) -> np.ndarray:
    return x - np.trunc(x)


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
    """Returns calls with one bound, as a scalar and as a tensor."""

    def calls(dtype: str) -> Iterator[Call]:
        for call in unary_calls(Domain())(dtype):
            (x,) = call.args
            high = operand(Domain(0, 3, False).values(x.stored.shape[-1:], dtype), dtype)
            yield from (Call((x,), {keyword: 2}), Call((x,), {keyword: high}))

    return calls


UNARY = (
    unary("reciprocal", lambda x: 1 / x, low=0.5),
    unary("neg", np.negative, same, dtypes=NUMBERS),
    unary("abs", np.abs, same, dtypes=INTEGERS + FLOATS),
    unary("abs", np.abs, real, dtypes=COMPLEX, label="complex", inplace=False),
    unary("ceil", np.ceil, same, dtypes=WHOLE),
    unary("floor", np.floor, same, dtypes=WHOLE),
    unary("round", np.round, same, dtypes=WHOLE),
    unary("trunc", np.trunc, same, dtypes=WHOLE),
    unary("frac", frac, same, dtypes=FLOATS, special=False),
    unary("square", np.square, same, dtypes=NUMBERS),
    unary("positive", np.positive, same, dtypes=NUMBERS, inplace=False),
    unary("signbit", np.signbit, boolean, dtypes=WHOLE),
    unary("deg2rad", np.deg2rad, dtypes=REAL),
    unary("rad2deg", np.rad2deg, dtypes=REAL),
    unary("sign", sgn, same, dtypes=("bool", *INTEGERS, *FLOATS)),
    unary("sgn", sgn, same, special=False),
)
BINARY = (
    binary("add", np.add, numbers=(True, 2, -1.5, 1j)),
    binary(
        "add",
        lambda a, b, alpha: a + np.asarray(alpha).astype(a.dtype) * b,
        numbers=(3,),
        dtypes=NUMBERS,
        mixed=False,
        label="alpha",
        alpha=2,
    ),
    binary("sub", np.subtract, numbers=(2, -1.5, 1j), dtypes=NUMBERS, others=NUMBERS),
    binary(
        "sub",
        lambda a, b, alpha: a - np.asarray(alpha).astype(a.dtype) * b,
        numbers=(3,),
        dtypes=NUMBERS,
        mixed=False,
        label="alpha",
        alpha=2,
    ),
    binary("rsub", lambda a, b: b - a, numbers=(2, -1.5), dtypes=NUMBERS, others=NUMBERS),
    binary("mul", np.multiply, numbers=(True, 2, -1.5, 1j)),
    binary("div", divide, floating, numbers=(2, -1.5, 1j), second=NONZERO),
    binary(
        "div",
        divide,
        numbers=(2, -1.5),
        dtypes=INTEGERS + FLOATS,
        second=NONZERO,
        mixed=False,
        label="floor",
        rounding_mode="floor",
    ),
    binary(
        "div",
        divide,
        numbers=(2, -1.5),
        dtypes=INTEGERS + FLOATS,
        second=NONZERO,
        mixed=False,
        label="trunc",
        rounding_mode="trunc",
    ),
    binary(
        "floor_divide", floor_divide, numbers=(2, -1.5), dtypes=INTEGERS + FLOATS, second=NONZERO, mixed=False
    ),
    binary(
        "remainder",
        remainder,
        numbers=(2, -1.5),
        dtypes=INTEGERS + FLOATS,
        second=NONZERO,
        mixed=False,
        special=False,
    ),
    binary(
        "remainder",
        remainder,
        numbers=(7, -1.5),
        order="st",
        low=1,
        dtypes=INTEGERS + FLOATS,
        special=False,
        label="number",
    ),
    binary(
        "pow",
        integer_power,
        numbers=(2, 3, 0),
        low=0,
        high=3,
        special=False,
        dtypes=INTEGERS + FLOATS,
        mixed=False,
    ),
    binary(
        "pow",
        integer_power,
        numbers=(2, 3),
        order="st",
        low=0,
        high=3,
        special=False,
        dtypes=INTEGERS + FLOATS,
        label="number",
    ),
    binary("maximum", np.maximum, dtypes=REAL, mixed=False),
    binary("minimum", np.minimum, dtypes=REAL, mixed=False),
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
    Row("frexp", np.frexp, unary_calls(Domain(-5, 5)), lambda call: (first(call), "int32"), FLOATS),
    binary("ldexp", lambda x, y: x * 2.0**y, dtypes=FLOATS, low=-2, high=2, mixed=False, special=False),
    # In place the base must already have the wide dtype.
    *(replace(float_power(order, DTYPES), inplace=False) for order in ("ts", "st")),
    replace(float_power("ts", ("float64", "complex128")), label="wide"),
)


def clamp_calls(dtype: str) -> Iterator[Call]:
    """Yields calls with bounds as scalars and as tensors, one or both, and crossed."""
    domain = Domain()
    for shape in ((), (0,), (7,), (33, 17), (2, 3, 4, 5)):
        for layout in LAYOUTS:
            x = operand(domain.values(shape, dtype), dtype, layout)
            yield from (Call((x, 1, 3)), Call((x, None, 2)), Call((x,), {"min": 1}), Call((x, 3, 1)))
            low, high = (operand(numbers(shape[-1:], dtype, *r), dtype) for r in ((0, 2), (1, 3)))
            yield from (Call((x, low, high)), Call((x, None, high)), Call((x,), {"min": low}))


OTHERS = (
    Row("clamp", clamp, clamp_calls, first, INTEGERS + FLOATS),
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
    Row(
        "nan_to_num",
        lambda x, nan, above, below: np.nan_to_num(x, True, nan or 0.0, above, below),
        also(unary_calls(Domain()), (1.0, 2.0, 3.0), (None, 7.0, -7.0)),
        first,
        FLOATS + COMPLEX,
    ),
    Row("nan_to_num", np.nan_to_num, unary_calls(Domain()), first, ("float64", "int64"), label="defaults"),
    Row("addcmul", addcmul, also(three(), {}, {"value": 3}), first, NUMBERS),
    Row("addcdiv", addcdiv, also(three(), {}, {"value": -0.5}), first, FLOATS + COMPLEX),
    Row("lerp", lerp, three(), first, FLOATS + COMPLEX),
    Row("lerp", lerp, also(binary_calls(FINITE), (0.3,), (0.75,)), first, FLOATS + COMPLEX, label="number"),
)
ROWS = UNARY + BINARY + OTHERS
