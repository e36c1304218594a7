"""Derivatives in aten.func: each program gives the same with PyTorch's torch.func; and without PyTorch,
nesting and what is not kept."""

from __future__ import annotations

from collections import namedtuple

import aten
import pytest
from aten.func import grad, grad_and_value, hessian, jacfwd, jacrev, jvp, linearize, vjp
from utils_oracle import error, filled, pattern, same

Pair = namedtuple("Pair", ["a", "b"])


def values(T, *shape, start=0.3):
    return pattern(T, *shape, start=start, dtype=T.float64)


def gradients(T):
    F, x, y = T.func, values(T, 3), values(T, 3, start=2)

    def f(x, y, *, power=2):
        return (x**power * y.sin()).sum()

    results = [F.grad(f)(x, y), F.grad(f, 1)(x, y, power=3), F.grad(f, (1, 0))(x, y), F.grad(f, -1)(x, y)]
    results += [F.grad_and_value(f)(x, y), F.grad(lambda x: x.new_ones(()))(x)]
    aux = F.grad_and_value(lambda x: ((x**3).sum(), {"twice": x * 2}), has_aux=True)(x)
    return [*results, aux, F.grad(lambda x: ((x**3).sum(), (x, x + 1)), has_aux=True)(x)]


def trees(T):
    def f(tree, scale):
        (a, [b]), pair = tree["first"], tree["second"]
        return (a * b).sum() * scale + (pair.a * pair.b).sum()

    one, two = values(T, 3), values(T, 3, start=2)
    tree = {"first": (one, [two]), "second": Pair(one + 1, two + 1)}
    found = T.func.grad(f)(tree, 3)
    made, product = T.func.vjp(lambda x: {"a": x * 2, "b": (x.sin(), [x**2])}, one)
    cotangents = {"a": two, "b": (two, [one])}
    return [found, type(found["second"]).__name__, made, product(cotangents), product(cotangents)]


def nested(T):
    """Derivatives of derivatives, also where inner functions use outer variables."""
    F = T.func
    x = T.full((), 0.7, dtype=T.float64)
    sin = lambda x: x.sin()  # noqa: E731
    results = [F.grad(F.grad(sin))(x), F.grad(F.grad(F.grad(sin)))(x)]
    results.append(F.grad(lambda x: x * F.grad(lambda y: x + y)(x))(x))
    results.append(F.grad(lambda x: F.grad(lambda y: x * x * y * y)(x))(x))
    results.append(F.grad(lambda x: F.grad(lambda y: (x * y).sin())(x.detach() * 2))(x))
    one = T.ones((), dtype=T.float64)
    results.append(F.jvp(F.grad(lambda x: x**4), (x,), (one,)))
    results.append(F.grad(lambda x: F.jvp(lambda x: x**4, (x,), (one,))[1])(x))
    results.append(F.jvp(lambda x: F.jvp(lambda y: x * y**3, (x,), (one,))[1], (x,), (one,)))
    results.append(F.jvp(lambda x: x * F.jvp(lambda y: x + y, (one,), (one,))[1], (x,), (one,)))
    results.append(F.grad(lambda t: F.jvp(lambda x: x**3, (x,), (t,))[1] * t)(one * 2))
    results.append(F.grad(lambda v: F.vjp(lambda x: x**3, x)[1](v)[0] * v)(one * 2))
    results.append(F.jacfwd(F.jacrev(lambda x: (x**3).sum()))(values(T, 3)))
    results.append(F.jacrev(F.jacfwd(lambda x: x.sin()))(values(T, 2)))
    return results


