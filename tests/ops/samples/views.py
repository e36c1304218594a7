"""Sample rows of views and copies. That views share memory is tested in test_views.py."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from calls import Call, DType
from rows import Calls, Row, first
from tensors import DTYPES, LAYOUTS, numbers, operand


def on(
    shapes: tuple[tuple[int, ...], ...],
    *arguments: tuple[Any, ...],
    layouts: tuple[str, ...] = tuple(LAYOUTS),
) -> Calls:
    """Each shape in each layout with each list of further arguments."""

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
    """Operators that take the other shape from a tensor."""

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


def to_calls(dtype: str) -> Iterator[Call]:
    for target in DTYPES:
        if not ("complex" in dtype and "complex" not in target):
            for layout in LAYOUTS:
                yield Call((operand(numbers((3, 5), dtype, 0, 5), dtype, layout), DType(target)))


def to_copy_calls(dtype: str) -> Iterator[Call]:
    return (Call(c.args[:1], {"dtype": c.args[1]}) for c in to_calls(dtype))


def asked(call: Call) -> str:
    return (call.args[1] if len(call.args) > 1 else call.kwargs["dtype"]).name


def converted(x: np.ndarray, *_: Any, **__: Any) -> np.ndarray:
    return x


def copy_calls(dtype: str) -> Iterator[Call]:
    for other in DTYPES:
        if not ("complex" in other and "complex" not in dtype):
            for layout in LAYOUTS:
                for shape in ((3, 5), (5,), ()):
                    source = operand(numbers(shape, other, 0, 5), other, layout)
                    yield Call((operand(numbers((3, 5), dtype), dtype), source))


VIEW_ROWS = (
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
    row("contiguous", same_values, on(ANY, ())),
    row("clone", same_values, on(ANY, ())),
    row("to", converted, to_calls, dtype=asked),
    row("_to_copy", converted, to_copy_calls, dtype=asked),
    row("copy", lambda x, y: np.broadcast_to(y, x.shape), copy_calls),
)
