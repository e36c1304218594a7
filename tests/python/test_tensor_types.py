"""FloatTensor and the like, Tensor's constructor, and Tensor.type: as PyTorch's."""

from __future__ import annotations

import aten
import pytest


def test_constructor_of_sizes_and_data() -> None:
    assert aten.Tensor().shape == (0,) and aten.Tensor(5).shape == (5,) and aten.Tensor(2, 3).shape == (2, 3)
    assert aten.Tensor(aten.Size([2, 3])).shape == (2, 3)
    assert aten.Tensor((2, 3)).tolist() == [2.0, 3.0] and aten.Tensor([[1]]).dtype == aten.float32
    assert aten.Tensor([1], device="cpu").tolist() == [1]
    for data in (1.5, True, None, "a"):
        with pytest.raises(TypeError):
            aten.Tensor(data)
    with pytest.raises(RuntimeError, match="meta"):
        aten.Tensor(2, device="meta")
    with pytest.raises(TypeError):
        aten.Tensor([1], dtype=aten.int64)


def test_constructor_of_a_tensor_is_another_object_for_it() -> None:
    x = aten.ones(2, dtype=aten.int64)
    y = aten.Tensor(x)
    assert y is not x and y.dtype == aten.int64 and y.data_ptr() == x.data_ptr()
    leaf = aten.ones(2, requires_grad=True)
    aten.Tensor(leaf).sum().backward()
    assert leaf.grad.tolist() == [1, 1]


def test_typed_constructors() -> None:
    assert aten.FloatTensor([1, 2]).dtype == aten.float32 and aten.LongTensor(2, 3).shape == (2, 3)
    assert aten.LongTensor([1.5]).tolist() == [1] and aten.BoolTensor([0, 2]).tolist() == [False, True]
    with pytest.raises(TypeError, match="int64"):
        aten.FloatTensor(aten.ones(2, dtype=aten.int64))
    with pytest.raises(RuntimeError, match="cpu"):
        aten.FloatTensor(2, device="meta")


def test_isinstance_asks_for_the_dtype() -> None:
    x = aten.ones(1)
    assert isinstance(x, aten.FloatTensor) and not isinstance(x, aten.LongTensor)
    assert not isinstance(x.to("meta"), aten.FloatTensor) and not isinstance(3, aten.IntTensor)
    assert aten.FloatTensor.dtype == aten.float32 and not aten.FloatTensor.is_cuda
    assert repr(aten.FloatTensor) == "<class 'aten.FloatTensor'>"


def test_type() -> None:
    x = aten.ones(1)
    assert x.type() == "aten.FloatTensor" == aten.typename(x)
    for wanted in (aten.int64, aten.LongTensor, "aten.LongTensor", "torch.LongTensor"):
        assert x.type(wanted).dtype == aten.int64
    assert x.long().type(aten.Tensor).dtype == aten.float32
    with pytest.raises(ValueError, match="foo"):
        x.type("foo")
    assert aten.typename(3) == "int" and aten.typename(aten.device) == "aten.device"


def test_default_tensor_type() -> None:
    try:
        aten.set_default_tensor_type("aten.DoubleTensor")
        assert aten.ones(1).dtype == aten.float64
    finally:
        aten.set_default_tensor_type(aten.FloatTensor)
    assert aten.ones(1).dtype == aten.float32
    with pytest.raises(TypeError, match="floating-point"):
        aten.set_default_tensor_type(aten.LongTensor)
    with pytest.raises(TypeError, match="invalid type object"):
        aten.set_default_tensor_type(3)


def test_new() -> None:
    x = aten.ones(1, dtype=aten.int64)
    assert x.new([1.0]).tolist() == [1] and x.new(2, 3).shape == (2, 3) and x.new().shape == (0,)
