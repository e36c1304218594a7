"""Jacobians, Hessians and their products with vectors, of functions of tensors."""

from __future__ import annotations

from expect import leaf, raises, same


def values(T, *numbers):
    return T.tensor(numbers, dtype=T.float64)


def test_jacobian(T):
    J = T.autograd.functional.jacobian
    x, y = values(T, 1.0, 2.0), values(T, 3.0, 4.0)
    same(J(lambda a: a * a, x), [[2, 0], [0, 4]])
    same(J(lambda a: a.sum(), x), [1, 1])
    jx, jy = J(lambda a, b: a * b, (x, y))
    same(jx, [[3, 0], [0, 4]])
    same(jy, [[1, 0], [0, 2]])
    _, (c, d) = J(lambda a, b: (a * b, a.sum() * b), (x, y))
    same(c, [[3, 3], [4, 4]])
    same(d, [[3, 0], [0, 3]])
    assert tuple(J(lambda a: a.view(2, 1) * y, x).shape) == (2, 2, 2)


def test_hessian(T):
    H = T.autograd.functional.hessian
    x, y = values(T, 1.0, 2.0), values(T, 3.0, 4.0)
    same(H(lambda a: a.pow(3).sum(), x), [[6, 0], [0, 12]])
    (xx, xy), (_, yy) = H(lambda a, b: (a * a * b).sum(), (x, y))
    same(xx, [[6, 0], [0, 8]])
    same(xy, [[2, 0], [0, 4]])
    same(yy, [[0, 0], [0, 0]])
    with raises("single element|one element|scalar"):
        H(lambda a: a * a, x)


def test_products(T):
    F = T.autograd.functional
    x, v = values(T, 1.0, 2.0), values(T, 1.0, 10.0)
    out, product = F.vjp(lambda a: a * a, x, v)
    same(out, [1, 4])
    same(product, [2, 40])
    same(F.jvp(lambda a: a * a, x, v)[1], [2, 40])
    same(F.vhp(lambda a: a.pow(3).sum(), x, v)[1], [6, 120])
    same(F.hvp(lambda a: a.pow(3).sum(), x, v)[1], [6, 120])


def test_strict_refuses_independent_inputs(T):
    J = T.autograd.functional.jacobian
    x, y = values(T, 1.0, 2.0), values(T, 3.0, 4.0)
    same(J(lambda a, b: a * a, (x, y))[1], [[0, 0], [0, 0]])
    with raises("independent"):
        J(lambda a, b: a * a, (x, y), strict=True)


def test_create_graph(T):
    x = leaf(T, [1.0, 2.0])
    jacobian = T.autograd.functional.jacobian(lambda a: a.pow(3), x, create_graph=True)
    jacobian.sum().backward()
    same(x.grad, [6, 12])
    assert not T.autograd.functional.jacobian(lambda a: a * a, x).requires_grad
