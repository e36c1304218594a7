"""Sample rows of comparison, logic and bits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from calls import Call
from references import logical
from rows import Domain, Row, binary, boolean, first, same, unary, unary_calls
from tensors import BOOL, DTYPES, FLOATS, INTEGERS, LAYOUTS, REAL, numbers, operand


def shifted_calls(dtype: str) -> Iterator[Call]:
    for call in unary_calls(Domain(0, 4, False))(dtype):
        (x,) = call.args
        by = operand(Domain(0, 3, False).values(x.stored.shape[-1:], dtype), dtype)
        yield from (Call((x, by)), Call((x, 2)))


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


def select_values(condition: Any, a: Any, b: Any) -> np.ndarray:
    return np.where(condition, a, b)


UNARY = (
    unary("logical_not", logical(np.logical_not), boolean),
    unary("bitwise_not", np.invert, same, dtypes=BOOL + INTEGERS),
    unary("isnan", np.isnan, boolean),
    unary("isinf", np.isinf, boolean),
    unary("isfinite", np.isfinite, boolean),
    unary("isposinf", np.isposinf, boolean, dtypes=FLOATS),
    unary("isneginf", np.isneginf, boolean, dtypes=FLOATS),
    unary("isreal", np.isreal, boolean),
)
BINARY = (
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
CHOICES = (
    Row("where", select_values, where_calls, branch_type),
    Row("where", select_values, where_numbers, number_type, ("bool",), label="numbers"),
)
ROWS = UNARY + BINARY + CHOICES
