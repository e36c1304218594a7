"""In-place operators of Python's syntax, and overloads that differ only by a generator or an integer
argument.
"""

from __future__ import annotations

import operator

import aten
import pytest
from aten import ops

BITS = {
    "__iand__": (ops.aten.__iand__, operator.iand),
    "__ior__": (ops.aten.__ior__, operator.ior),
    "__ixor__": (ops.aten.__ixor__, operator.ixor),
    "__ilshift__": (ops.aten.__ilshift__, operator.ilshift),
    "__irshift__": (ops.aten.__irshift__, operator.irshift),
}


@pytest.mark.parametrize("name", BITS)
@pytest.mark.parametrize("other", [[1, 2, 0], 2])
def test_in_place(name: str, other: list[int] | int) -> None:
    packet, python = BITS[name]
    x = aten.tensor([12, 10, 7])
    by = aten.tensor(other) if isinstance(other, list) else other
    others = other if isinstance(other, list) else [other] * 3
    expected = [python(a, b) for a, b in zip([12, 10, 7], others, strict=True)]
    result = packet.Tensor(x, by) if isinstance(by, aten.Tensor) else packet.Scalar(x, by)
    assert result is x
    assert x.tolist() == expected


@pytest.mark.parametrize("name", BITS)
def test_syntax(name: str) -> None:
    python = BITS[name][1]
    x = before = aten.tensor([12, 10, 7])
    x = python(x, aten.tensor([1, 2, 0]))
    assert x is before
    assert x.tolist() == [python(a, b) for a, b in ((12, 1), (10, 2), (7, 0))]


def test_overloads_by_name() -> None:
    x = aten.tensor([6, 5])
    ops.aten.__iand__.Tensor(x, aten.tensor([4, 4]))
    ops.aten.__iand__.Scalar(x, 4)
    ops.aten.__ior__.Tensor(x, aten.tensor([1, 2]))
    ops.aten.__ior__.Scalar(x, 8)
    ops.aten.__ixor__.Tensor(x, aten.tensor([1, 1]))
    ops.aten.__ixor__.Scalar(x, 2)
    assert x.tolist() == [14, 13]
    ops.aten.__ilshift__.Tensor(x, aten.tensor([1, 2]))
    ops.aten.__ilshift__.Scalar(x, 1)
    ops.aten.__irshift__.Tensor(x, aten.tensor([2, 2]))
    ops.aten.__irshift__.Scalar(x, 1)
    assert x.tolist() == [7, 13]


def test_polygamma_in_place() -> None:
    x = aten.tensor([0.5, 3.0], dtype=aten.float64)
    expected = aten.polygamma(1, x)
    assert ops.aten.polygamma_.default(x, 1) is x
    assert x.tolist() == expected.tolist()


def test_rrelu_gives_its_noise() -> None:
    """The functional form returns what the in-place form writes: the slope of each element, 1 above zero."""
    x, noise = aten.tensor([-2.0, 3.0]), aten.zeros(2)
    result, slopes = ops.aten.rrelu_with_noise_functional.default(x, noise, 0.25, 0.5, True)
    assert noise.tolist() == [0.0, 0.0]
    assert 0.25 <= slopes[0].item() <= 0.5 and slopes[1].item() == 1.0
    assert result.tolist() == (x * slopes).tolist()
