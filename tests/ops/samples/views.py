"""Sample rows of views, of their gradients, and of copies with a view overwritten. test_views.py checks that
views share memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from calls import Call
from rows import Calls, Row, first
from tensors import COMPLEX, DTYPES, FLOATS, LAYOUTS, UNREPEATED, numbers, operand


def on(
    shapes: tuple[tuple[int, ...], ...],
    *arguments: tuple[Any, ...],
    layouts: tuple[str, ...] = tuple(LAYOUTS),
) -> Calls:
    """Returns calls for each shape in each layout with each list of further arguments."""

    def calls(dtype: str) -> Iterator[Call]:
        for shape in shapes:
            for layout in layouts:
                for rest in arguments:
                    yield Call((operand(numbers(shape, dtype), dtype, layout), *rest))

    return calls


def row(name: str, reference: Callable[..., Any], calls: Calls, **options: Any) -> Row:
    return Row(name, reference, calls, options.pop("dtype", first), **options)


PLAIN = ("contiguous",)
ANY = ((), (0,), (7,), (3, 5), (2, 3, 4, 5))
FOUR = ((2, 3, 4, 5),)
WITH_ONES = ((1,), (1, 3, 1), (2, 1, 3, 1))


SHAPES = ((7,), (3, 5), (33, 17), (2, 3, 4, 5))


def same_values(x: np.ndarray, *_: Any, **__: Any) -> np.ndarray:
    return x


def squeezed(x: np.ndarray, dim: Any = None) -> np.ndarray:
    if dim is None:
        return np.squeeze(x)
    dims = [d % x.ndim for d in np.atleast_1d(dim)]
    return np.squeeze(x, tuple(d for d in dims if x.shape[d] == 1))


def flattened(x: np.ndarray, start: int = 0, end: int = -1) -> np.ndarray:
    if x.ndim == 0:
        return x.reshape(1)
    start, end = start % x.ndim, end % x.ndim
    return x.reshape(*x.shape[:start], -1, *x.shape[end + 1 :])


def sliced(
    x: np.ndarray, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1
) -> np.ndarray:
    return x[(slice(None),) * (dim % x.ndim) + (slice(start, end, step),)]


def expanded(x: np.ndarray, size: list[int]) -> np.ndarray:
    offset = len(size) - x.ndim
    return np.broadcast_to(x, [x.shape[i - offset] if n == -1 else n for i, n in enumerate(size)])


def like(name: str, reference: Callable[..., Any]) -> Row:
    """Returns the row of an operator that takes the other shape from a tensor."""

    def calls(dtype: str) -> Iterator[Call]:
        for shape, other in (
            (((6,), (2, 3)), ((2, 3, 4), (4, 6)), ((0,), (3, 0)))
            if name != "expand_as"
            else (((3, 1), (3, 5)), ((), (2, 3)))
        ):
            yield Call((operand(numbers(shape, dtype), dtype), operand(numbers(other, "float32"), "float32")))

    return row(name, lambda x, other: reference(x, other.shape), calls)


def strided(x: np.ndarray, size: list[int], stride: list[int], offset: int = 0) -> np.ndarray:
    flat = np.ascontiguousarray(x).reshape(-1)[offset:]
    return np.lib.stride_tricks.as_strided(flat, size, [s * x.itemsize for s in stride])


def reshape_alias_calls(dtype: str) -> Iterator[Call]:
    for shape in ((4,), (3, 5), (2, 3, 4, 5)):
        x = operand(numbers(shape, dtype), dtype)
        count = int(np.prod(shape))
        yield from (Call((x, [count], [1])), Call((x, [count // 2], [2])), Call((x, [3, 2], [0, 1])))


def reshape_alias(x: np.ndarray, size: list[int], stride: list[int]) -> np.ndarray:
    return np.lib.stride_tricks.as_strided(x, size, [s * x.itemsize for s in stride])


# ---- diagonals, gradients of views


def diagonal_calls(dtype: str) -> Iterator[Call]:
    for shape in ((3, 5), (33, 17), (0, 3), (2, 3, 4, 5)):
        for layout in LAYOUTS:
            x = operand(numbers(shape, dtype), dtype, layout)
            for k in (0, 1, -2, 40, -40):
                yield from (Call((x, k)), Call((x, k, -1, 0)))


def diagonal(x: np.ndarray, k: int = 0, first_: int = 0, second: int = 1) -> np.ndarray:
    return np.diagonal(x, k, first_, second)


def whole_slice_calls(dtype: str) -> Iterator[Call]:
    """Yields slices of all; test_views.py has others, which need the memory of a larger tensor."""
    for shape in SHAPES:
        x, src = (operand(numbers(shape, dtype, seed=i), dtype) for i in (0, 1))
        yield from (Call((x, src)), Call((x, src, -1, 0, 2**62, 1)))


def select_backward_calls(dtype: str) -> Iterator[Call]:
    for shape in SHAPES:
        for dim in (0, -1):
            for at in (0, -1):
                grad = np.take(numbers(shape, dtype), at, dim)
                yield Call((operand(grad, dtype), list(shape), dim, at))


def select_backward(grad: np.ndarray, sizes: list[int], dim: int, at: int) -> np.ndarray:
    made = np.zeros(sizes, grad.dtype)
    np.moveaxis(made, dim, 0)[at] = grad
    return made


def slice_backward_calls(dtype: str) -> Iterator[Call]:
    for shape in SHAPES:
        for dim in (0, -1):
            for piece in ((0, 2, 1), (1, 2**62, 2), (0, 0, 1)):
                grad = np.moveaxis(np.moveaxis(numbers(shape, dtype), dim, 0)[slice(*piece)], 0, dim)
                yield Call((operand(grad, dtype), list(shape), dim, *piece))


def slice_backward(
    grad: np.ndarray, sizes: list[int], dim: int, start: int, end: int, step: int
) -> np.ndarray:
    made = np.zeros(sizes, grad.dtype)
    np.moveaxis(made, dim, 0)[start:end:step] = np.moveaxis(grad, dim, 0)
    return made


def diagonal_backward_calls(dtype: str) -> Iterator[Call]:
    for call in diagonal_calls(dtype):
        x, k, *dims = call.args
        grad = operand(diagonal(np.asarray(x.values), k, *dims), dtype)
        yield Call((grad, list(x.stored.shape), k, *(dims or (0, 1))))


def diagonal_backward(grad: np.ndarray, sizes: list[int], k: int, first_: int, second: int) -> np.ndarray:
    made = np.zeros(sizes, grad.dtype)
    place = np.diagonal(np.arange(made.size).reshape(sizes), k, first_, second)
    made.reshape(-1)[place] = grad
    return made


# ---- copies with a view overwritten

VIEWS: dict[str, tuple[tuple[tuple[int, ...], tuple[Any, ...], Callable[[np.ndarray], np.ndarray]], ...]] = {
    "slice_scatter": (
        ((7,), (0, 2, 5), lambda a: a[2:5]),
        ((3, 5), (1, 0, 4, 2), lambda a: a[:, 0:4:2]),
        ((3, 5), (-1, -2, None), lambda a: a[:, -2:]),
        ((2, 3, 4, 5), (2, 1), lambda a: a[:, :, 1:]),
        ((0, 3), (), lambda a: a[:]),
    ),
    "select_scatter": (
        ((7,), (0, 3), lambda a: a[3]),
        ((3, 5), (1, -1), lambda a: a[:, -1]),
        ((2, 3, 4, 5), (1, 2), lambda a: a[:, 2]),
    ),
    "diagonal_scatter": (
        ((3, 5), (), lambda a: np.diagonal(a)),
        ((3, 5), (1,), lambda a: np.diagonal(a, 1)),
        ((2, 3, 4, 5), (-1, 1, 3), lambda a: np.diagonal(a, -1, 1, 3)),
    ),
    "as_strided_scatter": (
        ((4, 5), ([2, 3], [1, 4]), lambda a: np.lib.stride_tricks.as_strided(a, (2, 3), steps(a, 1, 4))),
        ((4, 5), ([3], [2], 1), lambda a: a.reshape(-1)[1:7:2]),
    ),
}


def steps(a: np.ndarray, *strides: int) -> tuple[int, ...]:
    return tuple(s * a.itemsize for s in strides)


def written_calls(name: str) -> Callable[[str], Iterator[Call]]:
    def calls(dtype: str) -> Iterator[Call]:
        for shape, arguments, view in VIEWS[name]:
            part = view(np.zeros(shape)).shape
            for layout in ("contiguous",) if name == "as_strided_scatter" else UNREPEATED:
                x = operand(numbers(shape, dtype), dtype, layout)
                yield Call((x, operand(numbers(part, dtype, seed=1), dtype), *arguments))

    return calls


def written(name: str) -> Callable[..., np.ndarray]:
    def reference(x: np.ndarray, src: np.ndarray, *arguments: Any) -> np.ndarray:
        view = next(v for s, a, v in VIEWS[name] if s == x.shape and a == arguments)
        places = view(np.arange(x.size).reshape(x.shape))
        flat = x.reshape(-1).copy()
        flat[places.reshape(-1)] = src.reshape(-1)
        return flat.reshape(x.shape)

    return reference


ROWS = (
    row(
        "view",
        lambda x, size: x.reshape(size),
        on(((6,), (2, 3), (1, 6)), ([6],), ([3, 2],), ([-1, 2],), layouts=PLAIN),
    ),
    row(
        "reshape", lambda x, size: x.reshape(size), on(((6,), (2, 3), (3, 2)), ([6],), ([3, 2],), ([-1, 2],))
    ),
    row(
        "_unsafe_view", lambda x, size: x.reshape(size), on(((6,), (2, 3)), ([6],), ([3, 2],), layouts=PLAIN)
    ),
    like("view_as", np.reshape),
    like("reshape_as", np.reshape),
    like("expand_as", np.broadcast_to),
    row("expand", expanded, on(((1, 5), (3, 1)), ([3, 5],), ([2, 3, 5],))),
    row("broadcast_to", np.broadcast_to, on(((1, 5), (3, 1)), ([3, 5],), ([2, 3, 5],))),
    row("permute", np.transpose, on(FOUR, ([3, 1, 0, 2],), ([0, -1, 1, 2],))),
    row("transpose", np.swapaxes, on(FOUR, (0, 1), (-1, 1), (2, 2)), reshapes=True),
    row("t", np.transpose, on(((), (7,), (3, 5)), ()), reshapes=True),
    row("numpy_T", np.transpose, on(((7,), (3, 5)), ())),
    row("mT", lambda x: np.swapaxes(x, -1, -2), on(((3, 5), (2, 3, 4)), ())),
    row("select", lambda x, dim, i: np.take(x, i, dim), on(FOUR, (0, 1), (-1, -1), (2, 0))),
    row(
        "slice",
        sliced,
        on(FOUR, (), (1, 0, 2), (-1, 1, 5, 2), (2, None, None, 3), (0, -1), (0, 5, 2), (3, -100, 100)),
    ),
    row("slice_inverse", same_values, whole_slice_calls),
    row(
        "narrow",
        lambda x, dim, start, length: sliced(x, dim, start % x.shape[dim], start % x.shape[dim] + length),
        on(FOUR, (1, 0, 2), (-1, 1, 3), (2, -2, 1), (0, 0, 0)),
    ),
    row("unsqueeze", np.expand_dims, on(ANY, (0,), (-1,)), reshapes=True),
    row("squeeze", squeezed, on(WITH_ONES, (), (0,), (-1,), ([0],), ([-1],)), reshapes=True),
    row(
        "split",
        lambda x, n, dim=0: np.split(x, range(n, x.shape[dim], n), dim),
        on(FOUR, (1,), (2, 1), (3, -1)),
        dtype=lambda c: [first(c)] * -(-c.args[0].stored.shape[(*c.args, 0)[2]] // c.args[1]),
    ),
    row(
        "split",
        lambda x, sizes, dim=0: np.split(x, np.cumsum(sizes)[:-1], dim),
        on(FOUR, ([1, 1],), ([1, 0, 2], 1)),
        dtype=lambda c: [first(c)] * len(c.args[1]),
        label="sizes",
    ),
    row(
        "split_with_sizes",
        lambda x, sizes, dim=0: np.split(x, np.cumsum(sizes)[:-1], dim),
        on(FOUR, ([1, 1],), ([1, 0, 2], 1)),
        dtype=lambda c: [first(c)] * len(c.args[1]),
    ),
    row(
        "chunk",
        lambda x, n, dim=0: np.array_split(x, n, dim),
        on(FOUR, (2,), (2, 2), (1, -1)),
        dtype=lambda c: [first(c)] * c.args[1],
    ),
    row(
        "unbind",
        lambda x, dim=0: [np.take(x, i, dim) for i in range(x.shape[dim])],
        on(FOUR, (), (1,), (-1,)),
        dtype=lambda c: [first(c)] * c.args[0].stored.shape[(*c.args, 0)[1]],
    ),
    row("flatten", flattened, on(ANY, ())),
    row("flatten", flattened, on(FOUR, (1,), (1, 2), (-2, -1)), label="dims"),
    row(
        "as_strided",
        strided,
        on(((24,),), ([2, 3], [6, 1]), ([2, 2], [1, 1], 3), ([0], [1]), layouts=PLAIN),
        inplace=False,
    ),
    row("alias", same_values, on(ANY, ())),
    row("detach", same_values, on(ANY, ())),
    Row("_reshape_alias", reshape_alias, reshape_alias_calls, first),
    Row("diagonal", diagonal, diagonal_calls, first),
    Row("diagonal_backward", diagonal_backward, diagonal_backward_calls, first, FLOATS + COMPLEX),
    Row("select_backward", select_backward, select_backward_calls, first, FLOATS + COMPLEX),
    Row("slice_backward", slice_backward, slice_backward_calls, first, FLOATS + COMPLEX),
    *(Row(name, written(name), written_calls(name), first, DTYPES) for name in VIEWS),
)
