"""aten.array_api: what the standard asks of arrays and of the namespace."""

from __future__ import annotations

import aten
import pytest

xp = aten.array_api


def test_arrays_know_their_namespace() -> None:
    x = aten.ones(2)
    assert x.__array_namespace__() is xp
    assert x.__array_namespace__(api_version="2023.12") is xp
    with pytest.raises(ValueError, match="1999"):
        x.__array_namespace__(api_version="1999.12")
    assert x.to_device("meta").is_meta
    with pytest.raises(ValueError, match="stream"):
        x.to_device("cpu", stream=1)


def test_the_namespace_has_what_it_lists() -> None:
    assert [n for n in xp.__all__ if not hasattr(xp, n)] == []
    assert xp.__array_api_version__ == aten.__array_api_version__ == "2025.12"


def test_info() -> None:
    info = xp.__array_namespace_info__()
    assert info.default_device() == aten.device("cpu")
    assert info.default_dtypes()["real floating"] == aten.float32
    assert set(info.dtypes(kind="bool")) == {"bool"}
    assert set(info.dtypes(kind=("unsigned integer", "bool"))) == {
        "bool",
        "uint8",
        "uint16",
        "uint32",
        "uint64",
    }
    assert aten.device("cpu") in info.devices()
    assert info.capabilities()["boolean indexing"] is True


def test_arrays_without_dimensions_take_part_in_promotion() -> None:
    x, y = aten.ones(2), aten.tensor(1.0, dtype=aten.float64)
    assert aten.add(x, y).dtype == aten.float32
    assert xp.add(x, y).dtype == aten.float64
    assert xp.result_type(x, y, 1j) == aten.complex128
    assert xp.result_type(aten.uint8, aten.int8) == aten.int16
    with pytest.raises(TypeError, match="uint64"):
        xp.result_type(aten.uint64, aten.int64)


def test_sums_of_unsigned_integers_are_unsigned() -> None:
    x = aten.tensor([200, 100], dtype=aten.uint8)
    assert xp.sum(x).dtype == aten.uint64 and int(xp.sum(x)) == 300
    assert xp.cumulative_sum(x, include_initial=True).tolist() == [0, 200, 300]
    assert xp.prod(x, keepdims=True).tolist() == [20000]


def test_reductions_over_no_dimension_are_copies() -> None:
    x = aten.tensor([1.0, 2.0])
    for function in (xp.sum, xp.prod, xp.max, xp.min, xp.mean):
        made = function(x, axis=())
        assert made.tolist() == [1, 2] and made.data_ptr() != x.data_ptr()
    assert xp.var(x, axis=()).tolist() == [0, 0]


def test_division_of_infinite_elements() -> None:
    inf = aten.inf
    x, y = aten.tensor([inf, 1.0, -1.0]), aten.tensor([2.0, -inf, inf])
    assert xp.floor_divide(x, y).tolist() == [inf, 0, 0]
    assert aten.signbit(xp.remainder(aten.tensor([0.0, -0.0]), aten.tensor([-1.0, 1.0]))).tolist() == [
        True,
        False,
    ]


def test_isdtype_and_casts() -> None:
    assert xp.isdtype(aten.int8, "signed integer") and not xp.isdtype(aten.int8, ("bool", "complex floating"))
    with pytest.raises(ValueError, match="kind"):
        xp.isdtype(aten.int8, "small")
    assert xp.can_cast(aten.int8, aten.int16) and not xp.can_cast(aten.float64, aten.float32)
    assert xp.finfo(aten.complex64).dtype == aten.float32 and xp.iinfo(aten.int8).max == 127
    assert xp.astype(aten.ones(2), aten.int64, copy=False).dtype == aten.int64


def test_shapes() -> None:
    x = aten.arange(6).reshape(2, 3)
    assert xp.expand_dims(x, (0, -1)).shape == (1, 2, 3, 1)
    assert xp.squeeze(aten.ones(1, 2, 1), (0, -1)).shape == (2,)
    with pytest.raises(ValueError, match="size 1"):
        xp.squeeze(x, 0)
    assert xp.moveaxis(aten.ones(2, 3, 4), (0, 1), (-1, 0)).shape == (3, 4, 2)
    assert xp.take(x, aten.tensor([-1]), axis=1).tolist() == [[2], [5]]
    assert xp.broadcast_shapes((2, 1), (3,)) == (2, 3)
    with pytest.raises(ValueError, match="broadcast"):
        xp.broadcast_shapes((2,), (3,))
    assert xp.reshape(x, (3, 2), copy=True).data_ptr() != x.data_ptr()


def test_sets() -> None:
    x = aten.tensor([[2, 1], [2, 3]])
    values, indices, inverse, counts = xp.unique_all(x)
    assert values.tolist() == [1, 2, 3] and counts.tolist() == [1, 2, 1]
    assert indices.tolist() == [1, 0, 3] and inverse.tolist() == [[1, 0], [1, 2]]
    assert xp.unique_values(aten.tensor([aten.nan, aten.nan])).numel() == 2
    assert xp.unique_counts(aten.ones(0)).counts.tolist() == []
    assert xp.isin(x, aten.tensor([3]), invert=True).tolist() == [[True, True], [True, False]]


def test_names_that_pytorch_lacks_are_in_the_package() -> None:
    assert aten.permute_dims is xp.permute_dims
    assert aten.isdtype(aten.bool, "bool")
