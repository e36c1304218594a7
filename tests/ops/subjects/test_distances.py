"""Distances between empty sets, and arguments that are rejected."""

from __future__ import annotations

import aten
import pytest


def test_no_rows() -> None:
    x = aten.empty(0, 3, requires_grad=True)
    distances = aten.ops.aten.pdist.default(x)
    assert tuple(distances.shape) == (0,)
    distances.sum().backward()
    assert tuple(x.grad.shape) == (0, 3)


def test_rows_of_nothing_are_equal() -> None:
    assert aten.cdist(aten.empty(2, 0), aten.empty(3, 0)).tolist() == [[0.0] * 3] * 2


@pytest.mark.parametrize("mode", ["", "always"])
def test_unknown_modes(mode: str) -> None:
    with pytest.raises(ValueError, match="compute_mode"):
        aten.cdist(aten.ones(2, 3), aten.ones(2, 3), compute_mode=mode)


def test_columns_must_agree() -> None:
    with pytest.raises(RuntimeError, match="same number of columns"):
        aten.cdist(aten.ones(2, 3), aten.ones(2, 4))
    with pytest.raises(RuntimeError, match="non-negative p"):
        aten.cdist(aten.ones(2, 3), aten.ones(2, 3), p=-1.0)
