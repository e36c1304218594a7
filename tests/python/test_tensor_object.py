"""The Python object of a tensor: identity, attributes, weak references, subclasses, collection."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref

import aten
import pytest


class Sub(aten.Tensor):
    pass


def test_one_object_for_each_tensor() -> None:
    x, g = aten.ones(2), aten.ones(2)
    x.requires_grad_()
    x.grad = g
    assert x.grad is g
    assert x.grad is x.grad
    assert x.add_ is not None and x.detach().add_(1) is not x


def test_in_place_results_are_the_argument() -> None:
    x, out = aten.ones(2), aten.empty(0)
    assert x.add_(1) is x
    assert aten.add(x, x, out=out) is out


def test_attributes_survive_while_cpp_holds_the_tensor() -> None:
    x, g = aten.ones(2), aten.ones(2)
    g.label = "gradient"
    x.grad = g
    del g
    gc.collect()
    assert x.grad.label == "gradient"


def test_subclass_and_weak_references_survive_while_cpp_holds_the_tensor() -> None:
    x = aten.ones(2)
    g = aten.ones(2).as_subclass(Sub)
    ref = weakref.ref(g)
    x.grad = g
    del g
    gc.collect()
    assert type(x.grad) is Sub
    assert ref() is x.grad
    x.grad = None
    gc.collect()
    assert ref() is None


def test_weak_references_die_with_the_tensor() -> None:
    x = aten.ones(2)
    called = []
    ref = weakref.ref(x, called.append)
    del x
    assert ref() is None and len(called) == 1


def test_cycles_through_attributes_are_collected() -> None:
    x = aten.ones(2)
    x.me = x
    ref = weakref.ref(x)
    del x
    gc.collect()
    assert ref() is None


def test_a_cycle_that_cpp_holds_keeps_its_attributes() -> None:
    x, g = aten.ones(2), aten.ones(2)
    g.me, g.label = g, 1
    x.grad = g
    del g
    gc.collect()
    assert x.grad.label == 1 and x.grad.me is x.grad


def test_many_objects() -> None:
    keep = [aten.ones(1) for _ in range(1000)]
    del keep
    for _ in range(1000):
        y = aten.ones(1)
        y.a = 1
    assert y.a == 1


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickle(protocol: int) -> None:
    for x in (
        aten.arange(6).reshape(2, 3),
        aten.ones(3, dtype=aten.bfloat16),
        aten.empty(0, 2),
        aten.tensor(1 + 2j),
    ):
        y = pickle.loads(pickle.dumps(x, protocol))
        assert y.dtype is x.dtype and y.shape == x.shape and aten.equal(x, y)
    for value in (aten.float32, aten.strided, aten.channels_last, aten.device("cuda:1"), aten.Size([1, 2])):
        again = pickle.loads(pickle.dumps(value, protocol))
        assert again == value and type(again) is type(value)
    assert pickle.loads(pickle.dumps(aten.ops.aten.add.Tensor, protocol)) is aten.ops.aten.add.Tensor


def test_copies() -> None:
    x = aten.ones(2).requires_grad_()
    x.label = ["a"]
    y = copy.deepcopy(x)
    assert y is not x and y.label == ["a"] and y.label is not x.label and y.requires_grad
    assert aten.equal(x, y) and y.data_ptr() != x.data_ptr()
    assert aten.equal(copy.copy(x), x)


def test_subclassing() -> None:
    x = aten.Tensor._make_subclass(Sub, aten.ones(2))
    assert type(x) is Sub and isinstance(x, aten.Tensor)
    x.extra = 1
    assert x.extra == 1
    assert type(x + 1) is Sub
    assert type(Sub([1.0, 2.0])) is Sub
    with pytest.raises(TypeError):
        aten.Tensor._make_subclass(int, aten.ones(2))


def test_constructors_of_values_are_closed() -> None:
    for kind in (aten.dtype, aten.layout, aten.memory_format):
        with pytest.raises(TypeError):
            kind()


def test_attributes() -> None:
    x = aten.empty(2, 3, dtype=aten.int16)
    assert x.shape == (2, 3) and isinstance(x.shape, aten.Size) and x.ndim == 2 == x.dim()
    assert (x.dtype, x.layout, x.device) == (aten.int16, aten.strided, aten.device("cpu"))
    assert (x.itemsize, x.nbytes, x.numel(), x.stride(), x.storage_offset()) == (2, 12, 6, (3, 1), 0)
    assert x.T.shape == (3, 2) == x.mT.shape
    assert x[1].storage_offset() == 3 and x[1].data_ptr() == x.data_ptr() + 6
    assert not x.requires_grad and x.grad is None and x.is_leaf and x.is_cpu and not x.is_meta
    with pytest.raises(AttributeError):
        x.shape = (6,)
    with pytest.raises(RuntimeError, match="floating"):
        x.requires_grad_()
    with pytest.raises(IndexError):
        x.size(2)


def test_conversions() -> None:
    assert int(aten.tensor(3.7)) == 3 and float(aten.tensor(3)) == 3.0 and complex(aten.tensor(1j)) == 1j
    assert [0, 1, 2][aten.tensor(1)] == 1
    assert bool(aten.tensor([True])) and not aten.tensor(0)
    assert f"{aten.tensor(2.5):.2f}" == "2.50"
    assert len(aten.empty(3, 2)) == 3 and [t.shape for t in aten.empty(2, 5)] == [(5,), (5,)]
    assert 3 in aten.arange(4) and 9 not in aten.arange(4)
    for bad in (lambda: bool(aten.ones(2)), lambda: bool(aten.empty(0))):
        with pytest.raises(RuntimeError):
            bad()
    for bad in (lambda: len(aten.tensor(1)), lambda: iter(aten.tensor(1)), lambda: [1][aten.tensor(0.0)]):
        with pytest.raises(TypeError):
            bad()
