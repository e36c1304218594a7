"""Sample rows of views composed of others and under other names, of several views at once, of diagonals."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from calls import Call
from rows import Calls, Row, first
from tensors import COMPLEX, FLOATS, LAYOUTS, UNREPEATED, numbers, on_host, operand

from samples.views import ANY, FOUR, PLAIN, on, row

# ---- dimensions moved, divided and joined


def moved(x: np.ndarray, source: Any, destination: Any) -> np.ndarray:
    return np.moveaxis(x, source, destination)


def adjoint(x: np.ndarray) -> np.ndarray:
    return np.conj(np.swapaxes(x, -1, -2))


def unflattened(x: np.ndarray, dim: int, sizes: list[int]) -> np.ndarray:
    dim %= x.ndim
    return x.reshape(*x.shape[:dim], *sizes, *x.shape[dim + 1 :])


def from_tensor_calls(dtype: str) -> Iterator[Call]:
    for layout in LAYOUTS:
        x = operand(numbers((3, 4), dtype), dtype, layout)
        yield Call((x, operand(np.array([2, -1]), "int64")))


# ---- pieces


def pieces(name: str, axis: Callable[[np.ndarray], int] | None, sections: int) -> Iterator[Row]:
    """Yields rows of an operator that cuts at positions and into sections, along an axis or a given one."""

    def cut(x: np.ndarray, where: Any, dim: int = 0) -> list[np.ndarray]:
        where = where if isinstance(where, int) else [int(i) for i in np.atleast_1d(where)]
        return np.array_split(x, where, axis(x) if axis else dim)

    def count(call: Call) -> list[str]:
        where = call.args[1]
        number = where if isinstance(where, int) else len(where) + 1
        return [first(call)] * number

    shapes = ((6,), *FOUR) if name in ("hsplit", "tensor_split") else ((4, 6), *FOUR)
    shapes = ((2, 2, 3),) if name == "dsplit" else shapes
    arguments: list[tuple[Any, ...]] = [([1],), ([1, 1, 2],), ([],)]
    if axis is None:
        arguments += [([1, 3], -1), (4,), (3, -1)]
        yield row(name, cut, on(shapes, *arguments), dtype=count)
        return
    yield row(name, cut, on(shapes, *arguments), dtype=count)
    whole = tuple(s for s in shapes if s[axis(np.empty(s))] % sections == 0)
    yield row(name, cut, on(whole, (sections,)), dtype=count, label="sections")


def by_tensor_calls(dtype: str) -> Iterator[Call]:
    x = operand(numbers((3, 5), dtype), dtype)
    yield Call((x, on_host(operand(np.array([1, 3]), "int64")), 1))


def split_at(x: np.ndarray, where: np.ndarray, dim: int) -> list[np.ndarray]:
    return np.split(x, where.tolist(), dim)


# ---- windows


def unfolded(x: np.ndarray, dim: int, size: int, step: int) -> np.ndarray:
    if x.ndim == 0:
        return x.reshape(1)[:size]
    windows = np.lib.stride_tricks.sliding_window_view(x, size, dim)
    return windows[(slice(None),) * (dim % x.ndim) + (slice(None, None, step),)]


WINDOWS = ((0, 2, 1), (-1, 3, 2), (1, 1, 5), (-1, 3, 1), (0, 2, 2))


def unfold_backward_calls(dtype: str) -> Iterator[Call]:
    for shape in ((3, 5), (2, 3, 4, 5)):
        for arguments in WINDOWS:
            grad = unfolded(numbers(shape, dtype), *arguments)
            yield Call((operand(grad, dtype), list(shape), *arguments))


def unfold_backward(grad: np.ndarray, sizes: list[int], *arguments: int) -> np.ndarray:
    made = np.zeros(int(np.prod(sizes)), grad.dtype)
    places = unfolded(np.arange(made.size).reshape(sizes), *arguments)
    np.add.at(made, places, grad)
    return made.reshape(sizes)


# ---- diagonals


def embedded(x: np.ndarray, offset: int = 0, dim1: int = -2, dim2: int = -1) -> np.ndarray:
    side = x.shape[-1] + abs(offset)
    made = np.zeros((*x.shape[:-1], side, side), x.dtype)
    at = np.arange(x.shape[-1])
    made[..., at + max(-offset, 0), at + max(offset, 0)] = x
    return np.moveaxis(made, (-2, -1), (dim1, dim2))


def diag(x: np.ndarray, offset: int = 0) -> np.ndarray:
    return embedded(x, offset) if x.ndim == 1 else np.diagonal(x, offset)


def fill_diagonal_calls(dtype: str) -> Iterator[Call]:
    for shape in ((3, 5), (7, 3), (3, 0), (3, 3, 3)):
        for layout in UNREPEATED:
            x = operand(numbers(shape, dtype), dtype, layout)
            yield from (Call((x, 1)), Call((x, 1, True)))


def fill_diagonal(x: np.ndarray, value: Any, wrap: bool = False) -> np.ndarray:
    made = x.copy()
    if made.size:
        np.fill_diagonal(made, value, wrap)
    return made


# ---- several tensors


def several(*shapes: tuple[int, ...]) -> Calls:
    def calls(dtype: str) -> Iterator[Call]:
        for layout in LAYOUTS:
            yield Call(([operand(numbers(s, dtype, seed=i), dtype, layout) for i, s in enumerate(shapes)],))

    return calls


def grids(dtype: str) -> Iterator[Call]:
    vectors = [operand(numbers((n,), dtype, seed=n), dtype) for n in (2, 3, 1)]
    for some in (vectors[:1], vectors[:2], vectors):
        yield from (Call((some,)), Call((some,), {"indexing": "xy"}), Call((some,), {"indexing": "ij"}))
    yield Call(([operand(numbers((), dtype), dtype), vectors[1]],))


def meshgrid(vectors: list[np.ndarray], indexing: str = "ij") -> list[np.ndarray]:
    return list(np.meshgrid(*vectors, indexing=indexing))


def each(call: Call) -> list[str]:
    return [o.dtype for o in call.operands]


def atleast(name: str, function: Any) -> Iterator[Row]:
    yield row(name, function, on(ANY, ()))
    calls = several((), (3,), (2, 3), (2, 3, 4))
    yield row(name, lambda ts: [function(t) for t in ts], calls, dtype=each, label="list")


ROWS = (
    row("movedim", moved, on(FOUR, ([0, -1], [2, 0]), ([], []), ([3], [1]), (0, -1), (-2, 0))),
    row("moveaxis", moved, on(FOUR, ([0, -1], [2, 0]), (0, -1))),
    row("swapaxes", np.swapaxes, on(FOUR, (0, 1), (-1, 1)), reshapes=True),
    row("swapdims", np.swapaxes, on(FOUR, (0, 1), (-1, 1)), reshapes=True),
    row("adjoint", adjoint, on(((3, 5), (2, 3, 4)), ())),
    row("mH", adjoint, on(((3, 5), (2, 3, 4)), ())),
    row("matrix_H", adjoint, on(((3, 5),), ())),
    row("ravel", np.ravel, on(ANY, ())),
    row("unflatten", unflattened, on(((2, 6, 5),), (1, [2, 3]), (-2, [3, -1]), (0, [-1]), layouts=PLAIN)),
    Row("_reshape_from_tensor", lambda x, s: x.reshape(s), from_tensor_calls, first, data_dependent=True),
    *pieces("tensor_split", None, 0),
    *pieces("hsplit", lambda x: int(x.ndim > 1), 3),
    *pieces("vsplit", lambda _: 0, 2),
    *pieces("dsplit", lambda _: 2, 3),
    Row(
        "tensor_split",
        split_at,
        by_tensor_calls,
        lambda c: [first(c)] * 3,
        label="tensor",
        data_dependent=True,
    ),
    row("unfold", unfolded, on(((3, 5), *FOUR), *WINDOWS)),
    row("unfold", unfolded, on(((),), (0, 1, 1), (0, 0, 1)), label="scalar"),
    Row("unfold_backward", unfold_backward, unfold_backward_calls, first, FLOATS + COMPLEX),
    row("diag_embed", embedded, on(((3,), (2, 3), (0,)), (), (1,), (-2, 0), (1, -1, 0))),
    row("diag", diag, on(((3,), (3, 5), (5, 3)), (), (1,), (-2,))),
    row("diagflat", lambda x, k=0: embedded(x.reshape(-1), k), on(((), (3,), (2, 3)), (), (1,), (-2,))),
    Row("fill_diagonal", fill_diagonal, fill_diagonal_calls, first),
    row("broadcast_tensors", lambda ts: np.broadcast_arrays(*ts), several((3, 1), (5,), ()), dtype=each),
    row("meshgrid", meshgrid, grids, dtype=each),
    *atleast("atleast_1d", np.atleast_1d),
    *atleast("atleast_2d", np.atleast_2d),
    *atleast("atleast_3d", np.atleast_3d),
    row(
        "unsafe_split",
        lambda x, n, dim=0: np.split(x, range(n, x.shape[dim], n), dim),
        on(FOUR, (1,), (2, 1)),
        dtype=lambda c: [first(c)] * -(-c.args[0].stored.shape[(*c.args, 0)[2]] // c.args[1]),
    ),
    row(
        "unsafe_split_with_sizes",
        lambda x, sizes, dim=0: np.split(x, np.cumsum(sizes)[:-1], dim),
        on(FOUR, ([1, 1],), ([1, 0, 2], 1)),
        dtype=lambda c: [first(c)] * len(c.args[1]),
    ),
    row(
        "unsafe_chunk",
        lambda x, n, dim=0: np.array_split(x, n, dim),
        on(FOUR, (2,), (2, 2)),
        dtype=lambda c: [first(c)] * c.args[1],
    ),
)
