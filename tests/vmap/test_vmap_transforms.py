"""vmap with the derivatives of func, in both orders, compared with PyTorch's."""

from __future__ import annotations

import aten
import numpy as np
import pytest

torch = pytest.importorskip("torch")
RNG = np.random.default_rng(3)
X = RNG.standard_normal((4, 3))
W = RNG.standard_normal((3, 3))
B = RNG.standard_normal(3)


def leaves(result):
    if isinstance(result, dict):
        return [t for key in sorted(result) for t in leaves(result[key])]
    return [t for part in result for t in leaves(part)] if isinstance(result, (tuple, list)) else [result]


def check(run, *arrays):
    """run(library, its func, tensors) is the same in both."""
    mine = leaves(run(aten, aten.func, *(aten.tensor(a) for a in arrays)))
    theirs = leaves(run(torch, torch.func, *(torch.tensor(a) for a in arrays)))
    assert len(mine) == len(theirs)
    for m, t in zip(mine, theirs, strict=True):
        assert tuple(m.shape) == tuple(t.shape)
        assert m.requires_grad == t.requires_grad
        np.testing.assert_allclose(m.detach().numpy(), t.detach().numpy(), rtol=1e-7, atol=1e-9)


def layer(w, x):
    return (x @ w).tanh()


def loss(w, x):
    return layer(w, x).square().sum()


CASES = {
    "per-sample": lambda m, f, w, x: f.vmap(f.grad(loss), (None, 0))(w, x),
    "per-sample of both": lambda m, f, w, x: f.vmap(f.grad(loss, (0, 1)), (None, 0))(w, x),
    "grad of vmap": lambda m, f, w, x: f.grad(lambda w: f.vmap(loss, (None, 0))(w, x).sum())(w),
    "grad of vmap of grad": lambda m, f, w, x: f.grad(
        lambda w: f.vmap(f.grad(loss), (None, 0))(w, x).square().sum()
    )(w),
    "vmap of grad of grad": lambda m, f, w, x: f.vmap(
        f.grad(lambda x: f.grad(lambda y: loss(w, y) * y.prod())(x).square().sum())
    )(x),
    "vmap of grad and value": lambda m, f, w, x: f.vmap(f.grad_and_value(loss), (None, 0))(w, x),
    "vmap of jacrev": lambda m, f, w, x: f.vmap(f.jacrev(layer, 1), (None, 0))(w, x),
    "vmap of jacfwd": lambda m, f, w, x: f.vmap(f.jacfwd(layer, 1), (None, 0))(w, x),
    "vmap of hessian": lambda m, f, w, x: f.vmap(f.hessian(loss, 1), (None, 0))(w, x),
    "jacrev of vmap": lambda m, f, w, x: f.jacrev(lambda x: f.vmap(layer, (None, 0))(w, x))(x),
    "jacfwd of vmap": lambda m, f, w, x: f.jacfwd(lambda x: f.vmap(layer, (None, 0))(w, x))(x),
    "hessian of vmap": lambda m, f, w, x: f.hessian(lambda x: f.vmap(loss, (None, 0))(w, x).sum())(x),
    "vmap of vjp": lambda m, f, w, x: f.vmap(lambda x: f.vjp(lambda x: layer(w, x), x)[1](x))(x),
    "vjp of vmap": lambda m, f, w, x: f.vjp(f.vmap(layer, (None, 0)), w, x)[1](x),
    "vmap of a product": lambda m, f, w, x: f.vmap(f.vjp(lambda v: layer(w, v), x[0])[1])(x),
    "vmap of jvp": lambda m, f, w, x: f.vmap(lambda x: f.jvp(lambda x: layer(w, x), (x,), (x.cos(),)))(x),
    "jvp of vmap": lambda m, f, w, x: f.jvp(lambda x: f.vmap(layer, (None, 0))(w, x), (x,), (x.cos(),)),
    "nested": lambda m, f, w, x: f.vmap(lambda a: f.vmap(lambda b: a @ b)(w))(x),
    "grads at both levels": lambda m, f, w, x: f.vmap(
        f.grad(lambda a: f.vmap(f.grad(lambda b: (a @ b).sin()))(w).sum())
    )(x),
    "hessian in nested": lambda m, f, w, x: f.vmap(
        lambda a: f.vmap(f.hessian(lambda b: (a * b).prod().sin()))(w)
    )(x),
    "out_dims": lambda m, f, w, x: f.vmap(lambda x: (x, x.outer(x)), out_dims=(1, 2))(x),
    "tree": lambda m, f, w, x: f.vmap(
        lambda d: {"s": d["w"] @ d["x"], "t": [d["x"]]}, ({"w": None, "x": 0},)
    )({"w": w, "x": x}),
    "chunks": lambda m, f, w, x: f.vmap(f.grad(loss), (None, 0), chunk_size=3)(w, x),
    "same for all": lambda m, f, w, x: f.vmap(lambda x: (w * 2, x), out_dims=(None, 0))(x),
    "unbatched result": lambda m, f, w, x: f.vmap(lambda x: w * 2)(x),
    "keyword": lambda m, f, w, x: f.vmap(lambda x, *, y: x * y)(x, y=x),
    "detach": lambda m, f, w, x: f.grad(lambda x: f.vmap(lambda v: (v * v.detach()).sum())(x).sum())(x),
    "in place": lambda m, f, w, x: f.vmap(f.grad(lambda v: v.clone().mul_(v).add_(1).prod()))(x),
    "view in place": lambda m, f, w, x: f.vmap(f.grad(lambda v: _scaled_end(v).square().sum()))(x),
    "indexing": lambda m, f, w, x: f.vmap(f.grad(lambda v: v[m.tensor([2, 0, 2])].square().sum()))(x),
    "index of each": lambda m, f, w, x: f.vmap(f.grad(lambda v: v[v.argsort()].cumsum(0).square().sum()))(x),
    "softmax": lambda m, f, w, x: f.vmap(f.hessian(lambda v: v.log_softmax(0)[1]))(x),
    "where": lambda m, f, w, x: f.vmap(f.grad(lambda v: m.where(v > 0, v.exp(), v.square()).sum()))(x),
    "solve": lambda m, f, w, x: f.vmap(f.grad(lambda v: m.linalg.solve(w, v).square().sum()))(x),
    "cat": lambda m, f, w, x: f.vmap(f.jacrev(lambda v: m.cat([v, v.sin(), m.stack([v, v]).sum(0)])))(x),
    "norm": lambda m, f, w, x: f.vmap(f.grad(lambda v: v.norm() + v.std() + v.logsumexp(0)))(x),
    "nll": lambda m, f, w, x: f.vmap(f.grad(lambda v, t: m.nn.functional.cross_entropy(v, t)), (0, 0))(
        x, m.tensor([0, 2, 1, 0])
    ),
}


