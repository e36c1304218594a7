"""Operators whose results are no tensors: what is asked of tensors and dtypes; and operators that change a
tensor's geometry.
"""

from __future__ import annotations

import aten
import pytest
from aten import ops

X = aten.arange(12.0).reshape(3, 4)


def test_flags_of_dtypes() -> None:
    integers, numbers = aten.ones(2, dtype=aten.int64), aten.ones(2, dtype=aten.complex64)
    for t in (X, integers, numbers, aten.ones(2, dtype=aten.uint8)):
        assert ops.aten.is_floating_point.default(t) == aten.is_floating_point(t) == t.is_floating_point()
        assert ops.aten.is_complex.default(t) == aten.is_complex(t) == t.is_complex()
        assert ops.aten.is_signed.default(t) == aten.is_signed(t) == t.is_signed()
    assert aten.is_floating_point(X) and aten.is_complex(numbers) and not aten.is_signed(aten.ones(1).byte())


def test_flags_of_tensors() -> None:
    """Conjugation and negation compute at once, so no tensor has their bits."""
    z = aten.ones(2, dtype=aten.complex64).conj()
    assert not ops.aten.is_conj.default(z) and not aten.is_conj(z) and not z.is_conj()
    assert not ops.aten.is_neg.default(z) and not aten.is_neg(z) and not z.is_neg()
    assert not ops.aten._is_zerotensor.default(z) and not aten._is_zerotensor(z) and not z._is_zerotensor()
    with aten.inference_mode():
        made = aten.ones(2)
    assert ops.aten.is_inference.default(made) and aten.is_inference(made) and not aten.is_inference(X)


def test_geometry() -> None:
    x = X.t()
    assert ops.aten.numel.default(x) == 12 and ops.aten.dim.default(x) == 2
    assert [ops.aten.size.int(x, d) for d in (0, -1)] == [4, 3]
    assert [ops.aten.stride.int(x, d) for d in (0, -1)] == [1, 4]
    assert ops.aten.storage_offset.default(x[1:]) == 1 and ops.aten.get_device.default(x) == -1
    assert not ops.aten.is_contiguous.default(x) and ops.aten.is_contiguous.default(X)
    images = aten.ones(1, 2, 3, 4).contiguous(memory_format=aten.channels_last)
    assert ops.aten.is_contiguous.memory_format(images, aten.channels_last)


def test_pairs_of_tensors() -> None:
    assert ops.aten.is_same_size.default(X, X + 1) and not X.is_same_size(X.t())
    assert ops.aten.is_set_to.default(X, X.detach()) and not X.is_set_to(X.clone()) and not X.is_set_to(X.t())
    assert ops.aten._has_same_storage_numel.default(X, X[0])
    assert not ops.aten._has_same_storage_numel.default(X, X[0].clone())
    overlaps = [X, aten.ones(1).expand(3), X.unfold(1, 3, 2)]
    assert [ops.aten._debug_has_internal_overlap.default(t) for t in overlaps] == [0, 1, 2]


def test_types_of_results() -> None:
    ints, half = aten.ones(2, dtype=aten.int32), aten.tensor(1.0, dtype=aten.float16)
    assert ops.aten.result_type.Tensor(ints, half) == aten.result_type(ints, half) == aten.float16
    assert ops.aten.result_type.Scalar(ints, 2.5) == aten.result_type(ints, 2.5) == aten.float32
    assert ops.aten.result_type.Scalar_Tensor(2, ints) == aten.result_type(2, ints) == aten.int32
    assert ops.aten.result_type.Scalar_Scalar(2, 2.5) == aten.result_type(2, 2.5) == aten.float32
    assert ops.aten.promote_types.default(aten.int8, aten.uint8) == aten.int16
    assert ops.aten.can_cast.default(aten.int8, aten.float32)
    assert not ops.aten.can_cast.default(aten.float32, aten.int8)


def test_logic_for_assertions() -> None:
    flags = aten.tensor([True, False])
    assert not ops.aten._is_all_true.default(flags) and ops.aten._is_any_true.default(flags)
    with pytest.raises(RuntimeError, match="_is_all_true"):
        ops.aten._is_all_true.default(X)


def test_pinned_memory_without_a_gpu() -> None:
    assert not ops.aten.is_pinned.default(X)
    if not aten.cuda.is_available():
        for pin in (
            lambda: ops.aten.pin_memory.default(X),
            lambda: ops.aten._pin_memory.default(X),
            lambda: ops.aten._pin_memory.out(X, out=aten.empty(3, 4)),
        ):
            with pytest.raises(RuntimeError, match="pin"):
                pin()


def test_sizes_of_another_tensor() -> None:
    x = aten.arange(6.0)
    assert ops.aten.resize_as_.default(x, aten.ones(2, 2)) is x and x.tolist() == [[0, 1], [2, 3]]
    assert ops.aten.resize_as.default(x, aten.ones(1)).shape == (1,) and x.shape == (2, 2)
    out = aten.empty(0)
    assert ops.aten.resize_as.out(x, aten.ones(1), out=out) is out and out.tolist() == [0]
    assert ops.aten._resize_output.default(out, [2], aten.device("cpu")).shape == (2,)
    assert ops.aten._resize_output.out(x, [1], aten.device("cpu"), out=aten.empty(0)).shape == (1,)
    assert ops.aten._resize_output_.default(out, [2, 3], aten.device("cpu")).shape == (2, 3)
    with pytest.raises(RuntimeError, match="device"):
        ops.aten._resize_output_.default(out, [2, 3], aten.device("meta"))


def test_formats_and_orders() -> None:
    assert ops.aten.chalf.default(X).dtype == X.chalf().dtype == aten.complex32
    assert aten.empty_permuted((2, 3, 4), (2, 0, 1)).stride() == (3, 1, 6)
    assert ops.aten.empty_permuted.out([2, 3], [1, 0], out=aten.empty(0)).shape == (2, 3)
    with pytest.raises(RuntimeError, match="Duplicate dim"):
        aten.empty_permuted((2, 3), (0, 0))


def test_storage_of_another_tensor() -> None:
    x, source = aten.zeros(2), aten.arange(12.0)
    assert x.set_(source, 1, (2, 3), (4, 1)) is x and x.tolist() == [[1, 2, 3], [5, 6, 7]]
    x[0, 0] = -1
    assert source[1].item() == -1
    assert x.set_(source).is_set_to(source) and x.set_().shape == (0,) and source.numel() == 12
    assert x.set_(source.untyped_storage()).is_set_to(source)
    assert x.set_(source.untyped_storage(), 10, (2,)).tolist() == [10, 11]
    with pytest.raises(RuntimeError, match="type"):
        x.set_(source.long())
    with pytest.raises(RuntimeError, match="out of bounds"):
        x.set_(source, 0, (13,))
    with pytest.raises(RuntimeError, match="device"):
        x.set_(source.to("meta"))


def test_lists_of_outputs() -> None:
    outs = [aten.empty(0) for _ in range(3)]
    ops.aten.unbind_copy.int_out(X, 0, out=outs)
    assert [o.tolist() for o in outs] == X.tolist()
    with pytest.raises(RuntimeError, match="expected 3 tensors, got 1"):
        ops.aten.unbind_copy.int_out(X, 0, out=outs[:1])
