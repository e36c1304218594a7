"""Forward mode: dual tensors within a level."""

from __future__ import annotations

import threading

import pytest
from expect import leaf, raises, same


def dual(T, values, tangent):
    fw = T.autograd.forward_ad
    return fw.make_dual(T.tensor(values, dtype=T.float64), T.tensor(tangent, dtype=T.float64))


def tangent(T, t):
    return T.autograd.forward_ad.unpack_dual(t).tangent


def test_tangents_go_through_operators(T):
    with T.autograd.forward_ad.dual_level():
        x = dual(T, [1.0, 2.0], [10.0, 1.0])
        y = x * x + x.exp()
        primal, t = T.autograd.forward_ad.unpack_dual(y)
        same(primal, [1 + 2.7182818, 4 + 7.3890561])
        same(t, [10 * (2 + 2.7182818), 4 + 7.3890561])


def test_make_and_unpack(T):
    fw = T.autograd.forward_ad
    with fw.dual_level():
        x = T.ones(2, dtype=T.float64)
        d = fw.make_dual(x, T.full((2,), 3.0, dtype=T.float64))
        assert d is not x and tangent(T, x) is None
        same(tangent(T, d), [3, 3])
        assert d.data_ptr() == x.data_ptr()
        assert fw.unpack_dual(d).primal.data_ptr() == x.data_ptr()
        assert tangent(T, fw.unpack_dual(d).primal) is None


def test_what_has_no_tangent_counts_as_zero(T):
    with T.autograd.forward_ad.dual_level():
        x, c = dual(T, [2.0], [1.0]), T.tensor([5.0], dtype=T.float64)
        same(tangent(T, x * c), [5])
        same(tangent(T, c - x), [-1])
        assert tangent(T, c * c) is None
        same(tangent(T, T.cat((x, c))), [1, 0])


def test_wrong_tangents(T):
    fw = T.autograd.forward_ad
    x = T.ones(2, dtype=T.float64)
    with fw.dual_level():
        with raises("shape|size"):
            fw.make_dual(x, T.ones(3, dtype=T.float64))
        with pytest.raises((TypeError, ValueError)):
            fw.make_dual(T.ones(2, dtype=T.int64), T.ones(2, dtype=T.int64))


def test_levels(T):
    fw = T.autograd.forward_ad
    x = T.ones(2, dtype=T.float64)
    with pytest.raises(RuntimeError, match="level"):
        fw.make_dual(x, x)
    with fw.dual_level():
        d = fw.make_dual(x, x)
        with pytest.raises(RuntimeError, match=r"(?i)nest"), fw.dual_level():
            pass
    with fw.dual_level():
        assert tangent(T, d) is None, "a tangent ends with its level"


def test_a_level_is_left_by_an_exception(T):
    fw = T.autograd.forward_ad
    with pytest.raises(KeyError), fw.dual_level():
        raise KeyError
    with fw.dual_level():
        pass


def test_writes(T):
    with T.autograd.forward_ad.dual_level():
        x = dual(T, [1.0, 2.0], [1.0, 1.0])
        y = x * 3
        y.mul_(x)
        same(tangent(T, y), [6, 12])
        y[0] = 7.0
        same(tangent(T, y), [0, 12])
        z = T.zeros(2, dtype=T.float64)
        z.copy_(x)
        same(tangent(T, z), [1, 1])


def test_views(T):
    with T.autograd.forward_ad.dual_level():
        x = dual(T, [[1.0, 2.0], [3.0, 4.0]], [[1.0, 10.0], [100.0, 1000.0]])
        same(tangent(T, x[1]), [100, 1000])
        same(tangent(T, x.t()), [1, 100, 10, 1000])
        y = x * 1
        y[0].mul_(2)
        same(tangent(T, y), [2, 20, 100, 1000])
        y.mul_(2)
        same(tangent(T, y.view(4)[:2]), [4, 40])


def test_no_grad_does_not_switch_it_off(T):
    with T.autograd.forward_ad.dual_level(), T.no_grad():
        same(tangent(T, dual(T, [2.0], [1.0]) * 2), [2])


def test_forward_over_reverse(T):
    """The product of the Hessian and a vector is computed without a second backward."""
    fw = T.autograd.forward_ad
    x = leaf(T, [1.0, 2.0])
    v = T.tensor([1.0, 10.0], dtype=T.float64)
    with fw.dual_level():
        d = fw.make_dual(x, v)
        (g,) = T.autograd.grad(d.pow(3).sum(), d, create_graph=True)
        same(tangent(T, g), [6 * 1 * 1, 6 * 2 * 10])


def test_reverse_over_forward(T):
    fw = T.autograd.forward_ad
    x, v = leaf(T, [1.0, 2.0]), leaf(T, [3.0, 4.0])
    with fw.dual_level():
        t = tangent(T, fw.make_dual(x, v).pow(3))  # 3 x^2 v
        gx, gv = T.autograd.grad(t.sum(), (x, v))
    same(gx, [6 * 3, 12 * 4])
    same(gv, [3, 12])


def test_detach_takes_the_tangent_off(T):
    with T.autograd.forward_ad.dual_level():
        x = dual(T, [2.0], [1.0])
        assert tangent(T, x.detach()) is None
        same(tangent(T, x.clone()), [1])


def test_functions_with_a_jvp(T):
    class Cube(T.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.x = x
            return x * x * x

        @staticmethod
        def jvp(ctx, t):
            return 3 * ctx.x * ctx.x * t

    class Without(T.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

    with T.autograd.forward_ad.dual_level():
        x = dual(T, [2.0], [5.0])
        same(tangent(T, Cube.apply(x)), [60])
        with raises("jvp", error=(RuntimeError, NotImplementedError)):
            Without.apply(x)


def test_levels_of_threads(T):
    """A level is entered for the process in PyTorch, and at least seen by the thread that entered it here."""
    fw, found = T.autograd.forward_ad, []

    def work(k):
        x = T.full((2,), float(k), dtype=T.float64)
        found.append((x * x).tolist())

    with fw.dual_level():
        x = dual(T, [2.0], [1.0])
        threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        same(tangent(T, x * x), [4])
    assert sorted(found) == [[float(k * k)] * 2 for k in range(4)]


def test_a_tangent_without_formula_is_refused():
    """This library raises an error; PyTorch ignores the tangent, and its result is wrong."""
    import aten as T

    x = T.rand(3, 4, dtype=T.float64).log_softmax(1)
    target = T.tensor([0, 1, 2])
    with T.autograd.forward_ad.dual_level():
        weight = dual(T, [1.0, 2.0, 3.0, 4.0], [1.0, 0.0, 0.0, 0.0])
        with raises("nll_loss_forward", error=NotImplementedError):
            T.ops.aten.nll_loss_forward(x, target, weight, 1, -100)
