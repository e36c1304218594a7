"""Sample rows of indexing, joining, sorting and normalisation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from calls import Call
from rows import Row, first, index, same
from samples_reduce import loose
from tensors import DTYPES, FLOATS, INTEGERS, LAYOUTS, numbers, operand


def indices(shape: tuple[int, ...], limit: int, dtype: str = "int64", seed: int = 3) -> Any:
    return operand(np.random.default_rng([seed, *shape]).integers(0, max(limit, 1), shape), dtype)


def index_select_calls(dtype: str) -> Iterator[Call]:
    for shape in ((7,), (3, 5), (33, 17), (2, 3, 4, 5)):
        for layout in LAYOUTS:
            x = operand(numbers(shape, dtype), dtype, layout)
            for dim in (0, -1):
                for count in (0, 1, 9):
                    yield Call((x, dim, indices((count,), shape[dim])))
            yield Call((x, 0, indices((4,), shape[0], "int32")))


def gather_calls(dtype: str) -> Iterator[Call]:
    for shape in ((7,), (3, 5), (33, 17), (2, 3, 4, 5)):
        for layout in LAYOUTS:
            x = operand(numbers(shape, dtype), dtype, layout)
            for dim in (0, -1):
                yield Call((x, dim, indices(shape, shape[dim])))


def embedding_calls(dtype: str) -> Iterator[Call]:
    weight = operand(numbers((10, 6), dtype), dtype)
    for shape in ((), (0,), (5,), (2, 3)):
        yield from (Call((weight, indices(shape, 10))), Call((weight, indices(shape, 10, "int32"), 2)))


def index_calls(dtype: str) -> Iterator[Call]:
    for shape in ((7,), (3, 5), (33, 17), (2, 3, 4, 5)):
        for layout in LAYOUTS:
            x = operand(numbers(shape, dtype), dtype, layout)
            yield from (Call((x, [indices((4,), shape[0])])), Call((x, [indices((2, 3), shape[0])])))
            if len(shape) > 1:
                yield Call((x, [None, indices((4,), shape[1])]))
                yield Call((x, [indices((4, 1), shape[0]), indices((3,), shape[1])]))
                yield Call((x, [operand(numbers(shape[:1], "bool", seed=9), "bool")]))


def index_reference(x: np.ndarray, where: list[Any]) -> np.ndarray:
    return x[tuple(slice(None) if i is None else i for i in where)]


def index_put_calls(dtype: str) -> Iterator[Call]:
    for shape in ((7,), (33, 17), (2, 3, 4, 5)):
        for layout in ("contiguous", "transposed", "sliced"):
            x = operand(numbers(shape, dtype), dtype, layout)
            where = operand(np.arange(min(shape[0], 3)), "int64")
            values = operand(numbers((min(shape[0], 3), *shape[1:]), dtype, seed=5), dtype)
            yield from (
                Call((x, [where], values)),
                Call((x, [where], operand(numbers((), dtype, seed=6), dtype))),
            )
            if dtype != "bool":
                yield Call((x, [where], values, True))


def index_put_reference(
    x: np.ndarray, where: list[Any], values: np.ndarray, accumulate: bool = False, *_: Any
) -> np.ndarray:
    made = x.copy()
    made[where[0]] = made[where[0]] + values if accumulate else values
    return made


def unsafe_index_put(dtype: str) -> Iterator[Call]:
    return (Call((*c.args, False) if len(c.args) == 3 else c.args) for c in index_put_calls(dtype))


def masked_select_calls(dtype: str) -> Iterator[Call]:
    for shape, mask in (((), ()), ((0,), (0,)), ((7,), (7,)), ((3, 5), (5,)), ((33, 17), (33, 1))):
        for layout in LAYOUTS:
            yield Call(
                (
                    operand(numbers(shape, dtype), dtype, layout),
                    operand(numbers(mask, "bool", seed=8), "bool"),
                )
            )


def masked_select(x: np.ndarray, mask: np.ndarray) -> np.ndarray:
    x, mask = np.broadcast_arrays(x, mask)
    return x[mask]


def nonzero_calls(dtype: str) -> Iterator[Call]:
    for shape in ((), (0,), (7,), (3, 5), (33, 17), (2, 3, 4, 5)):
        for layout in LAYOUTS:
            yield Call((operand(numbers(shape, dtype, -1, 1), dtype, layout),))


def nonzero(x: np.ndarray) -> np.ndarray:
    return np.argwhere(x) if x.ndim else np.zeros((int(x != 0), 0), np.int64)


def distinct(shape: tuple[int, ...], dtype: str) -> np.ndarray:
    """Values without ties, as far as the dtype has so many."""
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


def with_positions(call: Call) -> tuple[str, str]:
    return first(call), "int64"


def tensors_of(dtype: str, shapes: tuple[tuple[int, ...], ...], layout: str) -> list[Any]:
    return [operand(numbers(s, dtype, seed=i), dtype, layout) for i, s in enumerate(shapes)]


def cat_calls(dtype: str) -> Iterator[Call]:
    for shapes, dim in (
        (((3,), (4,)), 0),
        (((2, 3), (2, 5), (2, 1)), 1),
        (((2, 3), (0, 3)), 0),
        (((0,), (2, 3)), 1),
        (((33, 17),), -1),
    ):
        for layout in LAYOUTS:
            yield Call((tensors_of(dtype, shapes, layout), dim))
    for other in DTYPES:
        if not ("float16" in (dtype, other) and "complex" in dtype + other):
            yield Call(([operand(numbers((3,), dtype), dtype), operand(numbers((4,), other, 0, 3), other)],))


def cat_reference(tensors: list[np.ndarray], dim: int = 0) -> np.ndarray:
    kept = [t for t in tensors if t.shape != (0,)]
    return np.concatenate(kept or tensors, axis=dim if kept else 0)


def stack_calls(dtype: str) -> Iterator[Call]:
    for shape in ((), (0,), (3,), (33, 17), (2, 3, 4, 5)):
        for layout in LAYOUTS:
            for dim in (0, -1):
                yield Call((tensors_of(dtype, (shape, shape, shape), layout), dim))


def joined(call: Call) -> str:
    return same(Call(tuple(call.args[0])))


def layer_norm_calls(full: bool) -> Any:
    def calls(dtype: str) -> Iterator[Call]:
        for shape, axes in (((3, 5), 1), ((2, 3, 4, 5), 2), ((0, 5), 1), ((33, 300), 1)):
            for layout in ("contiguous", "transposed"):
                x = operand(numbers(shape, dtype, -2, 2), dtype, layout)
                over = list(shape[len(shape) - axes :])
                w, b = (operand(numbers(tuple(over), dtype, -1, 1, s), dtype) for s in (1, 2))
                for tail in ((w, b), (None, None), (w, None)):
                    yield Call((x, over, *tail, 1e-5))

    return calls


def layer_norm(
    x: np.ndarray, over: list[int], w: Any = None, b: Any = None, eps: float = 1e-5, *_: Any
) -> np.ndarray:
    axes = tuple(range(x.ndim - len(over), x.ndim))
    y = (x - x.mean(axes, keepdims=True)) / np.sqrt(x.var(axes, keepdims=True) + eps)
    return (y if w is None else y * w) + (0 if b is None else b)


def native_layer_norm(x: np.ndarray, over: list[int], w: Any, b: Any, eps: float) -> Any:
    axes = tuple(range(x.ndim - len(over), x.ndim))
    return (
        layer_norm(x, over, w, b, eps),
        x.mean(axes, keepdims=True),
        1 / np.sqrt(x.var(axes, keepdims=True) + eps),
    )


def norm_types(call: Call) -> tuple[str, str, str]:
    """Half precision has its statistics in float32 only where the weights are."""
    return (first(call),) * 3


def norm_tolerance(dtype: str) -> tuple[float, float] | None:
    return (3e-2, 3e-2) if dtype == "bfloat16" else loose(dtype)


WITH_TIES = ("bool", "uint8", "int8", "float16", "bfloat16")
SORTED = tuple(d for d in INTEGERS + FLOATS if d not in WITH_TIES)
INDEXING_ROWS = (
    Row("index_select", lambda x, dim, i: np.take(x, i, dim), index_select_calls, first),
    Row("gather", lambda x, dim, i: np.take_along_axis(x, i, dim), gather_calls, first),
    Row("embedding", lambda w, i, *_: w[i], embedding_calls, first),
    Row("index", index_reference, index_calls, first, data_dependent=True),
    Row("index_put", index_put_reference, index_put_calls, first),
    Row("_index_put_impl", index_put_reference, unsafe_index_put, first),
    Row("masked_select", masked_select, masked_select_calls, first, data_dependent=True),
    Row("nonzero", nonzero, nonzero_calls, index, data_dependent=True),
    Row("sort", sort_reference, sort_calls, with_positions, SORTED),
    Row("topk", topk_reference, topk_calls, with_positions, SORTED),
    Row("cat", cat_reference, cat_calls, joined),
    Row("stack", np.stack, stack_calls, joined),
    Row("layer_norm", layer_norm, layer_norm_calls(False), first, FLOATS, tolerance=norm_tolerance),
    Row(
        "native_layer_norm",
        native_layer_norm,
        layer_norm_calls(True),
        norm_types,
        FLOATS,
        tolerance=norm_tolerance,
    ),
)
