"""Sample rows of sorting, and of selecting elements by rank or count."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from calls import Call
from rows import Row, first, with_positions
from tensors import FLOATS, INTEGERS, LAYOUTS, numbers, operand

from samples.scan import ORDERED, dims_of, inputs

WITH_TIES = ("bool", "uint8", "int8", "float16", "bfloat16")
SORTED = tuple(d for d in INTEGERS + FLOATS if d not in WITH_TIES)


def distinct(shape: tuple[int, ...], dtype: str) -> np.ndarray:
    """Returns values without ties, as far as the dtype has enough values."""
    count = int(np.prod(shape, dtype=int))
    order = np.random.default_rng([1, *shape]).permutation(count)
    return (order if dtype in ("uint8", "bool") else order - count // 2).reshape(shape)


def sort_calls(dtype: str) -> Iterator[Call]:
    for shape in ((), (0,), (1,), (7,), (3, 5), (11, 9), (2, 3, 4, 5)):
        for layout in LAYOUTS:
            x = operand(distinct(shape, dtype), dtype, layout)
            for dim in (-1, 0):
                yield from (Call((x, dim)), Call((x, dim, True)))
                yield Call((x,), {"stable": True, "dim": dim, "descending": True})


def sort_reference(x: np.ndarray, dim: int = -1, descending: bool = False, stable: bool = True) -> Any:
    if x.ndim == 0:
        return x, np.int64(0)
    if descending:  # stable: equal elements stay in their order
        order = np.flip(x.shape[dim] - 1 - np.argsort(np.flip(x, dim), axis=dim, kind="stable"), dim)
    else:
        order = np.argsort(x, axis=dim, kind="stable")
    return np.take_along_axis(x, order, dim), order


def topk_calls(dtype: str) -> Iterator[Call]:
    for shape in ((7,), (3, 5), (11, 9), (5, 2, 7)):
        for layout in ("contiguous", "transposed", "sliced"):
            x = operand(distinct(shape, dtype), dtype, layout)
            yield from (
                Call((x, 2)),
                Call((x, 2, 0)),
                Call((x, 2, -1, False)),
                Call((x, 0)),
                Call((x, shape[-1])),
            )


def topk_reference(x: np.ndarray, k: int, dim: int = -1, largest: bool = True, *_: Any) -> Any:
    values, order = sort_reference(x, dim, largest)
    return np.take(values, range(k), dim), np.take(order, range(k), dim)


# ---- by rank or count


def chosen_calls(rank: bool = False, whole: bool = False) -> Any:
    """Returns calls in which all but the smallest values are unique in a line, and so are positions."""

    def calls(dtype: str) -> Iterator[Call]:
        for shape in ((), (1,), (7,), (3, 5), (11, 9), (2, 3, 4, 5)):
            size = int(np.prod(shape))
            made = np.random.default_rng([5, size]).permutation(size).reshape(shape) % 120
            for layout in LAYOUTS:
                x = operand(made, dtype, layout if layout != "expanded" else "contiguous")
                if whole:
                    yield Call((x,))
                    continue
                for dim in dims_of(x):
                    n = shape[dim] if shape else 1
                    for k in {1, n, n // 2 + 1} if rank else {0}:
                        yield from (Call((x, *((k,) if rank else ()), dim, keep)) for keep in (False, True))

    return calls


def kth(x: np.ndarray, k: int, dim: int, keep: bool) -> Any:
    if x.ndim == 0:
        return x, np.int64(0)
    place = np.take(np.argsort(x, dim, kind="stable"), [k - 1], dim)
    value = np.take_along_axis(x, place, dim)
    return (value, place) if keep else (value.squeeze(dim), place.squeeze(dim))


def middle(x: np.ndarray, dim: int, keep: bool) -> Any:
    return kth(x, ((x.shape[dim] if x.ndim else 1) + 1) // 2, dim, keep)


def mode_calls(dtype: str) -> Iterator[Call]:
    for shape in ((), (1,), (7,), (3, 5), (2, 3, 40)):
        x = operand(numbers(shape, "int64", 0, 4), dtype)
        yield from (Call((x, dim, keep)) for dim in dims_of(x) for keep in (False, True))


def mode(x: np.ndarray, dim: int, keep: bool) -> Any:
    """Returns the most frequent value, the smallest of several; and its last position."""
    if x.ndim == 0:
        return x, np.int64(0)
    moved = np.moveaxis(x, dim, -1)
    values, places = np.zeros(moved.shape[:-1], x.dtype), np.zeros(moved.shape[:-1], np.int64)
    for at in np.ndindex(values.shape):
        found, count = np.unique(moved[at], return_counts=True)
        values[at] = found[np.argmax(count)]
        places[at] = np.flatnonzero(moved[at] == values[at])[-1]
    return (np.expand_dims(values, dim), np.expand_dims(places, dim)) if keep else (values, places)


def quantile_calls(dtype: str) -> Iterator[Call]:
    for x in inputs(dtype, special=True, empty=False):
        for interpolation in ("linear", "lower", "higher", "midpoint", "nearest"):
            for q in (0.25, operand(np.array([0.0, 0.3125, 1.0]), dtype), operand(np.array(0.5), dtype)):
                yield Call((x, q), {"interpolation": interpolation})
                yield Call((x, q, 0, True), {"interpolation": interpolation})
                yield Call((x, q, -1), {"interpolation": interpolation})


def quantile(function: Any) -> Any:
    def reference(
        x: np.ndarray, q: Any, dim: int | None = None, keep: bool = False, interpolation: str = "linear"
    ) -> Any:
        if x.ndim == 0:
            return np.broadcast_to(x, np.shape(q)).copy()
        return function(x, q, dim, keepdims=keep, method=interpolation)

    return reference


ROWS = (
    Row("sort", sort_reference, sort_calls, with_positions, SORTED),
    Row("topk", topk_reference, topk_calls, with_positions, SORTED),
    Row("kthvalue", kth, chosen_calls(rank=True), with_positions, ORDERED),
    Row("median", middle, chosen_calls(), with_positions, ORDERED, label="dim"),
    Row("nanmedian", middle, chosen_calls(), with_positions, ORDERED, label="dim"),
    Row("median", lambda x: np.sort(x, None)[(x.size - 1) // 2], chosen_calls(whole=True), first, ORDERED),
    Row("nanmedian", lambda x: np.sort(x, None)[(x.size - 1) // 2], chosen_calls(whole=True), first, ORDERED),
    Row("mode", mode, mode_calls, with_positions, ORDERED),
    Row("quantile", quantile(np.quantile), quantile_calls, first, ("float32", "float64")),
    Row("nanquantile", quantile(np.nanquantile), quantile_calls, first, ("float32", "float64")),
)
