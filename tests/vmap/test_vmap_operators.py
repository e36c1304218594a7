"""vmap of an operator equals a loop over the examples, for every operator that PyTorch tags core."""

from __future__ import annotations

import aten
import pytest
from batches import ROWS, Batch, Row, calls, same

# Random values, and what depends on values: test_vmap_randomness.py, test_vmap_errors.py.
LEFT_OUT = {"nondeterministic_seeded", "dynamic_output_shape", "data_dependent_output"}
# What these give depends on memory, which isn't laid out alike in a batch.
OF_MEMORY = {
    "as_strided",
    "as_strided_copy",
    "as_strided_scatter",
    "empty_like",
    "new_empty",
    "new_empty_strided",
}
# These refuse the strides of examples along another dimension.
OF_LAYOUT = {"view", "_pdist_forward"}
DTYPES = ("float32", "float64", "int64")
# How examples lie: which operand is the same for all, and the dimension of the others.
PLACES = [((), 0), ((), 1), ((), -1), ((0,), 0), ((1,), 1)]
PLACE_NAMES = ["first", "second", "last", "first-shared", "second-shared"]


def tags(name: str) -> set[str]:
    packet = getattr(aten.ops.aten, name, None)
    if packet is None:  # in place only
        return set()
    return {tag.name for overload in packet.overloads() for tag in getattr(packet, overload).tags}


def is_core(row: Row) -> bool:
    if not row.compare or row.name in OF_MEMORY:
        return False
    found = tags(row.name)
    return "core" in found and (row.name == "index" or not found & LEFT_OUT)


CORE = [row for row in ROWS if is_core(row)]


def dtypes(row: Row) -> list[str]:
    return [d for d in DTYPES if d in row.dtypes] or [row.dtypes[0]]


def batches(row: Row, dtype: str, shared: tuple[int, ...]) -> list[Batch]:
    """Returns batches of some of the samples whose examples give results of one shape."""
    found = []
    for call, form in calls(row, dtype, most=2):
        writes = any(a.is_write for a in form.op._schema.arguments)
        if shared and (len(call.operands) < 2 or writes):
            continue
        try:
            found.append(Batch(call, form, frozenset(shared)))
        except (RuntimeError, NotImplementedError, IndexError, ValueError):
            continue  # the sample is of an error, or its second example is none
    return found


@pytest.mark.parametrize(("shared", "dim"), PLACES, ids=PLACE_NAMES)
@pytest.mark.parametrize("row", CORE, ids=str)
def test_equals_a_loop(row, shared, dim):
    if row.name in OF_LAYOUT and dim != 0:
        pytest.skip("not of these strides")
    for dtype in dtypes(row):
        for batch in batches(row, dtype, shared):
            expected, got = batch.looped(), batch.mapped(dim)
            assert len(got) == len(expected)
            for mine, wanted in zip(got, expected, strict=True):
                assert same(mine, wanted), f"{batch.op} {dtype} {mine.shape} {wanted.shape}"


@pytest.mark.parametrize("row", CORE[::7], ids=str)
def test_nested(row):
    for batch in batches(row, dtypes(row)[0], ()):
        once = batch.stacked(0)
        twice = [aten.stack([t, t]) for t in once]
        inner = aten.vmap(lambda *ts: tuple(batch.call(list(ts))))  # noqa: B023
        got = aten.vmap(inner)(*twice)
        for mine, wanted in zip(got, batch.looped(), strict=True):
            assert same(mine, aten.stack([wanted, wanted]))


def test_core_operators_are_covered():
    assert len({row.name for row in CORE}) > 140
