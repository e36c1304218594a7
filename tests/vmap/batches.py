"""Calls of the operators' samples for batches: each tensor argument becomes one of several examples."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import aten
from calls import Call, Form, forms_of
from rows import Row
from samples import ROWS as ROWS

SIZE = 2  # examples of a batch
Tree = Any


@functools.cache
def calls(row: Row, dtype: str, most: int) -> list[tuple[Call, Form]]:
    """Returns at most so many functional calls with tensors, at equal distances among all of them."""
    found = [
        (call, form)
        for call in row.calls(dtype)
        if call.operands
        for form in forms_of(row.name, call)
        if form.kind == "functional"
    ]
    step = max(1, len(found) // most)
    return found[::step][:most]


def changed(t: aten.Tensor) -> aten.Tensor:
    """Returns the same values in another order: valid wherever the order doesn't matter."""
    return t.clone() if t.dim() == 0 else t.flip([t.dim() - 1])


def tensors(value: Tree) -> Iterator[aten.Tensor]:
    if isinstance(value, aten.Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for v in value:
            yield from tensors(v)


def placed(value: Tree, given: Iterator[aten.Tensor]) -> Tree:
    """Returns the tree with other tensors."""
    if isinstance(value, aten.Tensor):
        return next(given)
    if isinstance(value, (list, tuple)):
        return type(value)(placed(v, given) for v in value)
    return value


class Batch:
    """A call, and tensors for each of its examples; of those in `shared`, all have the same."""

    def __init__(self, call: Call, form: Form, shared: frozenset[int] = frozenset()) -> None:
        self.op, (args, kwargs) = form.op, call.tensors()
        self.tree = (args, list(kwargs.values()))
        self.names = list(kwargs)
        first = list(tensors(self.tree))
        self.dims_of_batch = [None if i in shared else 0 for i in range(len(first))]
        second = [t if i in shared else changed(t) for i, t in enumerate(first)]
        self.examples = [first, second]
        try:
            self.expected = [self.call(ts) for ts in self.examples]
        except (RuntimeError, IndexError, ValueError):
            self.examples = [first] * SIZE
            self.expected = [self.call(ts) for ts in self.examples]

    def call(self, given: list[aten.Tensor]) -> list[aten.Tensor]:
        args, values = placed(self.tree, iter(given))
        return list(tensors([self.op(*args, **dict(zip(self.names, values, strict=True)))]))

    def stacked(self, dim: int) -> list[aten.Tensor]:
        """Returns the arguments, with the examples along a dimension of each tensor."""
        first = self.examples[0]
        return [
            first[i] if d is None else aten.stack([ts[i] for ts in self.examples], self.place(first[i], dim))
            for i, d in enumerate(self.dims_of_batch)
        ]

    def in_dims(self, dim: int) -> tuple[int | None, ...]:
        return tuple(
            None if d is None else self.place(t, dim)
            for d, t in zip(self.dims_of_batch, self.examples[0], strict=True)
        )

    @staticmethod
    def place(t: aten.Tensor, dim: int) -> int:
        return dim if dim < 0 else min(dim, t.dim())

    def mapped(self, dim: int) -> list[aten.Tensor]:
        return list(aten.vmap(lambda *ts: tuple(self.call(list(ts))), self.in_dims(dim))(*self.stacked(dim)))

    def looped(self) -> list[aten.Tensor]:
        return [aten.stack(list(results)) for results in zip(*self.expected, strict=True)]


def same(a: aten.Tensor, b: aten.Tensor) -> bool:
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    if not (a.is_floating_point() or a.is_complex()):
        return bool((a == b).all())
    return bool(aten.isclose(a, b, rtol=2e-4, atol=2e-5, equal_nan=True).all())
