"""Attributes and methods of Tensor that are written in Python, and functions on buffers."""

from __future__ import annotations

import aten
import pytest

COMPLEX = aten.tensor([[1 + 2j, 3 - 1j]])


def test_transposes() -> None:
    x = aten.arange(6).reshape(2, 3)
    assert x.H.tolist() == x.t().tolist() and x.mH.shape == (3, 2)
    assert COMPLEX.H.tolist() == [[1 - 2j], [3 + 1j]] == COMPLEX.mH.tolist()
    assert aten.tensor(1.0).H.dim() == 0
    for wrong in (aten.ones(2), aten.ones(2, 2, 2)):
        with pytest.raises(RuntimeError, match="only matrices"):
            _ = wrong.H


def test_parts_of_complex_tensors_are_views() -> None:
    x = COMPLEX.clone()
    assert x.real.tolist() == [[1, 3]] and x.imag.tolist() == [[2, -1]]
    x.real = 5
    x.imag = aten.tensor([0.0, 1.0])
    assert x.tolist() == [[5, 5 + 1j]]
    real = aten.ones(2)
    assert real.real is real
    with pytest.raises(RuntimeError, match="complex"):
        _ = real.imag


def test_functions_of_each_element() -> None:
    x, y = aten.ones(2, 2), aten.arange(2.0)
    assert x.apply_(lambda v: v + 1) is x and x.tolist() == [[2, 2], [2, 2]]
    assert x.map_(y, lambda a, b: a * b).tolist() == [[0, 2], [0, 2]]
    assert x.map2_(x, y, lambda a, b, c: a + b + c).tolist() == [[0, 5], [0, 5]]
    with pytest.raises(RuntimeError, match="requires grad"):
        aten.ones(1, requires_grad=True).apply_(abs)
    with pytest.raises(TypeError, match="CPU"):
        aten.ones(1, device="meta").apply_(abs)
    assert aten.ones(0).apply_(abs).shape == (0,)


def test_layouts_and_kinds() -> None:
    assert aten.ones(2, 3, 4, 5).to(memory_format=aten.channels_last).dim_order() == (0, 2, 3, 1)
    x = aten.ones(2)
    assert x.to_dense() is x and x.to_dense(aten.float64).dtype == aten.float64
    assert not (x.is_mkldnn or x.is_xla or x.is_sparse_csr or x.is_shared() or x.is_distributed())
    assert x.name is None and x.grad_dtype == aten.float32
    assert aten.ones(4).resize(2, 2).shape == (2, 2)


def test_index() -> None:
    x = aten.arange(6).reshape(2, 3)
    assert x.index([None, aten.tensor([2, 0])]).tolist() == [[2, 0], [5, 3]]
    assert aten.get_device(x) == x.get_device() == -1


@pytest.mark.skipif(not hasattr(aten.ops.aten, "range"), reason="no such operator is built")
def test_range() -> None:
    assert aten.range(1, 4).tolist() == [1, 2, 3, 4] and aten.range(1, 4).dtype == aten.float32
    assert aten.range(0, 1, 0.5).tolist() == [0, 0.5, 1] and aten.range(
        0, 4, 2, dtype=aten.int64
    ).tolist() == [0, 2, 4]
    assert aten.range(0, 2, out=aten.empty(0)).tolist() == [0, 1, 2]
    with aten.device("meta"):
        assert aten.range(0, 2).is_meta
    with pytest.raises(TypeError, match="end"):
        aten.range(3)


def test_storage() -> None:
    x = aten.arange(4, dtype=aten.int16)
    storage = x[1:].untyped_storage()
    assert aten.is_storage(storage) and not aten.is_storage(x)
    assert storage.nbytes() == len(storage) == storage.size() == 8 and storage.element_size() == 1
    assert storage.data_ptr() == x.data_ptr() == x.const_data_ptr() and storage.device == x.device
    assert storage.tolist() == [0, 0, 1, 0, 2, 0, 3, 0] and storage[2] == 1
    storage[0] = 7
    assert x.tolist() == [7, 1, 2, 3]
    copy = storage.clone().fill_(0)
    assert x[1] == 1 and storage.copy_(copy) is storage and x.tolist() == [0, 0, 0, 0]
    with pytest.raises(NotImplementedError, match="meta"):
        x.to("meta").untyped_storage()


def test_frombuffer() -> None:
    buffer = bytearray(b"abcd")
    x = aten.frombuffer(buffer, dtype=aten.uint8, count=2, offset=1)
    assert x.tolist() == [98, 99]
    buffer[1] = 0
    assert x.tolist() == [0, 99]
    x[1] = 1
    assert buffer[2] == 1
    assert aten.frombuffer(b"\0\0\x80\x3f", dtype=aten.float32).tolist() == [1.0]
    assert aten.frombuffer(b"\x80\x3f", dtype=aten.bfloat16).tolist() == [1.0]
    with pytest.raises(ValueError, match="read-only"):
        aten.frombuffer(b"ab", dtype=aten.uint8).zero_()
    for wrong in (
        {"count": 9},
        {"offset": 4},
        {"offset": -1},
        {"count": 0},
        {"offset": 1, "dtype": aten.int16},
    ):
        with pytest.raises(ValueError, match="frombuffer"):
            aten.frombuffer(buffer, **{"dtype": aten.uint8, **wrong})


def test_from_file(tmp_path) -> None:
    path = tmp_path / "data"
    x = aten.from_file(str(path), shared=True, size=2, dtype=aten.int32)
    x.copy_(aten.tensor([1, 2]))
    assert path.read_bytes() == b"\1\0\0\0\2\0\0\0"
    y = aten.from_file(str(path), size=2, dtype=aten.int32)
    y.zero_()
    assert x.tolist() == [1, 2]
    with pytest.raises(RuntimeError, match="8 bytes"):
        aten.from_file(str(path), size=3, dtype=aten.int32)


def test_small_functions() -> None:
    assert aten.broadcast_shapes((2, 1), 3, (1, 3)) == (2, 3) and aten.broadcast_shapes() == ()
    with pytest.raises(RuntimeError, match="can't be broadcast"):
        aten.broadcast_shapes((2,), (3,))
    rows, columns = aten.unravel_index(aten.tensor([3, 5]), (2, 3))
    assert rows.tolist() == [1, 1] and columns.tolist() == [0, 2]
    with pytest.raises(TypeError, match="integer"):
        aten.unravel_index(aten.ones(1), (2,))
    assert aten.from_dlpack(aten.to_dlpack(aten.ones(2))).tolist() == [1, 1]
    assert aten.compiled_with_cxx11_abi() and not aten.is_distributed(aten.ones(1))
    aten.set_anomaly_enabled(True, False)
    assert aten.is_anomaly_enabled() and not aten.is_anomaly_check_nan_enabled()
    aten.set_anomaly_enabled(False)
