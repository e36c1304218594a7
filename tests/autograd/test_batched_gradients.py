"""autograd.grad() for batches of cotangents, and its parameter only_inputs."""

from __future__ import annotations

import inspect

import pytest
from expect import leaf, raises, same

BATCH = [[1.0, 0.0], [0.0, 1.0], [2.0, -3.0]]


def values(T, x):
    return T.stack([x[0] * x[1], x.exp().sum()])


def rows(T, outputs, inputs, cotangents, **options):
    """The gradients for each of the cotangents, stacked."""
    found = [T.autograd.grad(outputs, inputs, c, retain_graph=True, **options) for c in cotangents]
    return [T.stack(column).tolist() for column in zip(*found, strict=True)]


def test_a_batch_of_cotangents(T):
    x, w = leaf(T, [0.5, -0.25]), leaf(T, [[1.0, 2.0], [3.0, 4.0]])
    y = w @ values(T, x)
    batch = T.tensor(BATCH, dtype=T.float64)
    got = T.autograd.grad(y, (x, w), batch, retain_graph=True, is_grads_batched=True)
    assert [tuple(g.shape) for g in got] == [(3, 2), (3, 2, 2)] and not got[0].requires_grad
    for g, expected in zip(got, rows(T, y, (x, w), batch), strict=True):
        same(g, expected)


def test_several_outputs_some_without_a_cotangent(T):
    x = leaf(T, [0.5, -0.25])
    a, b = x * 2, x.sin().sum()
    batch, scalars = T.tensor(BATCH, dtype=T.float64), T.tensor([1.0, 2.0, 3.0], dtype=T.float64)
    (got,) = T.autograd.grad([a, b], [x], [batch, scalars], is_grads_batched=True)
    same(got, (batch * 2 + x.cos() * scalars[:, None]).tolist())


def test_batched_gradients_can_be_differentiated(T):
    x = leaf(T, [0.5, -0.25])
    (got,) = T.autograd.grad(
        x**3, x, T.tensor(BATCH, dtype=T.float64), create_graph=True, is_grads_batched=True
    )
    (second,) = T.autograd.grad(got.sum(), x)
    same(second, (6 * x * T.tensor(BATCH, dtype=T.float64).sum(0)).tolist())


def test_inputs_that_are_not_used(T):
    x, unused = leaf(T, [0.5, -0.25]), leaf(T, [1.0])
    batch = T.tensor(BATCH, dtype=T.float64)

    def grad(**options):
        return T.autograd.grad(x * 2, (x, unused), batch, is_grads_batched=True, **options)

    with raises("not have been used"):
        grad()
    got = grad(allow_unused=True)
    assert got[1] is None and tuple(got[0].shape) == (3, 2)
    assert grad(materialize_grads=True)[1].tolist() == [0.0]
    with raises("materialize_grads", error=ValueError):
        grad(materialize_grads=True, allow_unused=False)


def test_the_order_of_the_parameters(T):
    x, unused = leaf(T, 2.0), leaf(T, 1.0)
    got = T.autograd.grad(x * x, (x, unused), None, None, False, True, True, False, False)
    assert got[0].item() == 4.0 and got[1] is None
    with pytest.raises(RuntimeError, match="not have been used"):
        T.autograd.grad(x * x, (x, unused), None, None, False, True, False)


def test_only_inputs_changes_nothing(T):
    x = leaf(T, 2.0)
    with pytest.warns(FutureWarning, match="only_inputs"):
        (got,) = T.autograd.grad(x * x, x, only_inputs=False)
    assert got.item() == 4.0


def test_the_documented_parameters_are_those_of_pytorch():
    torch, aten = pytest.importorskip("torch"), pytest.importorskip("aten")
    signature = aten.autograd.grad.__doc__.partition(" -> ")[0]
    given = [p.split("=")[0] for p in signature.partition("(")[2].rstrip(")").split(", ")]
    assert given == list(inspect.signature(torch.autograd.grad).parameters)