def recorded(T):
    """Results are part of the graphs around, but of these only."""
    F = T.func
    x, w = values(T, 3).requires_grad_(), values(T, 3, start=2).requires_grad_()
    plain = values(T, 3, start=4)

    def f(x):
        return (w * x**3).sum()

    results = [F.grad(f)(plain), F.grad(lambda x: (x**3).sum())(plain), F.vjp(lambda x: x**2, plain)[0]]
    results.append(F.grad(lambda x: (x**3).sum())(x))
    results += [t.detach() for t in F.jvp(lambda x: w * x**2, (plain,), (plain,))]
    results += [F.jvp(lambda x: x**2, (plain,), (plain,)), F.jacrev(lambda x: x**2)(plain)]
    results += [F.grad(lambda x: ((x**2).sum() + w.sum(), w), has_aux=True)(plain)[1]]
    (F.grad(f)(x) * plain).sum().backward()
    results += [x.grad, w.grad]
    with T.no_grad():
        results += [F.grad(f)(x), F.vjp(f, x), F.jvp(f, (x,), (plain,)), F.jacfwd(f)(x)][:1]
        results += [F.grad_and_value(f)(x), F.jvp(f, (x,), (plain,)), F.jacrev(f)(x)]
        results.append(F.vjp(f, x)[1](T.ones((), dtype=T.float64)))

    def with_constant(x):
        with T.no_grad():
            c = x**2
        return (x * c).sum()

    def with_constant_gradient(x):
        with T.no_grad():
            c = F.grad(lambda x: (x**3).sum())(x)
        return (x * c).sum()

    return [*results, F.grad(with_constant)(plain), F.grad(with_constant_gradient)(plain)]


def products(T):
    F, x, y = T.func, values(T, 3), values(T, 2, start=2)

    def f(x, y):
        return x.unsqueeze(1) * y.sin(), (x**2).sum(), x * 0 + 1, y.new_ones(2)

    v = (values(T, 3, start=5), values(T, 2, start=6))
    results = [F.jvp(f, (x, y), v), F.jvp(lambda x: ((x**2), x), (x,), (v[0],), has_aux=True)]
    made, product = F.vjp(f, x, y)
    results += [made, product(tuple(values(T, *t.shape, start=7) for t in made))]
    output, push = F.linearize(lambda x, y: x.unsqueeze(1) * y.sin(), x, y)
    results += [output, push(*v), push(v[0] * 2, v[1])]
    z = T.complex(x, x.cos())
    w = T.complex(v[0], v[0].sin())
    results += [F.jvp(lambda z: z**2 * z.conj(), (z,), (w,)), F.vjp(lambda z: z.exp(), z)[1](w)]
    return [*results, F.vjp(lambda x: (x, 3.0 * x), x, has_aux=True)[2]]


def jacobians(T):
    F, x, y = T.func, values(T, 3), values(T, 2, start=2)

    def f(x, y):
        return {"outer": x.unsqueeze(1) * y.sin(), "sum": (x**2).sum()}

    results = []
    for J in (F.jacrev, F.jacfwd):
        results += [J(f)(x, y), J(f, 1)(x, y), J(f, (0, 1))(x, y), J(lambda x: x["a"] ** 2)({"a": x})]
        results += [J(lambda x: (x**2, x), has_aux=True)(x), J(lambda x: x.new_ones(2))(x)]
    results.append(F.jacrev(f, chunk_size=2)(x, y))
    scalar = lambda x, y: (x**3).sum() * (y**2).sum()  # noqa: E731
    results += [F.hessian(scalar)(x, y), F.hessian(scalar, 1)(x, y), F.hessian(scalar, (0, 1))(x, y)]
    return [*results, F.hessian(lambda x: x**3)(x)]


def of_a_module(T):
    F = T.func
    net = filled(T, T.nn.Sequential(T.nn.Linear(3, 4), T.nn.Tanh(), T.nn.Linear(4, 1))).double()
    parameters = {name: p.detach() for name, p in net.named_parameters()}
    x = values(T, 5, 3)

    def loss(parameters, x):
        return F.functional_call(net, parameters, (x,)).square().mean()

    step = F.grad(lambda p: loss({k: v - 0.1 * F.grad(loss)(p, x)[k] for k, v in p.items()}, x))
    return [F.grad(loss)(parameters, x), step(parameters), F.grad(loss)(dict(net.named_parameters()), x)]


