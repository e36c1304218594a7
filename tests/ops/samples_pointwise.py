"""Sample rows of elementwise operators: a new one is one row here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from calls import Call
from references import clamp, divide, floor_divide, gelu, integer_power, logical, remainder, rsqrt, sigmoid
from rows import Domain, Row, binary, boolean, first, floating, real, same, unary
from tensors import BOOL, COMPLEX, DTYPES, FLOATS, INTEGERS, LAYOUTS, NUMBERS, REAL, numbers, operand

NONZERO = Domain(1, 5)
UNARY = (
    unary("exp", np.exp),
    unary("log", np.log, low=0.1),
    unary("sqrt", np.sqrt, low=0),
    unary("rsqrt", rsqrt, low=0.1),
    unary("reciprocal", lambda x: 1 / x, low=0.5),
    unary("sin", np.sin),
    unary("cos", np.cos),
    unary("tanh", np.tanh, low=-1, high=1),
    unary("sigmoid", sigmoid, low=-1, high=1),
    unary("relu", lambda x: np.where(x < 0, 0, x).astype(x.dtype), same, dtypes=INTEGERS + FLOATS),
    unary("gelu", gelu, same, dtypes=FLOATS, special=False),
    unary("neg", np.negative, same, dtypes=NUMBERS),
    unary("abs", np.abs, same, dtypes=INTEGERS + FLOATS),
    unary("abs", np.abs, real, dtypes=COMPLEX, label="complex", inplace=False),
    unary("logical_not", logical(np.logical_not), boolean),
    unary("bitwise_not", np.invert, same, dtypes=BOOL + INTEGERS),
    unary("isnan", np.isnan, boolean),
    unary("isinf", np.isinf, boolean),
    unary("isfinite", np.isfinite, boolean),
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
    binary("eq", np.equal, boolean, numbers=(True, 2, -1.5)),
    binary("ne", np.not_equal, boolean, numbers=(True, 2, -1.5)),
    binary("lt", np.less, boolean, numbers=(True, 2, -1.5), dtypes=REAL, mixed=False),
    binary("le", np.less_equal, boolean, numbers=(True, 2, -1.5), dtypes=REAL, mixed=False),
    binary("gt", np.greater, boolean, numbers=(True, 2, -1.5), dtypes=REAL, mixed=False),
    binary("ge", np.greater_equal, boolean, numbers=(True, 2, -1.5), dtypes=REAL, mixed=False),
    binary("logical_and", logical(np.logical_and), boolean),
    binary("logical_or", logical(np.logical_or), boolean),
    binary("logical_xor", logical(np.logical_xor), boolean),
    binary("bitwise_and", np.bitwise_and, numbers=(True, 2), dtypes=BOOL + INTEGERS, mixed=False),
    binary(
        "bitwise_and", np.bitwise_and, numbers=(True, 2), order="st", dtypes=BOOL + INTEGERS, label="number"
    ),
    binary("bitwise_or", np.bitwise_or, numbers=(True, 2), dtypes=BOOL + INTEGERS, mixed=False),
    binary(
        "bitwise_or", np.bitwise_or, numbers=(True, 2), order="st", dtypes=BOOL + INTEGERS, label="number"
    ),
    binary("bitwise_xor", np.bitwise_xor, numbers=(True, 2), dtypes=BOOL + INTEGERS, mixed=False),
    binary(
        "bitwise_xor", np.bitwise_xor, numbers=(True, 2), order="st", dtypes=BOOL + INTEGERS, label="number"
    ),
    binary("isclose", lambda a, b: np.isclose(a, b), boolean, low=0, high=2, mixed=False),
)


def clamp_calls(dtype: str) -> Iterator[Call]:
    """Bounds as numbers and as tensors, one or both, and crossed."""
    domain = Domain()
    for shape in ((), (0,), (7,), (33, 17), (2, 3, 4, 5)):
        for layout in LAYOUTS:
            x = operand(domain.values(shape, dtype), dtype, layout)
            yield from (Call((x, 1, 3)), Call((x, None, 2)), Call((x,), {"min": 1}), Call((x, 3, 1)))
            low, high = (operand(numbers(shape[-1:], dtype, *r), dtype) for r in ((0, 2), (1, 3)))
            yield from (Call((x, low, high)), Call((x, None, high)), Call((x,), {"min": low}))


def where_calls(dtype: str) -> Iterator[Call]:
    domain = Domain()
    for a, b in (
        ((), ()),
        ((0,), (1,)),
        ((7,), (7,)),
        ((3, 1), (1, 5)),
        ((33, 17), (17,)),
        ((2, 3, 4, 5), (2, 3, 4, 5)),
    ):
        condition = operand(numbers(a, "bool"), "bool")
        for layout in LAYOUTS:
            left, right = (
                operand(domain.values(a, dtype), dtype),
                operand(domain.values(b, dtype, 1), dtype, layout),
            )
            yield Call((condition, left, right))
        for other in DTYPES:
            if not ("float16" in (dtype, other) and "complex" in dtype + other):
                yield Call((condition, left, operand(domain.values(b, other, 2), other)))
        if dtype != "float16":
            yield from (Call((condition, left, 2)), Call((condition, 1.5, left)))


def where_numbers(dtype: str) -> Iterator[Call]:
    condition = operand(numbers((3, 5), "bool"), "bool")
    for a, b in ((1, 2), (1.5, 2), (True, False), (1, 2j)):
        yield Call((condition, a, b))


def branch_type(call: Call) -> str:
    return same(Call(call.args[1:]))


def number_type(call: Call) -> str:
    return {bool: "bool", int: "int64", float: "float32", complex: "complex64"}[
        max((type(a) for a in call.args[1:]), key=[bool, int, float, complex].index)
    ]


def masked_fill_calls(dtype: str) -> Iterator[Call]:
    for shape, mask in (
        ((), ()),
        ((0,), (1,)),
        ((7,), (7,)),
        ((3, 5), (5,)),
        ((33, 17), (33, 1)),
        ((2, 3, 4, 5), (3, 1, 5)),
        ((5,), (3, 5)),
    ):
        for layout in LAYOUTS:
            x = operand(numbers(shape, dtype), dtype, layout)
            m = operand(numbers(mask, "bool"), "bool")
            yield from (Call((x, m, 1)), Call((x, m, operand(numbers((), dtype, 1, 4), dtype))))


def select_values(condition: Any, a: Any, b: Any) -> np.ndarray:
    return np.where(condition, a, b)


def fill_calls(dtype: str) -> Iterator[Call]:
    for shape in ((), (0,), (7,), (33, 17)):
        for layout in LAYOUTS:
            x = operand(numbers(shape, dtype), dtype, layout)
            yield from (Call((x, 3)), Call((x, operand(numbers((), dtype, 1, 4), dtype))))


OTHERS = (
    Row("clamp", clamp, clamp_calls, first, INTEGERS + FLOATS),
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
    Row("where", select_values, where_calls, branch_type),
    Row("where", select_values, where_numbers, number_type, ("bool",), label="numbers"),
    Row(
        "masked_fill", lambda x, m, v: np.where(m, np.asarray(v).astype(x.dtype), x), masked_fill_calls, first
    ),
    Row("fill", lambda x, v: np.full(x.shape, v), fill_calls, first),
    Row("zero", np.zeros_like, unary("zero", np.zeros_like, same).calls, first),
)
POINTWISE_ROWS = UNARY + BINARY + OTHERS
