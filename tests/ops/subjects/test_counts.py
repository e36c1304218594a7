"""Histograms with several results, unique elements by their Python names, and the limits of searches."""

from __future__ import annotations

import math
from typing import Any

import aten
import numpy as np
import pytest

POINTS = np.random.default_rng(3).normal(size=(40, 2))


def arrays(values: Any) -> list[Any]:
    return [v.numpy() for v in values]


@pytest.mark.parametrize("bins", ["int_bins", "default", "TensorList_bins"])
def test_grids_of_bins(bins: str) -> None:
    x = aten.from_numpy(POINTS)
    if bins == "int_bins":
        counts, edges = aten.ops.aten.histogramdd.int_bins(x, 3)
        wanted = np.histogramdd(POINTS, 3)
    elif bins == "default":
        counts, edges = aten.ops.aten.histogramdd.default(x, [3, 5])
        wanted = np.histogramdd(POINTS, [3, 5])
    else:
        given = [np.array([-4.0, 0.0, 4.0]), np.array([-4.0, 1.0, 2.0, 4.0])]
        counts, edges = aten.ops.aten.histogramdd.TensorList_bins(x, [aten.from_numpy(g) for g in given])
        wanted = np.histogramdd(POINTS, given)
    np.testing.assert_array_equal(counts.numpy(), wanted[0])
    for ours, theirs in zip(arrays(edges), wanted[1], strict=True):
        np.testing.assert_allclose(ours, theirs)


def test_a_histogram_covers_its_elements() -> None:
    x = aten.tensor([1.0, 2.0, 3.0, 3.0])
    counts, edges = aten.histogram(x, 4)
    assert counts.tolist() == [1, 0, 1, 2]
    assert edges.tolist() == [1, 1.5, 2, 2.5, 3]
    assert aten.histc(aten.ones(4), 4).tolist() == [0, 0, 4, 0]
    with pytest.raises(RuntimeError, match="not finite"):
        aten.histogram(aten.tensor([1.0, math.nan]), 2)


def test_unique_gives_what_is_asked_for() -> None:
    x = aten.tensor([[3, 1], [3, 2]])
    assert aten.unique(x).tolist() == [1, 2, 3]
    values, inverse = x.unique(return_inverse=True)
    assert (values.tolist(), inverse.tolist()) == ([1, 2, 3], [[2, 0], [2, 1]])
    values, counts = aten.unique(x, return_counts=True, dim=1)
    assert (values.tolist(), counts.tolist()) == ([[1, 3], [2, 3]], [1, 1])


@pytest.mark.parametrize("dtype", [aten.float32, aten.float64, aten.float16], ids=str)
@pytest.mark.parametrize("size", [7, 63, 1024, 5000])
def test_sums_of_rows_with_nans(size: int, dtype: aten.dtype) -> None:
    x = aten.arange(size * 4).remainder(17).to(dtype).reshape(4, size)
    x[:, 2::5] = math.nan
    for rows in (x, x[:, ::2], x.t().contiguous().t()):
        np.testing.assert_allclose(rows.nansum(1).numpy(), np.nansum(rows.double().numpy(), 1), rtol=1e-3)
        np.testing.assert_allclose(rows.double().nansum(1).numpy(), np.nansum(rows.double().numpy(), 1))
    assert math.isinf(aten.cat([x[0], aten.tensor([math.inf])]).nansum().item())
    assert math.isnan(aten.tensor([math.inf, -math.inf] * size, dtype=dtype).nansum().item())


@pytest.mark.parametrize("runs", [1, 3, 499, 501, 1000])
def test_few_unique_elements_take_little_memory(runs: int) -> None:
    x = aten.arange(1000).clamp(max=runs - 1)
    for values in aten.unique_consecutive(x, return_counts=True):
        assert values.shape == (runs,) and values.is_contiguous() and not values._is_view()
        assert values.untyped_storage().nbytes() <= 2 * runs * 8
    assert values.tolist() == [1] * (runs - 1) + [1001 - runs]


def test_unique_consecutive_gives_what_is_asked_for() -> None:
    x = aten.tensor([1, 1, 2, 1])
    assert x.unique_consecutive().tolist() == [1, 2, 1]
    values, inverse, counts = aten.unique_consecutive(x, return_inverse=True, return_counts=True)
    assert (values.tolist(), inverse.tolist(), counts.tolist()) == ([1, 2, 1], [0, 0, 1, 2], [2, 1, 1])
    assert aten.unique_consecutive(aten.tensor([[1, 1], [1, 1]]), dim=0).tolist() == [[1, 1]]


def test_nan_is_its_own_kind() -> None:
    x = aten.tensor([math.nan, 1.0, -0.0, math.nan, 0.0])
    assert str(aten.unique(x).tolist()) == "[-0.0, 1.0, nan, nan]"
    line = aten.tensor([1.0, 2.0, math.nan, math.nan])
    assert aten.searchsorted(line, aten.tensor([1.5, math.nan])).tolist() == [1, 2]
    assert aten.searchsorted(line, aten.tensor([1.5, math.nan]), right=True).tolist() == [1, 4]


@pytest.mark.parametrize("dtype", ["int8", "int32", "int64", "float16", "float32", "float64"])
def test_many_elements_are_sorted_by_digits(dtype: str) -> None:
    """From 400 elements on the sort is another, and from 32,768 wide ones too."""
    x = np.random.default_rng(5).integers(-100, 100, 70_000).astype(dtype)
    values, inverse, counts = np.unique(x, return_inverse=True, return_counts=True)
    found = arrays(aten.unique(aten.from_numpy(x), return_inverse=True, return_counts=True))
    for ours, theirs in zip(found, (values, inverse, counts), strict=True):
        np.testing.assert_array_equal(ours, theirs)
    np.testing.assert_array_equal(aten.unique(aten.from_numpy(x)).numpy(), values)


def test_segments_must_be_within_the_data() -> None:
    x = aten.ones(4)
    for lengths in ([1, 2], [-1, 5], [3, 3]):
        with pytest.raises(RuntimeError, match="lengths"):
            aten.segment_reduce(x, "sum", lengths=aten.tensor(lengths))
    for offsets in ([0, 5], [-1, 2], [3, 1]):
        with pytest.raises(RuntimeError):
            aten.segment_reduce(x, "sum", offsets=aten.tensor(offsets), unsafe=True)


def test_ties_share_the_gradient_of_a_segment() -> None:
    x = aten.tensor([1.0, 3.0, 3.0, 2.0], requires_grad=True)
    aten.segment_reduce(x, "max", lengths=aten.tensor([1, 3])).sum().backward()
    assert x.grad.tolist() == [1, 0.5, 0.5, 0]
