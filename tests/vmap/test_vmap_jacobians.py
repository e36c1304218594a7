"""Jacobians are computed in vmap: they equal those of one row at a time, and PyTorch's."""

from __future__ import annotations

import aten
import pytest
from aten.func import jacfwd, jacrev
from batches import Batch, Row, same
from test_vmap_gradients import differentiated, is_real
from test_vmap_operators import CORE

RANDOM = ("dropout", "bernoulli", "rrelu", "normal", "multinomial")
# What writes to a tensor of all rows in its backward, which vmap refuses.
BY_ROWS_ONLY = ("as_strided", "as_strided_copy", "as_strided_scatter")


def some_results(batch: Batch, given: list[aten.Tensor]) -> aten.Tensor:
    return aten.cat([t.reshape(-1)[:3].float() for t in batch.call(given) if is_real(t)])


def only_error(f):
    """What f returns, or the type of what it raises."""
    try:
        return f()
    except (RuntimeError, NotImplementedError) as error:
        return type(error)


@pytest.mark.parametrize("row", CORE[::6], ids=str)
def test_equal_those_of_each_row(row: Row):
    found = differentiated(row)
    if found is None or any(name in row.name for name in RANDOM) or row.name in BY_ROWS_ONLY:
        pytest.skip("no sample has a gradient that can be compared")
    batch, i = found
    f = lambda *ts: some_results(batch, list(ts))  # noqa: E731
    rows = only_error(lambda: jacrev(f, i, chunk_size=1)(*batch.examples[0]))
    if isinstance(rows, type):
        pytest.skip("no Jacobian")
    assert same(jacrev(f, i)(*batch.examples[0]), rows)
    columns = only_error(lambda: jacfwd(f, i)(*batch.examples[0]))
    assert isinstance(columns, type) or same(columns.to(rows.dtype), rows)  # of the result's dtype


def values(m):
    x = m.tensor([[0.5, -0.25, 1.0], [2.0, -1.5, 0.75]], dtype=m.float64)
    return x, m.tensor([1.0, -2.0, 0.5], dtype=m.float64)


def layer(m, x, w):
    return m.nn.functional.softmax(x * w, -1).cumsum(-1), {"norm": (x @ w).sin(), "unused": w.exp()}


def jacobians(m, f):
    x, w = values(m)
    found = [
        f.jacrev(layer, chunk_size=size, argnums=n)(m, x, w) for size in (None, 1, 2, 100) for n in (1, 2)
    ]
    found.append(f.jacrev(layer, (1, 2), chunk_size=4)(m, x, w))
    found.append(f.jacfwd(layer, (1, 2))(m, x, w))
    found.append(f.jacrev(f.jacrev(lambda x: (x**3).sum(0), chunk_size=2), chunk_size=3)(x))
    found.append(f.jacfwd(f.jacrev(lambda x: (x**3).sum(0)))(x))
    found.append(f.vmap(f.jacrev(lambda x: x.sin().cumsum(0), chunk_size=2))(x))
    found.append(f.vmap(f.jacfwd(lambda x: x.sin().cumsum(0)))(x))
    found.append(f.jacrev(lambda x: x[:0])(w))
    found.append(f.jacfwd(lambda x: x * 2)(w[:0]))
    found.append(f.hessian(lambda x: (x.sin() ** 2).sum())(x))
    return found


def flat(tree):
    if isinstance(tree, dict):
        tree = list(tree.values())
    if isinstance(tree, (list, tuple)):
        return [t for part in tree for t in flat(part)]
    return [tree]


def test_equal_those_of_pytorch():
    torch = pytest.importorskip("torch")
    ours, theirs = flat(jacobians(aten, aten.func)), flat(jacobians(torch, torch.func))
    assert [tuple(t.shape) for t in ours] == [tuple(t.shape) for t in theirs]
    for a, b in zip(ours, theirs, strict=True):
        assert not a.requires_grad and aten.allclose(a, aten.tensor(b.tolist(), dtype=a.dtype).view(a.shape))


@pytest.mark.parametrize("m", ["aten", "torch"])
def test_a_jacobian_is_part_of_the_graph_around_it(m):
    m = pytest.importorskip(m)
    x, w = values(m)
    w.requires_grad_()
    for jacobian in (m.func.jacrev, m.func.jacfwd):
        w.grad = None
        found = jacobian(lambda x: (x * w).sin().sum(1))(x)
        assert found.requires_grad
        found.sum().backward()
        expected = ((x * w).cos() - w * x * (x * w).sin()).sum(0)
        assert m.allclose(w.grad, expected.detach())


def passes(chunk_size):
    """The sizes of the gradients that a backward sees, and how often it is called."""
    seen = []

    class Seen(aten.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            inside = aten._C._batched_value(grad)
            seen.append(1 if inside is None else inside[0].shape[0])
            return grad * 2

    found = jacrev(Seen.apply, chunk_size=chunk_size)(aten.ones(5))
    assert found.tolist() == (aten.eye(5) * 2).tolist()
    return seen


@pytest.mark.parametrize(
    ("chunk_size", "expected"), [(None, [5]), (1, [1] * 5), (2, [2, 2, 1]), (5, [5]), (7, [5])]
)
def test_the_passes(chunk_size, expected):
    assert passes(chunk_size) == expected


def test_a_backward_that_vmap_refuses_goes_row_by_row_on_request_only():
    class Concrete(aten.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            return grad * (2 if grad.sum().item() > 0 else 0)

    with pytest.raises(RuntimeError, match="vmap"):
        jacrev(Concrete.apply)(aten.ones(3))
    assert jacrev(Concrete.apply, chunk_size=1)(aten.ones(3)).tolist() == (aten.eye(3) * 2).tolist()
