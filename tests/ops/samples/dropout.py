"""Sample rows of dropout. test_random.py checks which elements are dropped."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from calls import Call
from rows import Calls, Row, first
from tensors import COMPLEX, FLOATS, LAYOUTS, numbers, operand

from samples.random import like, row


def drop_calls(dtype: str) -> Iterator[Call]:
    x = operand(numbers((3, 4, 5), dtype, -2, 2), dtype)
    yield from (Call((x, p, train)) for p, train in ((0.5, True), (0.0, True), (0.5, False), (1.0, True)))


def dropout_calls(*values: Any) -> Calls:
    return lambda dtype: (Call((c.args[0], *values)) for c in like(typed=False)(dtype) if not c.kwargs)


def backward_calls(dtype: str) -> Iterator[Call]:
    for shape in ((), (0,), (7,), (33, 17), (2, 3, 4, 5)):
        for layout in LAYOUTS:
            grad = operand(numbers(shape, dtype), dtype, layout)
            yield Call((grad, operand(numbers(shape, "bool"), "bool"), 1.25))


def masks(call: Call) -> tuple[str, str]:
    return first(call), "bool"


def twice(x: np.ndarray, *_: Any) -> Any:
    return x, x


ROWS = (
    row("dropout", dropout_calls(0.5, True), FLOATS),
    row("native_dropout", dropout_calls(0.5, True), FLOATS, twice, dtype=masks),
    Row("alpha_dropout", lambda x, *_: x, drop_calls, first, FLOATS, compare=False),
    Row("feature_dropout", lambda x, *_: x, drop_calls, first, FLOATS, compare=False),
    Row("feature_alpha_dropout", lambda x, *_: x, drop_calls, first, FLOATS, compare=False),
    Row("native_dropout_backward", lambda g, m, s: g * m * s, backward_calls, first, FLOATS + COMPLEX),
)
