"""Sample rows of operators that are second names. The rows of the first names test all dtypes and layouts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from calls import Call
from references import clamp, divide, erf, sigmoid
from rows import Domain, Row, also, binary, boolean, first, floating, same, unary, unary_calls
from tensors import BOOL, INTEGERS, operand

from samples.elementwise_functions import digamma, erfc, erfinv, lgamma, logit, polygamma, sinc

SINGLE = ("float32",)


def one(name: str, reference: Callable[..., Any], low: float = -1, high: float = 1, **options: Any) -> Row:
    return unary(name, reference, same, low=low, high=high, dtypes=SINGLE, special=False, **options)


def two(name: str, reference: Callable[..., Any], dtype: Any = same, **options: Any) -> Row:
    """Returns a row of calls with a tensor and with a scalar."""
    given = {"dtypes": SINGLE, "numbers": (2, 1.5), **options}
    return binary(name, reference, dtype, mixed=False, special=False, second=Domain(1, 4), **given)


def bits(name: str, reference: Callable[..., Any]) -> Row:
    def calls(dtype: str) -> Iterator[Call]:
        for call in unary_calls(Domain(0, 4, False))(dtype):
            (x,) = call.args
            other = operand(Domain(0, 3, False).values(x.stored.shape[-1:], dtype), dtype)
            yield from (Call((x, other)), Call((x, True if dtype == "bool" else 2)))

    return Row(name, reference, calls, first, BOOL + INTEGERS)


def bounds(dtype: str) -> Iterator[Call]:
    for call in unary_calls(Domain())(dtype):
        (x,) = call.args
        low, high = (
            operand(Domain(*r, False).values(x.stored.shape[-1:], dtype), dtype) for r in ((0, 2), (1, 3))
        )
        yield from (Call((x, 1, 3)), Call((x, low, high)))


ROWS = (
    one("absolute", np.abs),
    one("arccos", np.arccos),
    one("arccosh", np.arccosh, 1, 5),
    one("arcsin", np.arcsin),
    one("arcsinh", np.arcsinh),
    one("arctan", np.arctan),
    one("arctanh", np.arctanh, -0.9, 0.9),
    one("fix", np.trunc, -5, 5),
    one("negative", np.negative),
    one("special_digamma", digamma, 0.5, 5),
    one("special_psi", digamma, 0.5, 5),
    one("special_gammaln", lgamma, 0.5, 5),
    one("special_erf", erf),
    one("special_erfc", erfc),
    one("special_erfinv", erfinv, -0.9, 0.9),
    one("special_exp2", np.exp2),
    one("special_expit", sigmoid),
    one("special_expm1", np.expm1),
    one("special_log1p", np.log1p, 0, 4),
    one("special_sinc", sinc),
    one("special_round", np.round, -5, 5),
    Row("special_logit", logit, also(unary_calls(Domain(0.1, 0.9, False)), {}, (0.2,)), first, SINGLE),
    Row(
        "special_polygamma",
        polygamma,
        lambda dtype: (Call((1, *call.args)) for call in unary_calls(Domain(0.5, 5, False))(dtype)),
        first,
        SINGLE,
    ),
    two("multiply", np.multiply),
    two("subtract", np.subtract),
    two("divide", divide),
    two("divide", divide, rounding_mode="trunc", label="trunc"),
    two("true_divide", np.true_divide, floating),
    two("arctan2", np.arctan2, numbers=()),
    two("greater", np.greater, boolean),
    two("greater_equal", np.greater_equal, boolean),
    two("less", np.less, boolean),
    two("less_equal", np.less_equal, boolean),
    two("not_equal", np.not_equal, boolean),
    Row("clip", clamp, bounds, first, SINGLE),
    bits("__and__", np.bitwise_and),
    bits("__or__", np.bitwise_or),
    bits("__xor__", np.bitwise_xor),
)
