"""Leaves, requires_grad, detach, and grad modes."""

from __future__ import annotations

import threading

import pytest
from expect import leaf, raises, same


def test_what_is_a_leaf(T):
    x, c = leaf(T, 2.0), T.ones(())
    y = x * 2
    assert x.is_leaf and c.is_leaf and not y.is_leaf
    assert (c * 2).is_leaf and not (c * 2).requires_grad
    assert y.requires_grad and not y.detach().requires_grad and y.detach().is_leaf
    with T.no_grad():
        assert (x * 2).is_leaf
    assert T.ones(2).requires_grad_().is_leaf


def test_factories_take_requires_grad(T):
    for made in (
        T.ones(2, requires_grad=True),
        T.zeros((2, 3), requires_grad=True),
        T.tensor([1.0], requires_grad=True),
        T.empty(2, requires_grad=True),
        T.randn(2, requires_grad=True),
        T.full((2,), 1.5, requires_grad=True),
        T.ones_like(T.ones(2), requires_grad=True),
    ):
        assert made.requires_grad and made.is_leaf and made.grad_fn is None


def test_requires_grad_is_set(T):
    x = T.ones(2)
    assert x.requires_grad_() is x and x.requires_grad
    x.requires_grad = False
    assert not x.requires_grad and not (x * 2).requires_grad
    x.requires_grad_(True)
    assert (x * 2).requires_grad


def test_only_floats_and_complex_require_gradients(T):
    for dtype in (T.int64, T.bool, T.uint8):
        with raises("floating point|only Tensors of"):
            T.ones(2, dtype=dtype).requires_grad_()
        with raises("floating point|only Tensors of"):
            T.ones(2, dtype=dtype, requires_grad=True)
        T.ones(2, dtype=dtype).requires_grad_(False)
    for dtype in (T.bfloat16, T.float16, T.float64, T.complex64):
        assert T.ones(2, dtype=dtype, requires_grad=True).requires_grad


def test_requires_grad_of_an_intermediate_stays(T):
    y = leaf(T, 2.0) * 2
    y.requires_grad_(True)
    with raises("leaf", "detach"):
        y.requires_grad_(False)
    with raises("leaf"):
        y.requires_grad = False


def test_detach(T):
    x = leaf(T, [1.0, 2.0])
    y = x * x
    d = y.detach()
    assert not d.requires_grad and d.grad_fn is None and d.data_ptr() == y.data_ptr()
    (y * d).sum().backward()
    same(x.grad, [2, 2 * 2 * 4])


def test_detach_in_place(T):
    x = leaf(T, 2.0)
    y = x * x
    assert y.detach_() is y
    assert y.is_leaf and not y.requires_grad and y.grad_fn is None
    assert x.detach_() is x and not x.requires_grad
    a, _ = leaf(T, [1.0, 2.0]).unbind()
    with raises("view"):
        a.detach_()


def test_no_grad(T):
    x = leaf(T, 2.0)
    with T.no_grad():
        assert not T.is_grad_enabled()
        y = x * 2
        assert not y.requires_grad
        with T.enable_grad():
            assert (x * 2).requires_grad
        assert not T.is_grad_enabled()
        assert T.ones(1, requires_grad=True).requires_grad
    assert T.is_grad_enabled() and (x * y).requires_grad


def test_modes_as_decorators(T):
    x = leaf(T, 2.0)

    @T.no_grad()
    def without(y):
        return y * 2

    @T.enable_grad()
    def with_(y):
        return y * 2

    @T.no_grad()
    def numbers():
        for _ in range(2):
            yield T.is_grad_enabled()

    assert not without(x).requires_grad
    with T.no_grad():
        assert with_(x).requires_grad
    assert [(inside, T.is_grad_enabled()) for inside in numbers()] == [(False, True)] * 2


def test_set_grad_enabled(T):
    x = leaf(T, 2.0)
    with T.set_grad_enabled(False):
        assert not (x * 2).requires_grad
    try:
        T.set_grad_enabled(False)
        assert not T.is_grad_enabled()
    finally:
        T.set_grad_enabled(True)
    assert T.is_grad_enabled()


def test_modes_end_with_an_exception(T):
    with pytest.raises(KeyError), T.no_grad():
        raise KeyError
    assert T.is_grad_enabled()


def test_modes_belong_to_a_thread(T):
    seen = []
    with T.no_grad():
        thread = threading.Thread(target=lambda: seen.append(T.is_grad_enabled()))
        thread.start()
        thread.join()
    assert seen == [True]


def test_inference_mode(T):
    x = leaf(T, [1.0, 2.0])
    with T.inference_mode():
        assert T.is_inference_mode_enabled() and not T.is_grad_enabled()
        y = x * 2
        assert y.is_inference() and not y.requires_grad
        y.add_(1)
        view = x[:1]
        assert not view.is_inference()  # a view of a normal tensor is a normal tensor
    assert not x.is_inference() and (x * 2).requires_grad
    assert not (y * 2).requires_grad
    same(y.clone() * x, [3, 10])
    with raises("Inference tensors"):
        (x * y).sum().backward()
    with raises("inplace|in-place", "inference"):
        y.mul_(2)
    with raises("inference"):
        y.requires_grad_()
    with raises("inference", "version"):
        _ = y._version


def test_inference_mode_around_normal_tensors(T):
    x = T.ones(2)
    before = x._version
    with T.inference_mode():
        x.add_(1)
        with T.inference_mode(False):
            assert (leaf(T, 1.0) * 2).requires_grad
    assert x._version == before + 1


def test_data_is_the_same_memory_without_history(T):
    x = leaf(T, [1.0, 2.0])
    y = x * x
    d = x.data
    assert not d.requires_grad and d.data_ptr() == x.data_ptr()
    d.mul_(10)  # the version counter does not count this write
    y.sum().backward()
    same(x.grad, [20, 40])


def test_copies_are_recorded(T):
    x = leaf(T, [1.0, 2.0])
    for copy in (x.clone(), x.to(T.float32), x.contiguous(), x.reshape(2, 1), x.double()):
        assert copy.requires_grad or copy is x
    (g,) = T.autograd.grad(x.to(T.float32).sum(), x)
    assert g.dtype == T.float64


def test_values_that_leave_the_graph(T):
    x = leaf(T, [1.0, 2.0])
    with raises("requires grad", "detach"):
        x.numpy()
    assert x.tolist() == [1, 2] and x[0].item() == 1
    assert x.detach().numpy().tolist() == [1, 2]


def test_printing(T):
    x = leaf(T, [1.0])
    assert "requires_grad=True" in repr(x)
    assert "grad_fn=<MulBackward0>" in repr(x * 2)


def test_deep_copies(T):
    import copy

    x = leaf(T, [1.0])
    x.grad = T.ones(1, dtype=T.float64)
    other = copy.deepcopy(x)
    assert other.requires_grad and other.is_leaf
    other.grad.zero_()
    same(x.grad, [1])
    with raises("leaf|graph leaves|explicitly by the user"):
        copy.deepcopy(x * 2)
