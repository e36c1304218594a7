"""Sample rows of sorting, of selecting elements by rank or count, of unique elements, and of searches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from calls import Call
from rows import Calls, Row, boolean, first, index, with_positions
from tensors import BOOL, FLOATS, INTEGERS, LAYOUTS, numbers, operand

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
            if interpolation != "linear" and x.stored.size > 100:
                continue  # how values are sorted doesn't depend on it
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


def argsort(x: np.ndarray, dim: int = -1, descending: bool = False, stable: bool = True) -> Any:
    return sort_reference(x, dim, descending)[1]


def msort_calls(dtype: str) -> Iterator[Call]:
    return (Call(call.args[:1]) for call in sort_calls(dtype) if call.kwargs)


# ---- unique elements

SHAPES = ((), (0,), (1,), (7,), (3, 5), (33, 17), (2, 3, 4))


def flat_calls(*flags: bool) -> Calls:
    def calls(dtype: str) -> Iterator[Call]:
        for shape in SHAPES:
            for layout in LAYOUTS:
                yield Call((operand(numbers(shape, "int64", 0, 5), dtype, layout), *flags))
        yield Call((operand(np.random.default_rng(1).integers(0, 99, 5000), dtype), *flags))

    return calls


NOTHING = np.zeros(0, np.int64)


def unique(x: np.ndarray, _: bool, with_inverse: bool, with_counts: bool = False) -> tuple[Any, ...]:
    values, inverse, counts = np.unique(x, return_inverse=True, return_counts=True)
    return (values, inverse.reshape(x.shape) if with_inverse else NOTHING, counts if with_counts else NOTHING)


def slice_calls(*flags: bool) -> Calls:
    def calls(dtype: str) -> Iterator[Call]:
        for shape in ((0, 3), (1,), (7,), (9, 2), (2, 9), (40, 1, 2), (2, 3, 7)):
            for layout in LAYOUTS:
                x = operand(numbers(shape, "int64", 0, 3), dtype, layout)
                yield from (Call((x, d, *flags)) for d in range(len(shape)) if x.stored.size or d == 0)

    return calls


def unique_slices(x: np.ndarray, dim: int, *_: bool) -> tuple[Any, ...]:
    if x.size == 0:
        return x, NOTHING, NOTHING
    values, inverse, counts = np.unique(x, return_inverse=True, return_counts=True, axis=dim)
    return values, inverse.reshape(-1), counts


def runs(x: np.ndarray, dim: int) -> tuple[Any, ...]:
    rows = np.moveaxis(x, dim, 0).reshape(x.shape[dim], -1)
    begins = np.concatenate([[True], (rows[1:] != rows[:-1]).any(1)])
    places = np.flatnonzero(begins)
    return np.take(x, places, dim), np.cumsum(begins) - 1, np.diff(np.append(places, x.shape[dim]))


def consecutive_slices(x: np.ndarray, dim: int, *_: bool) -> tuple[Any, ...]:
    return runs(x, dim) if x.size else (x, NOTHING, NOTHING)


def consecutive(
    x: np.ndarray, with_inverse: bool = False, with_counts: bool = False, dim: int | None = None
) -> tuple[Any, ...]:
    if dim is not None:
        return consecutive_slices(x, dim)
    if x.size == 0:
        return x.reshape(0), np.zeros(x.shape) if with_inverse else NOTHING, NOTHING
    values, inverse, counts = runs(x.reshape(-1), 0)
    return (values, inverse.reshape(x.shape) if with_inverse else NOTHING, counts if with_counts else NOTHING)


def with_two_positions(call: Call) -> tuple[str, str, str]:
    return first(call), "int64", "int64"


# ---- searches


def search_calls(dtype: str) -> Iterator[Call]:
    for n in (0, 1, 2, 13, 100):
        lines = np.sort(numbers((2, n), "int64", 0, 9), -1)
        asked = numbers((2, 21), "int64", -1, 11, 1)
        for right in ({}, {"right": True}, {"side": "right", "out_int32": True}):
            yield Call((operand(lines[0], dtype), operand(asked, dtype, "transposed")), right)
            yield Call((operand(lines[0], dtype), operand(asked[0, 0], dtype)), right)
            yield Call((operand(lines, dtype), operand(asked, dtype)), right)
        shuffled = np.flip(lines, -1)
        sorter = operand(np.argsort(shuffled, -1), "int64")
        yield Call((operand(shuffled, dtype), operand(asked, dtype)), {"sorter": sorter})


def searchsorted(
    lines: np.ndarray,
    asked: np.ndarray,
    right: bool = False,
    side: str = "left",
    sorter: Any = None,
    **_: Any,
) -> Any:
    if sorter is not None:
        lines = np.take_along_axis(lines, sorter, -1)
    side = "right" if right else side
    if lines.ndim == 1:
        return np.searchsorted(lines, asked, side)
    return np.stack([np.searchsorted(a, b, side) for a, b in zip(lines, asked, strict=True)])


def place(call: Call) -> str:
    return "int32" if call.kwargs.get("out_int32") else "int64"


def number_calls(dtype: str) -> Iterator[Call]:
    line = operand(np.sort(numbers((13,), "int64", 0, 9)), dtype)
    yield from (Call((line, v), {"right": right}) for v in (0, 5, 5.0, 12) for right in (False, True))


def bucketed_number_calls(dtype: str) -> Iterator[Call]:
    return (Call(call.args[::-1], call.kwargs) for call in number_calls(dtype))


def swapped(calls: Calls) -> Calls:
    def made(dtype: str) -> Iterator[Call]:
        for call in calls(dtype):
            lines, asked = call.args
            if lines.stored.ndim == 1 and not {"side", "sorter"} & set(call.kwargs):
                yield Call((asked, lines), call.kwargs)

    return made


def bucketize(asked: np.ndarray, lines: np.ndarray, **options: Any) -> Any:
    return searchsorted(lines, asked, **options)


# ---- membership


def isin_calls(dtype: str) -> Iterator[Call]:
    for shape in ((), (0,), (7,), (33, 17)):
        x = operand(numbers(shape, "int64", 0, 9), dtype)
        for n in (0, 1, 5, 40):
            tests = operand(numbers((n,), "int64", 3, 7, 1), dtype)
            yield from (Call((x, tests)), Call((x, tests), {"invert": True}))


def member_calls(dtype: str) -> Iterator[Call]:
    x = operand(numbers((33, 17), "int64", 0, 9), dtype)
    for number in (3, 100, 2.0):
        yield from (Call((x, number)), Call((number, x), {"invert": True}))


def isin(x: Any, tests: Any, invert: bool = False) -> Any:
    return np.isin(x, tests, invert=invert)


def row(name: str, reference: Callable[..., Any], calls: Calls, **options: Any) -> Row:
    """Returns the row of an operator whose results have as many elements as there are different ones."""
    return Row(name, reference, calls, with_two_positions, (*BOOL, *ORDERED), data_dependent=True, **options)


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
    Row("argsort", argsort, sort_calls, index, SORTED),
    Row("msort", lambda x: np.sort(x, 0) if x.ndim else x, msort_calls, first, ORDERED),
    row("_unique2", unique, flat_calls(True, True, True)),
    row("_unique2", unique, flat_calls(True, False, True), label="counts"),
    row("_unique2", unique, flat_calls(True, False, False), label="values"),
    Row(
        "_unique",
        lambda *args: unique(*args)[:2],
        flat_calls(True, True),
        lambda call: (first(call), "int64"),
        ORDERED,
        data_dependent=True,
    ),
    row("unique_dim", unique_slices, slice_calls(True, True, True)),
    row("unique_consecutive", consecutive, flat_calls()),
    row("unique_consecutive", consecutive, flat_calls(True, True), label="all"),
    row("unique_dim_consecutive", consecutive_slices, slice_calls(True, True)),
    Row("searchsorted", searchsorted, search_calls, place, ORDERED),
    Row("searchsorted", searchsorted, number_calls, place, ORDERED, label="number"),
    Row("bucketize", bucketize, swapped(search_calls), place, ORDERED),
    Row("bucketize", bucketize, bucketed_number_calls, place, ORDERED, label="number"),
    Row("isin", isin, isin_calls, boolean, ORDERED),
    Row("isin", isin, member_calls, boolean, ORDERED, label="number"),
)
