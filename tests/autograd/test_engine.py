"""What backward() and grad() compute."""

from __future__ import annotations

import pytest
from expect import leaf, raises, same


def test_gradients_accumulate_in_place(T):
    x = leaf(T, [1.0, 2.0])
    (x * x).sum().backward()
    first = x.grad
    same(first, [2, 4])
    (3 * x).sum().backward()
    assert x.grad is first
    same(first, [5, 7])


def test_a_gradient_is_one_object_and_no_alias_of_what_was_given(T):
    x = leaf(T, [1.0, 2.0])
    given = T.tensor([1.0, 10.0], dtype=T.float64)
    x.backward(given)
    assert x.grad is x.grad
    given.zero_()
    same(x.grad, [1, 10])


def test_gradients_of_two_leaves_are_no_alias_of_each_other(T):
    a, b = leaf(T, [1.0]), leaf(T, [1.0])
    (a + b).sum().backward()
    a.grad.zero_()
    same(b.grad, [1])


def test_grad_can_be_set(T):
    x = leaf(T, [1.0, 2.0])
    assert x.grad is None
    x.grad = T.ones(2, dtype=T.float64)
    x.sum().backward()
    same(x.grad, [2, 2])
    x.grad = None
    x.sum().backward()
    same(x.grad, [1, 1])
    with raises("size|shape"):
        x.grad = T.ones(3, dtype=T.float64)
    with raises("type"):
        x.grad = T.ones(2, dtype=T.float32)
    with raises("Tensor", error=TypeError):
        x.grad = 1.0
    with raises("own|itself"):
        x.grad = x


def test_paths_that_meet_are_summed(T):
    x = leaf(T, 3.0)
    y = x * x
    z = y + y * y + x
    z.backward()
    same(x.grad, 2 * 3 + 2 * 9 * 2 * 3 + 1)


def test_an_operand_given_several_times(T):
    x = leaf(T, [1.0, 2.0])
    T.cat((x, x, x * x)).sum().backward()
    same(x.grad, [2 + 2, 2 + 4])


def test_several_roots(T):
    x, w = leaf(T, [1.0, 2.0]), leaf(T, 3.0)
    y, z = x * w, (x * x).sum() * w
    T.autograd.backward((y, z), (T.ones(2, dtype=T.float64), None))
    same(x.grad, [3 + 6, 3 + 12])
    same(w.grad, 3 + 5)


def test_one_root_given_twice(T):
    x = leaf(T, 2.0)
    y = x * x
    T.autograd.backward((y, y))
    same(x.grad, 8)


def test_a_leaf_as_root(T):
    x = leaf(T, 2.0)
    x.backward()
    same(x.grad, 1)
    same(T.autograd.grad(x, x)[0], 1)


def test_a_root_that_is_an_input_of_another_root(T):
    x = leaf(T, 2.0)
    y = x * x
    z = y * y
    T.autograd.backward((z, y))
    same(x.grad, 4 * 8 + 4)


def test_retain_graph(T):
    x = leaf(T, 3.0)
    y = x.exp() * x
    for _ in range(3):
        y.backward(retain_graph=True)
    same(x.grad / y.detach(), 3 * (1 + 1 / 3))
    y.backward()
    with raises("second time", "retain_graph"):
        y.backward()


def test_nodes_that_saved_nothing_run_again(T):
    x = leaf(T, 3.0)
    y = x + x
    y.backward()
    y.backward()
    same(x.grad, 4)


def test_third_derivatives(T):
    x = leaf(T, 0.7)
    y = x.pow(4) + x.sin()
    for expected in (4 * 0.7**3 + 0.764842, 12 * 0.7**2 - 0.644218, 24 * 0.7 - 0.764842):
        (y,) = T.autograd.grad(y, x, create_graph=True)
        same(y, expected, 1e-5)
    assert y.requires_grad and x.grad is None


