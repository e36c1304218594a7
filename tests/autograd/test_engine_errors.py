"""Calls of backward() and grad() that raise errors."""

from __future__ import annotations

import pytest
from expect import leaf, raises, same


def test_a_freed_graph_is_an_error_for_others_that_need_it(T):
    x = leaf(T, 3.0)
    y = x.exp()
    (y * 2).backward()
    with raises("freed|second time"):
        (y + 1).backward()


def test_unused_inputs(T):
    x, w = leaf(T, 2.0), leaf(T, [3.0, 4.0])
    y = x * x
    with raises("allow_unused"):
        T.autograd.grad(y, (x, w), retain_graph=True)
    gx, gw = T.autograd.grad(y, (x, w), allow_unused=True, retain_graph=True)
    same(gx, 4)
    assert gw is None
    gx, gw = T.autograd.grad(y, (x, w), materialize_grads=True)
    same(gw, [0, 0])
    with raises("allow_unused", error=ValueError):
        T.autograd.grad(x * x, (x, w), allow_unused=False, materialize_grads=True)


def test_what_requires_no_gradient(T):
    x, c = leaf(T, 2.0), T.ones((), dtype=T.float64)
    with raises("does not require grad"):
        T.autograd.grad(x * c, c)
    with raises("does not require grad", "grad_fn"):
        c.backward()
    with raises("does not require grad", "grad_fn"):
        T.autograd.backward((x * x, c * c))


def test_gradients_are_created_for_real_scalars_only(T):
    x = leaf(T, [1.0, 2.0])
    with raises("grad can be implicitly created only for scalar outputs"):
        (x * x).backward()
    (x * x)[:1].backward()  # one element is enough
    same(x.grad, [2, 0])
    z = leaf(T, 1 + 1j, dtype=T.complex128)
    with raises("implicitly created only for real scalar"):
        (z * z).backward()


def test_gradients_of_another_shape(T):
    x = leaf(T, [1.0, 2.0])
    with raises("Mismatch in shape", r"\[3\]", r"\[2\]"):
        (x * x).backward(T.ones(3, dtype=T.float64))
    with raises("Mismatch in shape"):
        T.autograd.grad(x * x, x, T.ones((), dtype=T.float64))


def test_the_number_of_gradients(T):
    x = leaf(T, [1.0, 2.0])
    y = x * x
    with raises("2 tensors", "1 gradients"):
        T.autograd.backward((y, y), (y.detach(),))


def test_gradients_of_another_dtype(T):
    x = leaf(T, [1.0, 2.0], dtype=T.float32)
    (x * x).backward(T.ones(2, dtype=T.float64))  # real gradients are converted
    assert x.grad.dtype == T.float32
    with raises("dtype"):
        (x * x).backward(T.ones(2, dtype=T.complex64))


def test_what_is_no_tensor(T):
    x = leaf(T, [1.0, 2.0])
    for call in (
        lambda: T.autograd.backward((x.sum(), 3)),
        lambda: (x * x).backward([1.0, 1.0]),
        lambda: T.autograd.grad(x.sum(), [3.0]),
    ):
        with pytest.raises((TypeError, RuntimeError, AssertionError), match=r"(?i)tensor"):
            call()
