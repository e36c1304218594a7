"""Sample rows of composed reductions: of segments, trapezoids and histograms, or skipping NaN."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from calls import Call
from rows import Calls, Row, first, index, loose, summed
from tensors import COMPLEX, FLOATS, INTEGERS, LAYOUTS, REAL, numbers, operand

from samples.reduction import (
    along_some,
    axes,
    deviation,
    real_first,
    reduced,
    variance,
    variance_calls,
    whole,
)
from samples.shape import inputs
from samples.shape import loose as loose_integrals


def with_nans(calls: Calls) -> Calls:
    """Returns the calls with NaN among the elements, but not in all of a line."""

    def made(dtype: str) -> Iterator[Call]:
        for call in calls(dtype):
            x = call.args[0]
            if dtype in FLOATS and x.stored.size:
                values = np.array(x.values)
                values.reshape(-1)[1::3] = np.nan
                x = operand(values, dtype)
            yield Call((x, *call.args[1:]), call.kwargs)

    return made


def nansum(x: np.ndarray, *args: Any, **kwargs: Any) -> np.ndarray:
    return reduced(np.sum)(np.where(np.isnan(x), np.zeros((), x.dtype), x), *args, **kwargs)


def nanmean(x: np.ndarray, dim: Any = None, keep: bool = False) -> np.ndarray:
    counts = np.sum(~np.isnan(x), axes(x, dim), keepdims=keep and x.ndim > 0)
    return nansum(x.astype(np.float64), dim, keep) / counts


def with_mean(spread: Callable[..., np.ndarray]) -> Callable[..., tuple[np.ndarray, np.ndarray]]:
    def reference(x: np.ndarray, *args: Any, **kwargs: Any) -> tuple[np.ndarray, np.ndarray]:
        dim = None if not args or isinstance(args[0], bool) else args[0]
        keep = kwargs.get("keepdim", len(args) > 2 and args[2]) and x.ndim > 0
        return spread(x, *args, **kwargs), np.mean(x, axes(x, dim), keepdims=keep)

    return reference


def spread_and_mean(call: Call) -> tuple[str, str]:
    return real_first(call), first(call)


def count_calls(dtype: str) -> Iterator[Call]:
    for call in along_some()(dtype):
        if len(call.args) == 2:
            yield from (Call(call.args), Call((call.args[0], call.args[1][0])), Call(call.args[:1]))


def count(x: np.ndarray, dim: Any = None) -> Any:
    return np.sum(x != 0, axes(x, dim), dtype=np.int64)


def hash_calls(dtype: str) -> Iterator[Call]:
    for call in along_some(empty=False)(dtype):
        x, *rest = call.args
        options = {"keepdim": True} if len(rest) == 2 else {}
        yield from (Call((x, rest[0]), options), Call((x,), options))


def hashed(x: np.ndarray, dim: Any = None, keepdim: bool = False) -> np.ndarray:
    words = x.astype(np.float64 if x.dtype.kind == "f" else np.int64).view(np.uint64)
    over = axes(x, dim) if dim is not None else tuple(range(x.ndim))
    return np.bitwise_xor.reduce(words, over, keepdims=keepdim) if x.ndim else words


# ---- segments


def segment_calls(dtype: str) -> Iterator[Call]:
    lengths = operand(np.array([2, 0, 4, 1]), "int64")
    offsets = operand(np.array([0, 2, 2, 6, 7]), "int64")
    rows = operand(np.array([[3, 2, 0], [0, 1, 4]]), "int32")
    for reduce in ("sum", "mean", "max", "min", "prod"):
        start = {"initial": 1.5}
        for shape in ((7,), (7, 3)):
            x = operand(numbers(shape, dtype, 0.5, 2), dtype)
            yield Call((x, reduce), {"lengths": lengths, **start})
            yield Call((x, reduce), {"offsets": offsets})
        x = operand(numbers((2, 5, 3), dtype, 0.5, 2), dtype)
        yield Call((x, reduce), {"lengths": rows, "axis": 1, **start})


STARTS = {"sum": 0.0, "mean": np.nan, "max": -np.inf, "min": np.inf, "prod": 1.0}


def segment_reduce(
    x: np.ndarray,
    reduce: str,
    lengths: Any = None,
    offsets: Any = None,
    axis: int = 0,
    initial: float | None = None,
) -> np.ndarray:
    if axis == 1:
        return np.stack(
            [segment_reduce(a, reduce, n, None, 0, initial) for a, n in zip(x, lengths, strict=True)]
        )
    bounds = np.concatenate([[0], np.cumsum(lengths)]) if offsets is None else offsets
    parts = [x[a:b] for a, b in pairwise(bounds)]
    return np.stack([of_segment(part, reduce, initial) for part in parts])


def of_segment(part: np.ndarray, reduce: str, initial: float | None) -> np.ndarray:
    start = STARTS[reduce] if initial is None else initial
    if len(part) == 0:
        return np.full(part.shape[1:], start)
    if reduce == "mean":
        return ((initial or 0) + part.sum(0)) / len(part)
    functions = {"sum": np.add, "max": np.maximum, "min": np.minimum, "prod": np.multiply}
    return functions[reduce].reduce(part, 0, initial=start)


def segment_backward_calls(dtype: str) -> Iterator[Call]:
    for call in segment_calls(dtype):
        x, reduce = call.args
        if reduce in ("sum", "mean") and "initial" not in call.kwargs:
            grad = operand(numbers((4, *x.stored.shape[1:]), dtype, -2, 2, 1), dtype)
            yield Call((grad, grad, x, reduce), call.kwargs)


def segment_backward(grad: np.ndarray, _: np.ndarray, x: np.ndarray, reduce: str, offsets: Any) -> np.ndarray:
    counts = np.diff(offsets)
    shares = grad / np.maximum(counts, 1).reshape(-1, *[1] * (grad.ndim - 1)) if reduce == "mean" else grad
    return np.repeat(shares, counts, 0)


# ---- trapezoids


def trapezoid_calls(dtype: str) -> Iterator[Call]:
    for y in inputs(dtype):
        if 0 in y.stored.shape:
            continue
        yield Call((y,))
        for dim in (0, -1):
            yield Call((y,), {"dx": 0.5, "dim": dim})
            for shape in (y.stored.shape[dim : dim + 1 or None], y.stored.shape):
                yield Call((y, operand(numbers(shape, dtype, seed=3), dtype)), {"dim": dim})


def pieces(y: np.ndarray, x: Any = None, dx: float = 1.0, dim: int = -1) -> np.ndarray:
    """Returns the area between each two neighbours."""
    dim %= y.ndim
    between = np.moveaxis(y, dim, -1)
    step = dx if x is None else np.diff(x if x.ndim < y.ndim else np.moveaxis(x, dim, -1))
    return np.moveaxis((between[..., 1:] + between[..., :-1]) / 2 * step, -1, dim)


def area(y: np.ndarray, *args: Any, **kwargs: Any) -> np.ndarray:
    return pieces(y, *args, **kwargs).sum(kwargs.get("dim", -1))


def running_area(y: np.ndarray, *args: Any, **kwargs: Any) -> np.ndarray:
    return pieces(y, *args, **kwargs).cumsum(kwargs.get("dim", -1))


# ---- histograms

FULL = ("float32", "float64")


def histc_calls(dtype: str) -> Iterator[Call]:
    for shape in ((1,), (7,), (33, 17), (2, 3, 4)):
        for layout in LAYOUTS:
            x = operand(numbers(shape, "int64", -4, 4), dtype, layout)
            yield from (Call((x, 8, -4, 4)), Call((x, 5, -2.5, 2.5)), Call((x, 4, 0, 4)))
    x = operand(np.array([-1.0, np.nan, 0.5, 3.0, np.inf]), dtype)
    yield Call((x, 4, -1, 3))


def histc(x: np.ndarray, bins: int, low: float, high: float) -> np.ndarray:
    with np.errstate(all="ignore"):
        return np.histogram(x[np.isfinite(x)], bins, (low, high))[0]


def histogram_calls(dtype: str) -> Iterator[Call]:
    for shape in ((1,), (7,), (33, 17)):
        for layout in LAYOUTS:
            x = operand(numbers(shape, "int64", -4, 4), dtype, layout)
            weight = operand(numbers(shape, "int64", 0, 4, 1), dtype, layout)
            edges = operand(np.array([-4.0, -1.0, 0.5, 2.0, 4.0]), dtype)
            yield Call((x, 8), {"range": [-4.0, 4.0]})
            yield Call((x, 5), {"range": [-2.5, 2.5], "weight": weight})
            yield from (Call((x, edges)), Call((x, edges), {"weight": weight, "density": True}))


def histogram(
    x: np.ndarray, bins: Any, range: Any = None, weight: Any = None, density: bool = False
) -> tuple[Any, ...]:
    return np.histogram(x, bins, range, density, None if weight is None else weight)


def grid_calls(dtype: str) -> Iterator[Call]:
    for shape in ((5, 2), (33, 17, 2)):
        x = operand(numbers(shape, "int64", -4, 4), dtype)
        weight = operand(numbers(shape[:-1], "int64", 0, 4, 1), dtype)
        edges = [operand(np.array([-4.0, -1.0, 3.0]), dtype), operand(np.array([-2.0, 0.5, 1.0, 4.0]), dtype)]
        yield Call((x, [4, 2]), {"range": [-4.0, 4.0, -2.0, 2.0]})
        yield Call((x, [2, 3]), {"range": [-4.0, 4.0, -3.0, 3.0], "weight": weight})
        yield from (Call((x, edges)), Call((x, edges), {"weight": weight, "density": True}))


def grid(
    x: np.ndarray, bins: Any, range: Any = None, weight: Any = None, density: bool = False
) -> np.ndarray:
    points = x.reshape(-1, x.shape[-1])
    ranges = None if range is None else np.reshape(range, (-1, 2)).tolist()
    weights = None if weight is None else weight.reshape(-1)
    return np.histogramdd(points, bins, ranges, density, weights)[0]


def grid_edges(x: np.ndarray, bins: Any, range: Any, weight: Any = None) -> list[np.ndarray]:
    return [np.linspace(range[2 * d], range[2 * d + 1], n + 1) for d, n in enumerate(bins)]


def edge_calls(dtype: str) -> Iterator[Call]:
    return (c for c in grid_calls(dtype) if "range" in c.kwargs)


def bincount_calls(dtype: str) -> Iterator[Call]:
    for n in (1, 7, 300):
        for layout in ("contiguous", "sliced"):
            x = operand(numbers((n,), "int64", 0, 9), dtype, layout)
            yield from (Call((x,)), Call((x,), {"minlength": 12}))


def weighted_calls(dtype: str) -> Iterator[Call]:
    for n in (1, 7, 300):
        x = operand(numbers((n,), "int64", 0, 9), "int64")
        yield Call((x, operand(numbers((n,), "int64", -4, 4, 1), dtype)), {"minlength": 12})


def weights_dtype(call: Call) -> str:
    return "float32" if call.operands[1].dtype == "float32" else "float64"


def twice(call: Call) -> tuple[str, str]:
    return first(call), first(call)


ROWS = (
    Row("nansum", nansum, with_nans(whole()), summed, REAL, tolerance=loose, out_decides=True),
    Row(
        "nansum",
        nansum,
        with_nans(along_some()),
        summed,
        REAL,
        tolerance=loose,
        out_decides=True,
        label="dims",
    ),
    Row("nanmean", nanmean, with_nans(along_some()), first, FLOATS, tolerance=loose, out_decides=True),
    Row("var_mean", with_mean(variance), variance_calls, spread_and_mean, FLOATS + COMPLEX, tolerance=loose),
    Row("std_mean", with_mean(deviation), variance_calls, spread_and_mean, FLOATS + COMPLEX, tolerance=loose),
    Row("hash_tensor", hashed, hash_calls, lambda call: "uint64", REAL),
    Row("count_nonzero", count, count_calls, index),
    Row("segment_reduce", segment_reduce, segment_calls, first, FLOATS, tolerance=loose),
    Row("_segment_reduce_backward", segment_backward, segment_backward_calls, first, FLOATS),
    Row("trapezoid", area, trapezoid_calls, first, FLOATS, tolerance=loose_integrals),
    Row("trapz", area, trapezoid_calls, first, FLOATS, tolerance=loose_integrals),
    Row("cumulative_trapezoid", running_area, trapezoid_calls, first, FLOATS, tolerance=loose_integrals),
    Row("histc", histc, histc_calls, first, FLOATS),
    Row("histogram", histogram, histogram_calls, twice, FULL),
    Row(
        "_histogramdd_from_bin_cts",
        grid,
        lambda dtype: (c for c in grid_calls(dtype) if "range" in c.kwargs),
        first,
        FULL,
    ),
    Row(
        "_histogramdd_from_bin_tensors",
        grid,
        lambda dtype: (c for c in grid_calls(dtype) if "range" not in c.kwargs),
        first,
        FULL,
    ),
    Row("_histogramdd_bin_edges", grid_edges, edge_calls, twice, FULL),
    Row("bincount", np.bincount, bincount_calls, lambda call: "int64", INTEGERS, data_dependent=True),
    Row(
        "bincount",
        np.bincount,
        weighted_calls,
        weights_dtype,
        ("int32", *FLOATS),
        data_dependent=True,
        label="weights",
    ),
)
