"""Sample rows of the copies of views: those of the views, whose results have memory of their own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from calls import Call, DType
from rows import Row
from tensors import numbers, operand

from samples import views
from samples.composed import views_composed
from samples.views import FOUR, PLAIN, on, row

COPIED = (
    *("alias", "detach", "as_strided", "view", "_reshape_alias", "expand", "permute", "transpose", "t"),
    *("select", "slice", "diagonal", "unsqueeze", "squeeze", "unfold", "split", "split_with_sizes", "unbind"),
)


def copies() -> Iterator[Row]:
    """Yields the rows of the views under the names of the copies, each with at most a dozen calls."""
    for found in (*views.ROWS, *views_composed.ROWS):
        if found.name in COPIED and not (found.name == "split" and found.label):
            yield replace(found, name=f"{found.name}_copy", calls=some(found.calls), inplace=False)


def some(calls: Any) -> Any:
    def fewer(dtype: str) -> Iterator[Call]:
        every = list(calls(dtype))
        yield from every[:: max(len(every) // 12, 1)]

    return fewer


def retyped_calls(dtype: str) -> Iterator[Call]:
    for layout in PLAIN:
        x = operand(numbers((3, 4), dtype), dtype, layout)
        yield from (Call((x, DType("int8"))), Call((x, DType(dtype))))


def retyped(x: np.ndarray, dtype: Any) -> np.ndarray:
    return x.view(str(dtype).rpartition(".")[2])


ROWS = (
    *copies(),
    row("view_copy", lambda x, size: x.reshape(size), on(((2, 3),), ([6],), ([3, -1],)), label="strides"),
    row("_reshape_copy", lambda x, size: x.reshape(size), on(((6,), (2, 3)), ([6],), ([3, -1],))),
    Row(
        "view_copy",
        retyped,
        retyped_calls,
        lambda c: c.args[1].name,
        ("int64", "int32", "int8"),
        label="dtype",
    ),
    row(
        "narrow_copy",
        lambda x, dim, start, length: views.sliced(x, dim, start, start + length),
        on(FOUR, (1, 0, 2), (-1, 1, 3), (0, 0, 0)),
    ),
)