def faults(T):
    F, x = T.func, values(T, 3)
    scalar = lambda x: (x**2).sum()  # noqa: E731
    one = lambda x: x * 2  # noqa: E731
    return [
        error(F.grad(one), x),
        error(F.grad(lambda x: 3), x),
        error(F.grad(lambda x: scalar(x), has_aux=True), x),
        error(F.grad(scalar, 1), x),
        error(F.grad(scalar, "0"), x),
        error(F.grad(scalar, ()), x),
        error(F.grad(scalar, (0, 0)), x),
        error(F.grad(scalar), 3.0),
        error(F.vjp, lambda x: 3, x),
        error(F.vjp, lambda x: [], x),
        error(F.vjp, lambda x: x > 0, x),
        error(F.vjp, one, x, has_aux=True),
        error(F.vjp(one, x)[1], (x,)).partition(" cotangents: ")[0],
        error(F.jvp, one, x, (x,)),
        error(F.jvp, one, (x,), x).partition(" Got ")[0],
        error(F.jvp, one, (), ()),
        error(F.jvp, one, (3,), (3,)),
        error(F.jvp, lambda x: 3, (x,), (x,)),
        error(F.jvp, lambda x: x.new_ones(2), (x,), (x,), strict=True),
        error(F.linearize(one, x)[1], x[:1]),
        error(F.linearize(one, x)[1], x.float()),
        error(F.jacrev, one, chunk_size=0),
        error(F.jacrev(lambda x: T.complex(x, x)), x),
        error(F.jacfwd(one), T.complex(x, x)),
    ]


PROGRAMS = [gradients, trees, nested, recorded, products, jacobians, of_a_module, faults]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_gives_what_pytorch_gives(program):
    same(program, 1e-9)


def test_derivatives_of_a_polynomial():
    x = aten.tensor([2.0, 3.0])
    assert grad(lambda x: (x**3).sum())(x).tolist() == [12, 27]
    assert grad_and_value(lambda x: x[0] * x[1])(x)[1].item() == 6
    assert vjp(lambda x: x**2, x)[1](aten.ones(2))[0].tolist() == [4, 6]
    assert jvp(lambda x: x**2, (x,), (aten.ones(2),))[1].tolist() == [4, 6]
    assert linearize(lambda x: x**2, x)[1](aten.ones(2)).tolist() == [4, 6]
    for jacobian in (jacrev, jacfwd):
        assert jacobian(lambda x: x**2)(x).tolist() == [[4, 0], [0, 6]]
    assert hessian(lambda x: x[0] ** 2 * x[1])(x).tolist() == [[6, 4], [4, 0]]


def test_a_perturbation_stays_in_its_differentiation():
    """d/dx (x * d/dy (x + y)) is 1, not 2."""
    x = aten.ones(())
    for outer in (grad, jacrev, jacfwd):
        for inner in (grad, jacrev, jacfwd):
            assert outer(lambda x, inner=inner: x * inner(lambda y: x + y)(x))(x).item() == 1


def test_tangents_around_it_are_kept():
    forward_ad = aten.autograd.forward_ad
    with forward_ad.dual_level():
        x = forward_ad.make_dual(aten.full((2,), 2.0), aten.tensor([1.0, 10.0]))
        derivative = grad(lambda x: (x**3).sum())(x)
        assert not derivative.requires_grad
        assert forward_ad.unpack_dual(derivative).tangent.tolist() == [12, 120]


def test_a_product_is_recorded_for_other_variables():
    x, w = aten.ones(2), aten.full((2,), 3.0, requires_grad=True)
    value, product = jvp(lambda x: w * x**2, (x,), (x,))
    (value + product).sum().backward()
    assert w.grad.tolist() == [3, 3]


def test_what_would_be_wrong_is_refused():
    x, recorded = aten.ones(3), aten.ones(3, requires_grad=True) * 1

    class Constant(aten.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            return aten.full((3,), 2.0)

    for given in (x, recorded):
        with pytest.raises(RuntimeError, match=r"in.?place"):
            grad(lambda x: x.mul_(2).sum())(given)
    with pytest.raises(RuntimeError, match="modified an argument in place"):
        grad(lambda x: (x.detach().mul_(2) + x).sum())(x)
    with pytest.raises(RuntimeError, match="can't be differentiated"):
        jvp(Constant.apply, (x,), (x,))
    with aten.inference_mode(), pytest.raises(RuntimeError, match="inference mode"):
        grad(lambda x: x.sum())(x)
