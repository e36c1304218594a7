"""The sym_ operators return Python numbers."""

from __future__ import annotations

import aten
import pytest

T = aten.arange(24).view(2, 3, 4).transpose(0, 2)


def test_sizes_and_strides() -> None:
    assert aten.ops.aten.sym_size.default(T) == [4, 3, 2]
    assert aten.ops.aten.sym_stride.default(T) == [1, 4, 12]
    assert [aten.ops.aten.sym_size.int(T, d) for d in (0, 1, -1)] == [4, 3, 2]
    assert [aten.ops.aten.sym_stride.int(T, d) for d in (0, 1, -1)] == [1, 4, 12]


def test_counts_are_python_numbers() -> None:
    view = T[1:]
    found = (aten.ops.aten.sym_numel.default(view), aten.ops.aten.sym_storage_offset.default(view))
    assert found == (18, 1)
    assert all(type(n) is int for n in found)


def test_contiguity() -> None:
    assert aten.ops.aten.sym_is_contiguous.default(T) is False
    assert aten.ops.aten.sym_is_contiguous.default(T.contiguous()) is True
    nhwc = aten.zeros(2, 3, 4, 5).contiguous(memory_format=aten.channels_last)
    assert aten.ops.aten.sym_is_contiguous.default(nhwc, aten.channels_last) is True


def test_meta_tensors_have_them() -> None:
    t = aten.empty_strided([2, 3], [1, 2], device="meta")
    assert aten.ops.aten.sym_size.int(t, 1) == 3
    assert aten.ops.aten.sym_stride.int(t, 1) == 2
    assert aten.ops.aten.sym_numel.default(t) == 6


@pytest.mark.parametrize("dim", [3, -4, 2**62])
def test_dimensions_out_of_range(dim: int) -> None:
    with pytest.raises(IndexError, match="Dimension out of range"):
        aten.ops.aten.sym_size.int(T, dim)
    with pytest.raises(IndexError, match="Dimension out of range"):
        aten.ops.aten.sym_stride.int(T, dim)
