"""Saved tensor hooks, and gradient edges."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest
from expect import leaf, raises, same


def test_what_pack_returns_is_kept(T):
    x = leaf(T, [1.0, 2.0])
    packed, unpacked = [], []

    def pack(t):
        packed.append(t)
        return np.array(t.detach().tolist())

    def unpack(values):
        unpacked.append(values)
        return T.from_numpy(values)

    with T.autograd.graph.saved_tensors_hooks(pack, unpack):
        y = x * x
    assert len(packed) == 2 and not unpacked
    y.sum().backward()
    assert len(unpacked) == 2
    same(x.grad, [2, 4])
    (x * x).sum().backward()
    assert len(packed) == 2


def test_results_are_packed_too(T):
    x = leaf(T, [1.0, 2.0])
    with T.autograd.graph.saved_tensors_hooks(lambda t: t * 1, lambda t: t * 2):
        y = x.exp()
    y.sum().backward()
    same(x.grad, [2 * 2.7182818, 2 * 7.3890561])


def test_the_innermost_hooks_are_used(T):
    x = leaf(T, [1.0])
    calls = []

    def hooks(name):
        return T.autograd.graph.saved_tensors_hooks(lambda t: calls.append(name) or t, lambda t: t)

    with hooks("outer"):
        with hooks("inner"):
            x.exp()
        x.exp()
    assert calls == ["inner", "outer"]


def test_a_packed_tensor_may_be_written_to(T):
    """A packed tensor's version may change: hooks may save any value."""
    x = leaf(T, [3.0])
    with T.autograd.graph.saved_tensors_hooks(lambda t: t.detach().clone(), lambda t: t):
        y = x * 1
        z = y * y
    y.add_(1)
    z.backward()
    same(x.grad, [6])


def test_exceptions_of_the_hooks(T):
    x = leaf(T, [3.0])

    def fail(_):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"), T.autograd.graph.saved_tensors_hooks(fail, lambda t: t):
        x.exp()
    with T.autograd.graph.saved_tensors_hooks(lambda t: 1, fail):
        y = x.exp()
    with pytest.raises(KeyError, match="mine"):
        y.backward()
    with T.autograd.graph.saved_tensors_hooks(lambda t: 1, lambda t: "text"):
        y = x.exp()
    with pytest.raises((TypeError, RuntimeError), match=r"(?i)tensor"):
        y.backward()


def test_what_is_kept_dies_with_the_graph(T):
    class Kept:
        def __init__(self, tensor):
            self.tensor = tensor

    refs = []

    def pack(t):
        kept = Kept(t.detach().clone())
        refs.append(weakref.ref(kept))
        return kept

    x = leaf(T, [3.0])
    with T.autograd.graph.saved_tensors_hooks(pack, lambda kept: kept.tensor):
        y = x * x
    assert all(r() is not None for r in refs)
    y.backward()
    gc.collect()
    assert [r() for r in refs] == [None, None]


def test_gradient_edges(T):
    x = leaf(T, [1.0, 2.0])
    y = x * x
    edge = T.autograd.graph.get_gradient_edge(y)
    assert edge.node is y.grad_fn and edge.output_nr == 0
    z = (y * 3).sum()
    same(T.autograd.grad(z, edge, retain_graph=True)[0], [3, 3])
    del y
    T.autograd.backward(edge, T.ones(2, dtype=T.float64))
    same(x.grad, [2, 4])
    accumulate = T.autograd.graph.get_gradient_edge(x)
    assert "AccumulateGrad" in accumulate.node.name()
    with raises("require"):
        T.autograd.graph.get_gradient_edge(T.ones(1))


def test_increment_version(T):
    x = leaf(T, [1.0])
    y = x * 1
    z = y * y
    T.autograd.graph.increment_version(y)
    with raises("modified", "version"):
        z.backward()
