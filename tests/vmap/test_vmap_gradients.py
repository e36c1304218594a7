"""Gradients of operators in vmap, and of vmap, equal those of a loop, for the core operators."""

from __future__ import annotations

import aten
import pytest
from aten.func import grad
from batches import Batch, Row, same
from test_vmap_operators import CORE, batches

Tensor = aten.Tensor


def is_real(t: Tensor) -> bool:
    return t.is_floating_point()


def total(batch: Batch, given: list[Tensor]) -> Tensor:
    """Returns a number that depends on all results that have gradients."""
    parts = [(t * weights(t)).sum() for t in batch.call(given) if is_real(t)]
    return sum(parts[1:], parts[0])


def weights(t: Tensor) -> Tensor:
    return aten.linspace(0.5, 1.5, t.numel(), dtype=t.dtype).view(t.shape)


def differentiated(row: Row) -> tuple[Batch, int] | None:
    """Returns a batch of a sample that has a gradient, and the number of a tensor to differentiate by."""
    for batch in batches(row, "float32" if "float32" in row.dtypes else row.dtypes[0], ()):
        if not any(is_real(t) and t.numel() for t in batch.expected[0]):
            continue
        for i, t in enumerate(batch.examples[0]):
            if is_real(t) and t.numel() and has_gradient(batch, i):
                return batch, i
    return None


def has_gradient(batch: Batch, i: int) -> bool:
    try:
        found = gradient(batch, i)(*batch.examples[0])
    except (RuntimeError, NotImplementedError):
        return False
    return bool(found.isfinite().all())


def gradient(batch: Batch, i: int):
    return grad(lambda *ts: total(batch, list(ts)), i)


@pytest.mark.parametrize("row", CORE, ids=str)
def test_equal_those_of_a_loop(row):
    found = differentiated(row)
    if found is None:
        pytest.skip("no sample has a gradient")
    batch, i = found
    expected = aten.stack([gradient(batch, i)(*ts) for ts in batch.examples])
    inside = aten.vmap(gradient(batch, i), batch.in_dims(0))(*batch.stacked(0))
    assert same(inside, expected)
    mapped = aten.vmap(lambda *ts: total(batch, list(ts)), batch.in_dims(0))
    outside = grad(lambda *ts: mapped(*ts).sum(), i)(*batch.stacked(0))
    assert same(outside, expected)
