"""Sample rows of cumulative sums, products, extrema and logsumexp."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from calls import Call
from rows import Row, first, loose, summed, with_positions
from tensors import BOOL, FLOATS, INTEGERS, LAYOUTS, NUMBERS, Operand, numbers, operand

from samples.reduction import inputs as reduced_inputs

SHAPES = ((), (1,), (7,), (3, 5), (33, 17), (2, 3, 4, 5), (3, 0, 2), (4, 300))
ORDERED = (*INTEGERS, *FLOATS)


def inputs(dtype: str, special: bool = False, empty: bool = True, reach: float = 2) -> Iterator[Operand]:
    for shape in SHAPES:
        made = numbers(shape, dtype, -reach, reach)
        if special and dtype in FLOATS:
            made.reshape(-1)[4::9] = np.nan
        if empty or made.size:
            yield from (operand(made, dtype, layout) for layout in LAYOUTS)


def dims_of(x: Operand) -> tuple[int, ...]:
    return tuple(sorted({0, -1, x.stored.ndim // 2})) if x.stored.ndim else (0, -1)


def scan_calls(special: bool = False) -> Any:
    return lambda dtype: (Call((x, dim)) for x in inputs(dtype, special) for dim in dims_of(x))


def factor_calls(dtype: str) -> Iterator[Call]:
    """Yields calls whose products fit in float16 and complex64: a wider out= would not overflow."""
    reach = 2 if dtype in INTEGERS else 1.25
    return (Call((x, dim)) for x in inputs(dtype, reach=reach) for dim in dims_of(x))


def loose_factors(dtype: str) -> tuple[float, float] | None:
    """Returns the tolerance of products of many factors."""
    return {"float16": (2e-2, 1e-2), "bfloat16": (1e-1, 1e-1), "float32": (2e-5, 1e-5)}.get(dtype)


def sum_calls(dtype: str) -> Iterator[Call]:
    return (Call((x, dim)) for x in reduced_inputs(dtype) for dim in dims_of(x))


def cumulative(x: np.ndarray, dim: int) -> np.ndarray:
    wide = x.astype(np.int64) if x.dtype.kind in "iub" else x
    return np.cumsum(wide, axis=dim) if x.ndim else wide


def product(x: np.ndarray, dim: int) -> np.ndarray:
    wide = x.astype(np.int64) if x.dtype.kind in "iub" else x
    return np.cumprod(wide, dim) if x.ndim else wide


def product_backward_calls(dtype: str) -> Iterator[Call]:
    for shape in ((7,), (3, 5), (2, 3, 4), (1, 4)):
        for zeros in (0, 1, 2):
            x = numbers(shape, dtype, 0.5, 2)
            x.reshape(-1)[1 : 1 + zeros] = 0
            grad = operand(numbers(shape, dtype, -1, 1, 1), dtype)
            for dim in (0, -1):
                yield Call((grad, operand(x, dtype), dim, operand(np.cumprod(x, dim), dtype)))


def product_backward(grad: np.ndarray, x: np.ndarray, dim: int, _: Any) -> np.ndarray:
    """Computes the gradient by each factor's own derivative: the product of the others."""
    out, lines, grads = np.zeros_like(x), np.moveaxis(x, dim, -1), np.moveaxis(grad, dim, -1)
    to = np.moveaxis(out, dim, -1)
    for k in range(lines.shape[-1]):
        others = lines.copy()
        others[..., k] = 1
        to[..., k] = (np.cumprod(others, -1) * grads)[..., k:].sum(-1)
    return out


def log_sum(x: np.ndarray, dim: int) -> np.ndarray:
    return np.logaddexp.accumulate(x, dim) if x.ndim else x


def extremum(behind: Callable[[Any, Any], bool]) -> Any:
    """Returns a scan with the last of equal elements, and NaN from its first occurrence."""

    def reference(x: np.ndarray, dim: int) -> tuple[np.ndarray, np.ndarray]:
        if x.ndim == 0:
            return x, np.int64(0)
        values, places = x.copy(), np.zeros(x.shape, np.int64)
        for line, where in zip(lines_of(values, dim), lines_of(places, dim), strict=True):
            for i in range(1, len(line)):
                taken = np.isnan(line[i]) or not (np.isnan(line[i - 1]) or behind(line[i], line[i - 1]))
                line[i], where[i] = (line[i], i) if taken else (line[i - 1], where[i - 1])
        return values, places

    return reference


def lines_of(x: np.ndarray, dim: int) -> Iterator[np.ndarray]:
    moved = np.moveaxis(x, dim, -1)
    return (moved[at] for at in np.ndindex(moved.shape[:-1]))


def chosen_backward_calls(dtype: str) -> Iterator[Call]:
    for shape in ((7,), (3, 5), (0, 3)):
        grad, x = (operand(numbers(shape, dtype, -1, 1, s), dtype) for s in (0, 1))
        places = np.random.default_rng(3).integers(0, max(1, shape[0]), shape)
        yield Call((grad, x, operand(places, "int64"), 0))


def chosen_backward(grad: np.ndarray, x: np.ndarray, places: np.ndarray, _: int) -> np.ndarray:
    out = np.zeros_like(x)
    np.add.at(out, (places, *np.indices(x.shape)[1:]), grad)
    return out


ROWS = (
    Row("cumprod", product, factor_calls, summed, NUMBERS, tolerance=loose_factors, out_decides=True),
    Row("cumprod", product, scan_calls(), summed, BOOL, inplace=False, label="bool"),
    Row(
        "cumprod_backward",
        product_backward,
        product_backward_calls,
        first,
        ("float32", "float64"),
        tolerance=loose_factors,
    ),
    Row("cummax", extremum(lambda a, b: a < b), scan_calls(special=True), with_positions, ORDERED),
    Row("cummin", extremum(lambda a, b: a > b), scan_calls(special=True), with_positions, ORDERED),
    Row("cummaxmin_backward", chosen_backward, chosen_backward_calls, first, FLOATS),
    Row("logcumsumexp", log_sum, scan_calls(), first, FLOATS),
    Row("_logcumsumexp", log_sum, scan_calls(), first, FLOATS),
    Row("cumsum", cumulative, sum_calls, summed, NUMBERS, tolerance=loose, out_decides=True),
    Row("cumsum", cumulative, sum_calls, summed, BOOL, inplace=False, label="bool"),
)