def _scaled_end(v):
    w = v.clone()
    w[1:].mul_(3)
    return w


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.replace(" ", "-"))
def test_as_pytorch(case):
    check(CASES[case], W, X)


def test_backward_through_vmap():
    x, y = aten.tensor(X, requires_grad=True), torch.tensor(X, requires_grad=True)
    aten.vmap(lambda v: v.sin().prod())(x).sum().backward()
    torch.vmap(lambda v: v.sin().prod())(y).sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), y.grad.numpy())


def test_a_weight_outside():
    """A tensor that the function takes from around it is differentiated there."""
    w, x = aten.tensor(W, requires_grad=True), aten.tensor(X)
    out = aten.vmap(aten.func.grad(lambda v: layer(w, v).sum()))(x)
    (mine,) = aten.autograd.grad(out.square().sum(), w)
    v, y = torch.tensor(W, requires_grad=True), torch.tensor(X)
    out = torch.vmap(torch.func.grad(lambda u: layer(v, u).sum()))(y)
    (theirs,) = torch.autograd.grad(out.square().sum(), v)
    np.testing.assert_allclose(mine.numpy(), theirs.numpy())


def test_forward_mode_around():
    fwd = aten.autograd.forward_ad
    with fwd.dual_level():
        dual = fwd.make_dual(aten.tensor(X), aten.tensor(X) * 2)
        tangent = fwd.unpack_dual(aten.vmap(lambda v: v.square().sum())(dual)).tangent
    np.testing.assert_allclose(tangent.numpy(), (4 * X * X).sum(1))