@pytest.mark.filterwarnings("ignore:Using backward")
def test_backward_with_create_graph_accumulates_differentiable_gradients(T):
    x = leaf(T, 2.0)
    (x * x * x).backward(create_graph=True)
    first = x.grad
    assert first.requires_grad
    (penalty,) = T.autograd.grad(first * first, x)
    same(penalty, 2 * 12 * 12)
    x.grad = None


def test_gradient_of_a_gradient_wrt_the_given_gradient(T):
    x, v = leaf(T, [1.0, 2.0]), leaf(T, [3.0, 5.0])
    (g,) = T.autograd.grad(x * x, x, v, create_graph=True)
    (gv,) = T.autograd.grad(g.sum(), v)
    same(gv, [2, 4])


def test_grad_touches_no_leaf(T):
    x, w = leaf(T, 2.0), leaf(T, 3.0)
    (gx,) = T.autograd.grad(x * w, x)
    same(gx, 3)
    assert x.grad is None and w.grad is None


def test_grad_wrt_intermediates(T):
    x = leaf(T, 2.0)
    y = x * x
    z = y * y * x
    gy, gx = T.autograd.grad(z, (y, x))
    same(gy, 2 * 4 * 2)
    same(gx, 5 * 16)


def test_grad_wrt_one_output_of_several(T):
    x = leaf(T, [1.0, 2.0, 3.0])
    a, b, c = x.unbind()
    same(T.autograd.grad(a * b, (b,))[0], 1)
    ga, gc = T.autograd.grad(a * c * c, (a, c))
    same(ga, 9)
    same(gc, 6)


def test_inputs_of_backward(T):
    x, w = leaf(T, 2.0), leaf(T, 3.0)
    y = x * w
    z = y * y
    z.backward(inputs=[x], retain_graph=True)
    same(x.grad, 2 * 6 * 3)
    assert w.grad is None
    z.backward(inputs=y)
    same(y.grad, 12)
    assert w.grad is None
    with raises("inputs", "empty"):
        (x * w).backward(inputs=[])


def test_outputs_that_are_not_used(T):
    """Gradients of unused outputs are undefined, which counts as zero."""
    x = leaf(T, [[3.0, 1.0], [2.0, 5.0]])
    row, _ = x.unbind(0)
    row.sum().backward()
    same(x.grad, [1, 1, 0, 0])
    values, indices = x.topk(1)
    assert values.requires_grad and not indices.requires_grad
    values.sum().backward()
    same(x.grad, [2, 1, 0, 1])


def test_integers_pass_no_gradient(T):
    x = leaf(T, [1.5, 2.5])
    assert not x.to(T.int64).requires_grad
    assert not (x > 2).requires_grad and not x.argmax().requires_grad
    y = x * T.tensor([2, 3])
    y.sum().backward()
    same(x.grad, [2, 3])


def test_the_backward_of_backward_records_only_if_asked(T):
    x = leaf(T, 2.0)
    seen = []
    for create in (False, True):
        y = x * x
        y.register_hook(lambda g: seen.append(T.is_grad_enabled()))
        T.autograd.grad(y * y, x, create_graph=create)
    assert seen == [False, True] and T.is_grad_enabled()


def test_no_grad_around_backward(T):
    x = leaf(T, 2.0)
    y = x * x
    with T.no_grad():
        y.backward()
    same(x.grad, 4)


def test_empty_tensors(T):
    x = T.zeros((0, 3), dtype=T.float64, requires_grad=True)
    (x * x).sum().backward()
    assert tuple(x.grad.shape) == (0, 3)


def test_later_nodes_run_first(T):
    x = leaf(T, 1.0)
    order = []
    parts = [x * (i + 1.0) for i in range(5)]
    for i, part in enumerate(parts):
        part.grad_fn.register_hook(lambda _, __, i=i: order.append(i))
    (parts[3] + parts[0] + parts[4] + parts[1] + parts[2]).backward()
    assert order == [4, 3, 2, 1, 0]
