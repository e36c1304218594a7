"""Sample rows of tensors joined along fixed dimensions, in blocks and padded, and of products of vectors."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from calls import Call
from rows import Calls, Row, first
from tensors import DTYPES, INTEGERS, LAYOUTS, numbers, operand

from samples.shape import cat_calls, cat_reference, joined, stack_calls, tensors_of

Shapes = tuple[tuple[int, ...], ...]
STACKED: dict[str, tuple[Callable[..., Any], tuple[Shapes, ...]]] = {
    "hstack": (np.hstack, (((), ()), ((3,), (4,)), ((3, 2), (3, 5)))),
    "vstack": (np.vstack, (((), ()), ((3,), (3,)), ((2, 3), (3,)))),
    "row_stack": (np.vstack, (((3,), (3,)), ((2, 3), (3,)))),
    "dstack": (np.dstack, (((), ()), ((3,), (3,)), ((2, 3), (2, 3, 4)))),
    "column_stack": (np.column_stack, (((3,), (3, 2)), ((2, 3), (2, 1)))),
}


def of(*groups: Shapes) -> Calls:
    def calls(dtype: str) -> Iterator[Call]:
        for shapes in groups:
            for layout in LAYOUTS:
                yield Call((tensors_of(dtype, shapes, layout),))

    return calls


def block_calls(dtype: str) -> Iterator[Call]:
    yield from of(((2, 3), (), (4,), (1, 2)), ((0, 2), (2, 0)), ((3,),))(dtype)
    yield Call(([operand(numbers((2,), dtype), dtype), operand(numbers((2,), "float64"), "float64")],))


def block_diag(tensors: list[np.ndarray]) -> np.ndarray:
    blocks = [np.atleast_2d(t) for t in tensors]
    made = np.zeros(np.sum([b.shape for b in blocks], 0), np.result_type(*tensors))
    at = np.zeros(2, int)
    for block in blocks:
        made[at[0] : at[0] + block.shape[0], at[1] : at[1] + block.shape[1]] = block
        at += block.shape
    return made


# ---- products of vectors


def cartesian_prod(vectors: list[np.ndarray]) -> np.ndarray:
    if len(vectors) == 1:
        return vectors[0]
    rows = list(itertools.product(*vectors))
    return np.array(rows, vectors[0].dtype).reshape(len(rows), len(vectors))


def choice_calls(dtype: str) -> Iterator[Call]:
    for n in (0, 1, 4):
        x = operand(numbers((n,), dtype), dtype)
        yield Call((x,))
        yield from (Call((x, r, again)) for r in (0, 1, 3, 5) for again in (False, True))


def combinations(x: np.ndarray, r: int = 2, again: bool = False) -> np.ndarray:
    if r == 0:
        return np.zeros(0, x.dtype)
    choose = itertools.combinations_with_replacement if again else itertools.combinations
    rows = list(choose(x, r)) if len(x) else []
    return np.array(rows, x.dtype).reshape(-1, r)


# ---- padding


def chunk_cat_calls(dtype: str) -> Iterator[Call]:
    for shapes, dim, count in ((((2, 5), (2, 3)), 1, 2), (((2, 5), (3, 3)), 0, 4), (((2, 4, 3),), 1, 3)):
        for layout in LAYOUTS:
            yield Call((tensors_of(dtype, shapes, layout), dim, count))


def chunk_cat(tensors: list[np.ndarray], dim: int, count: int) -> np.ndarray:
    parts = []
    for t in tensors:
        missing = -t.shape[dim] % count
        t = np.pad(t, [(0, missing if d == dim else 0) for d in range(t.ndim)])
        parts.append(t.reshape(*t.shape[:dim], count, -1))
    return np.concatenate(parts, dim + 1)


def sequence_calls(dtype: str) -> Iterator[Call]:
    for shapes in (((3,), (5,), (0,)), ((3, 2), (1, 2))):
        for layout in LAYOUTS:
            given = tensors_of(dtype, shapes, layout)
            yield from (Call((given,)), Call((given, True, 1.0, "left")), Call((given, False, 2.0)))


def pad_sequence(
    sequences: list[np.ndarray], batch_first: bool = False, value: float = 0.0, side: str = "right"
) -> np.ndarray:
    longest = max(len(s) for s in sequences)
    made = np.full((len(sequences), longest, *sequences[0].shape[1:]), value, sequences[0].dtype)
    for row, s in zip(made, sequences, strict=True):
        row[longest - len(s) if side == "left" else 0 :][: len(s)] = s
    return made if batch_first else np.swapaxes(made, 0, 1)


def flattened(tensors: list[np.ndarray]) -> np.ndarray:
    return np.concatenate([t.reshape(-1) for t in tensors])


def unflatten_calls(dtype: str) -> Iterator[Call]:
    flat = operand(numbers((10,), dtype), dtype)
    yield Call((flat, tensors_of(dtype, ((2, 3), (4,)), "contiguous")))


def unflattened(flat: np.ndarray, tensors: list[np.ndarray]) -> list[np.ndarray]:
    ends = np.cumsum([t.size for t in tensors])[:-1]
    return [p.reshape(t.shape) for p, t in zip(np.split(flat, ends), tensors, strict=True)]


# ---- a shape as a tensor


def shaped_calls(dtype: str) -> Iterator[Call]:
    return (Call((operand(numbers(s, dtype), dtype),)) for s in ((), (3,), (2, 0, 5)))


def along_calls(dtype: str) -> Iterator[Call]:
    return (Call((operand(numbers((2, 5), dtype), dtype), dim)) for dim in (0, -1))


ROWS = (
    Row("concat", cat_reference, cat_calls, joined),
    Row("concatenate", cat_reference, cat_calls, joined),
    Row("_stack", np.stack, stack_calls, joined),
    *(Row(name, function, of(*groups), joined) for name, (function, groups) in STACKED.items()),
    Row("block_diag", block_diag, block_calls, joined),
    Row("cartesian_prod", cartesian_prod, of(((2,), (3,), (2,)), ((3,),), ((0,), (2,))), joined),
    Row("combinations", combinations, choice_calls, first),
    Row("_chunk_cat", chunk_cat, chunk_cat_calls, joined, DTYPES),
    Row("pad_sequence", pad_sequence, sequence_calls, joined, tuple(d for d in DTYPES if d != "bool")),
    Row("flatten_dense_tensors", flattened, of(((2, 3), (), (4,)), ((2, 2),)), joined),
    Row("unflatten_dense_tensors", unflattened, unflatten_calls, lambda c: [first(c)] * 2),
    Row(
        "_shape_as_tensor",
        lambda x: np.array(x.shape, np.int64),
        shaped_calls,
        lambda c: "int64",
        INTEGERS,
        data_dependent=True,
    ),
    Row("_dim_arange", lambda x, dim: np.arange(x.shape[dim]), along_calls, lambda c: "int64", INTEGERS),
)
