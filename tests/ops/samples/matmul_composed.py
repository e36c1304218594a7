"""Sample rows of products of vectors, matrices and batches that are composed of other products."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from calls import Call
from rows import Calls, Row, first, same
from tensors import COMPLEX, FLOATS, LAYOUTS, NUMBERS, numbers, operand

from samples.matmul import BATCHES, addmm, products, tolerance

SMALL = 2  # the range of the values whose products are added up


def made(dtype: str, *shapes: tuple[int, ...], layout: str = "contiguous") -> list[Any]:
    return [
        operand(numbers(shape, dtype, -SMALL, SMALL, seed), dtype, layout)
        for seed, shape in enumerate(shapes)
    ]


def given(*calls: tuple[tuple[tuple[int, ...], ...], tuple[Any, ...]]) -> Calls:
    """Returns calls with operands of these shapes, then these arguments; in two layouts."""

    def make(dtype: str) -> Iterator[Call]:
        for shapes, rest in calls:
            for layout in ("contiguous", "transposed"):
                yield Call((*made(dtype, *shapes, layout=layout), *rest))

    return make


def added(shapes: Any, sums: Any) -> Calls:
    """Returns calls with an added tensor of every shape that broadcasts to the result, with and without
    factors.
    """

    def make(dtype: str) -> Iterator[Call]:
        for a, b in shapes:
            for bias in sums(a, b):
                args = made(dtype, bias, a, b)
                yield from (Call(tuple(args)), Call(tuple(args), {"beta": 2, "alpha": 3}))
                yield Call(tuple(args), {"beta": 0})

    return make


def batched(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    return (a[0], a[1], b[2]), (b[2],), (1, 1, b[2]), ()


VECTORS = (((3, 4), (4,)), ((1, 1), (1,)), ((0, 4), (4,)), ((3, 0), (0,)), ((65, 33), (33,)))


def addr(x: np.ndarray, a: np.ndarray, b: np.ndarray, beta: int = 1, alpha: int = 1) -> np.ndarray:
    return addmm(x, a[:, None], b[None, :], beta, alpha)


def addbmm(x: np.ndarray, a: np.ndarray, b: np.ndarray, beta: int = 1, alpha: int = 1) -> np.ndarray:
    return addmm(
        x,
        np.concatenate([*a, a[0][:, :0]] if len(a) else [a.reshape(a.shape[1], 0)], 1),
        b.reshape(-1, b.shape[2]),
        beta,
        alpha,
    )


def lists(*chains: tuple[tuple[int, ...], ...]) -> Calls:
    def make(dtype: str) -> Iterator[Call]:
        for shapes in chains:
            yield Call((made(dtype, *shapes),))

    return make


def chained(tensors: list[np.ndarray]) -> np.ndarray:
    product = tensors[0]
    for t in tensors[1:]:
        product = product @ t
    return product


EQUATIONS: tuple[tuple[str, tuple[tuple[int, ...], ...]], ...] = (
    ("ij,jk->ik", ((3, 4), (4, 5))),
    ("ij,jk", ((3, 4), (4, 5))),
    ("ij->ji", ((3, 4),)),
    ("ii->i", ((4, 4),)),
    ("ii", ((4, 4),)),
    ("ij->", ((3, 4),)),
    ("bij,bjk->bik", ((2, 3, 4), (2, 4, 5))),
    ("...ij,...jk->...ik", ((2, 1, 3, 4), (5, 4, 2))),
    ("bhid,bhjd->bhij", ((2, 3, 4, 5), (2, 3, 6, 5))),
    ("i,j->ij", ((3,), (4,))),
    ("i,i", ((3,), (3,))),
    ("ij,j,k->ik", ((3, 4), (4,), (5,))),
    ("aij,bj,akc->bik", ((2, 3, 4), (5, 4), (2, 6, 7))),
    ("...i->i...", ((2, 3, 4),)),
    ("bii->b", ((2, 3, 3),)),
    (" i j , j -> i ", ((3, 4), (4,))),
)


def einsum_calls(dtype: str) -> Iterator[Call]:
    for equation, shapes in EQUATIONS:
        for layout in LAYOUTS:
            yield Call((equation, made(dtype, *shapes, layout=layout)))
    yield Call(("ij,jk,kl->il", made(dtype, (2, 3), (3, 4), (4, 5))), {"path": [1, 2, 0, 1]})


def einsum(equation: str, operands: list[np.ndarray], path: Any = None) -> np.ndarray:
    return np.einsum(equation, *operands)


def bilinear_calls(dtype: str) -> Iterator[Call]:
    for rows in ((), (1,), (7,), (2, 3), (0,)):
        x, y, w, b = made(dtype, (*rows, 4), (*rows, 5), (3, 4, 5), (3,))
        yield from (Call((x, y, w)), Call((x, y, w, b)))


def bilinear(x: np.ndarray, y: np.ndarray, w: np.ndarray, b: np.ndarray | None = None) -> np.ndarray:
    return np.einsum("...i,oij,...j->...o", x, w, y) + (0 if b is None else b)


def trilinear_calls(dtype: str) -> Iterator[Call]:
    x, w, y = made(dtype, (6, 4), (3, 4, 5), (6, 5))
    yield Call((x, w, y, [1, 3], [0], [1, 2], [2, 3]))
    yield Call((x, w, y, [1, 3], [0], [1, 2], [2, 3], 0))
    a, b, c = made(dtype, (2, 3), (2, 3), (2, 3))
    yield from (Call((a, b, c, [], [], [], [1])), Call((a, b, c, [], [], [], [])))


def trilinear(
    a: np.ndarray, b: np.ndarray, c: np.ndarray, ea: Any, eb: Any, ec: Any, dims: Any, _: int = 1
) -> np.ndarray:
    wide = [np.expand_dims(t, tuple(e)) if e else t for t, e in ((a, ea), (b, eb), (c, ec))]
    return (wide[0] * wide[1] * wide[2]).sum(tuple(dims), dtype=a.dtype)


def tensordot(a: np.ndarray, b: np.ndarray, da: Any, db: Any) -> np.ndarray:
    return np.tensordot(a, b, (da, db))


DOTS = products(((0,), (0,)), ((1,), (1,)), ((7,), (7,)), ((301,), (301,)))
OUTERS = products(((0,), (3,)), ((1,), (1,)), ((7,), (5,)))


def group_calls(dtype: str) -> Iterator[Call]:
    """Yields groups of rows, of columns, and of pieces of the contracted dimension; and batches."""
    for a, b, divided in (
        ((8, 4), (3, 4, 5), 8),
        ((3, 5, 4), (4, 8), 8),
        ((4, 8), (8, 5), 8),
        ((3, 4, 5), (3, 5, 2), 0),
    ):
        ends = operand(np.array([2, 2, divided]), "int32") if divided else None
        left, right = (operand(numbers(s, dtype, -2, 2, i), dtype) for i, s in enumerate((a, b)))
        yield Call((left, right, ends))


def grouped(a: np.ndarray, b: np.ndarray, ends: Any) -> np.ndarray:
    if ends is None:
        return a @ b
    groups = [slice(x, y) for x, y in pairwise([0, *ends.tolist()])]
    if a.ndim == b.ndim == 2:
        return np.stack([a[:, g] @ b[g] for g in groups])
    if a.ndim == 2:
        return np.concatenate([a[g] @ b[i] for i, g in enumerate(groups)])
    return np.concatenate([a[i] @ b[:, g] for i, g in enumerate(groups)], 1)


ROWS = (
    Row("_grouped_mm", grouped, group_calls, first, ("float16", "bfloat16", "float32"), tolerance=tolerance),
    Row("vdot", np.vdot, DOTS, first, NUMBERS, tolerance=tolerance),
    Row("mv", np.matmul, products(*VECTORS), first, NUMBERS, tolerance=tolerance),
    Row(
        "addmv",
        addmm,
        added(VECTORS, lambda a, b: ((a[0],), (1,), ())),
        first,
        NUMBERS,
        tolerance=tolerance,
        inplace=False,
    ),
    Row("baddbmm", addmm, added(BATCHES, batched), first, NUMBERS, tolerance=tolerance, inplace=False),
    Row(
        "addbmm",
        addbmm,
        added(BATCHES, lambda a, b: ((a[1], b[2]), (b[2],), ())),
        first,
        NUMBERS,
        tolerance=tolerance,
        inplace=False,
    ),
    Row(
        "addr",
        addr,
        added((((3,), (4,)), ((0,), (4,)), ((1,), (1,))), lambda a, b: ((a[0], b[0]), (b[0],), ())),
        same,
        NUMBERS,
        tolerance=tolerance,
        inplace=False,
    ),
    Row(
        "baddbmm",
        addmm,
        added(BATCHES, lambda a, b: batched(a, b)[:1]),
        first,
        NUMBERS,
        tolerance=tolerance,
        label="whole",
    ),
    Row(
        "addbmm",
        addbmm,
        added(BATCHES, lambda a, b: ((a[1], b[2]),)),
        first,
        NUMBERS,
        tolerance=tolerance,
        label="whole",
    ),
    Row(
        "addmv",
        addmm,
        added(VECTORS, lambda a, b: ((a[0],),)),
        first,
        NUMBERS,
        tolerance=tolerance,
        label="whole",
    ),
    Row(
        "addr",
        addr,
        added((((3,), (4,)),), lambda a, b: ((a[0], b[0]),)),
        same,
        NUMBERS,
        tolerance=tolerance,
        label="whole",
    ),
    Row("outer", np.outer, OUTERS, first, NUMBERS, tolerance=tolerance),
    Row("ger", np.outer, OUTERS, first, NUMBERS, tolerance=tolerance),
    Row(
        "inner",
        np.inner,
        products(((4,), (4,)), ((3, 4), (4,)), ((3, 4), (2, 4)), ((), (3,)), ((0, 4), (2, 4))),
        first,
        NUMBERS,
        tolerance=tolerance,
    ),
    Row(
        "kron",
        np.kron,
        products(((3,), (4,)), ((2, 3), (4, 5)), ((3,), (2, 4)), ((), (3,)), ((2, 1, 3), (3, 2))),
        first,
        NUMBERS,
        tolerance=tolerance,
    ),
    Row(
        "tensordot",
        tensordot,
        given(
            (((3, 4), (4, 5)), ([1], [0])),
            (((2, 3, 4), (4, 3, 5)), ([1, 2], [1, 0])),
            (((2, 3), (4,)), ([], [])),
            (((2, 3, 4), (2, 3, 4)), ([0, 1, 2], [0, 1, 2])),
        ),
        first,
        NUMBERS,
        tolerance=tolerance,
    ),
    Row(
        "linalg_multi_dot",
        chained,
        lists(((3, 4), (4, 5)), ((3, 4), (4, 5), (5, 2), (2, 6)), ((4,), (4, 5), (5,)), ((4,), (4,))),
        first,
        FLOATS,
        tolerance=tolerance,
    ),
    Row(
        "chain_matmul",
        chained,
        lists(((3, 4), (4, 5)), ((3, 4), (4, 5), (5, 2)), ((3, 4),)),
        first,
        FLOATS,
        tolerance=tolerance,
    ),
    Row("einsum", einsum, einsum_calls, first, ("int64", *FLOATS, *COMPLEX), tolerance=tolerance),
    Row("bilinear", bilinear, bilinear_calls, first, FLOATS, tolerance=tolerance),
    Row("_trilinear", trilinear, trilinear_calls, first, FLOATS, tolerance=tolerance),
)
