"""The operators that write running extrema to the given tensors."""

from __future__ import annotations

import aten
import pytest


def test_helpers_write_values_and_places() -> None:
    x = aten.tensor([[1.0, 3.0, 3.0, 2.0], [4.0, 0.0, 5.0, 5.0]])
    values, indices = aten.empty((2, 4)), aten.empty((2, 4), dtype=aten.int64)
    aten.ops.aten._cummax_helper.default(x, values, indices, 1)
    assert values.tolist() == [[1, 3, 3, 3], [4, 4, 5, 5]]
    assert indices.tolist() == [[0, 1, 2, 2], [0, 0, 2, 3]]
    aten.ops.aten._cummin_helper.default(x, values, indices, 0)
    assert values.tolist() == [[1, 3, 3, 2], [1, 0, 3, 2]]
    assert indices.tolist() == [[0, 0, 0, 0], [0, 1, 0, 0]]


def test_helpers_refuse_other_shapes() -> None:
    x, short = aten.ones((2, 4)), aten.empty((2, 3))
    with pytest.raises(RuntimeError, match="of self's shape"):
        aten.ops.aten._cummax_helper.default(x, short, aten.empty((2, 4), dtype=aten.int64), 1)
