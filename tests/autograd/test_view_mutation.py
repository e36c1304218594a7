"""Views and their bases when one of them is written to."""

from __future__ import annotations

import pytest
from expect import leaf, raises, same


def test_bases(T):
    x = leaf(T, [[1.0, 2.0], [3.0, 4.0]])
    y = x * 1
    v = y[0]
    assert v._base is y and v[1:]._base is y and y._base is None
    assert x.view(4)._base is x
    base = T.ones(2, 2)
    assert base[0]._base is base


def test_a_write_to_a_view_updates_the_base(T):
    x = leaf(T, [1.0, 2.0, 3.0])
    y = x * 1
    v = y[:2]
    v.mul_(10)
    assert "CopySlices" in y.grad_fn.name() or "Slice" in y.grad_fn.name()
    y.sum().backward()
    same(x.grad, [10, 10, 1])


def test_both_after_a_write_to_the_view(T):
    x = leaf(T, [1.0, 2.0, 3.0])
    y = x * 1
    v = y[:2]
    v.mul_(10)
    (v.sum() + (y * y).sum()).backward()
    same(x.grad, [10 + 2 * 10 * 10, 10 + 2 * 20 * 10, 6])


def test_a_write_to_the_base_updates_the_view(T):
    x = leaf(T, [1.0, 2.0, 3.0])
    y = x * 1
    v = y[:2]
    y.mul_(10)
    assert v.grad_fn is not None
    v.sum().backward()
    same(x.grad, [10, 10, 0])


def test_views_made_before_and_after(T):
    x = leaf(T, [1.0, 2.0, 3.0])
    y = x * 1
    before = y[1:]
    y[:2].mul_(10)
    after = y[1:]
    (before * after).sum().backward()  # 400 and 9
    same(x.grad, [0, 2 * 20 * 10, 6])


def test_views_of_views(T):
    x = leaf(T, [[1.0, 2.0], [3.0, 4.0]])
    y = x * 1
    row = y.t()[1]
    element = row[0]
    element.mul_(10)  # y[0][1]
    same(row, [20, 4])
    (y + row).sum().backward()
    same(x.grad, [1, 30, 1, 3])


def test_several_writes_to_several_views(T):
    x = leaf(T, [[1.0, 2.0], [3.0, 4.0]])
    y = x * 1
    y[0].mul_(2)
    y[:, 0].mul_(3)
    y.view(4)[3:].mul_(5)
    y.t().mul_(7)
    y.sum().backward()
    same(x.grad, [42, 14, 21, 35])


def test_a_view_that_is_overwritten(T):
    x, v = leaf(T, [1.0, 2.0, 3.0]), leaf(T, [5.0, 6.0])
    y = x * 1
    y[1:] = v * v
    (y * y).sum().backward()
    same(x.grad, [2, 0, 0])
    same(v.grad, [4 * 5.0**3, 4 * 6.0**3])


def test_what_requires_no_gradient_gets_one_through_a_view(T):
    x, base = leaf(T, [1.0, 2.0]), T.zeros(2, 2, dtype=T.float64)
    base[0].copy_(x)
    base[1].add_(x * x)
    assert base.requires_grad
    base.sum().backward()
    same(x.grad, [3, 5])


@pytest.mark.parametrize(
    "view",
    [
        lambda y: y.view(4),
        lambda y: y.reshape(4),
        lambda y: y.t(),
        lambda y: y.transpose(0, 1),
        lambda y: y.permute(1, 0),
        lambda y: y.unsqueeze(0),
        lambda y: y.unsqueeze(0).squeeze(0),
        lambda y: y[:, :],
        lambda y: y.narrow(0, 0, 2),
        lambda y: y.expand(2, 2),
        lambda y: y.as_strided((2, 2), (1, 2)),
        lambda y: y.flatten(),
        lambda y: y.view_as(y),
        lambda y: y[...],
    ],
)
def test_every_view_hands_writes_on(T, view):
    x = leaf(T, [[1.0, 2.0], [3.0, 4.0]])
    y = x * 1
    v = view(y)
    v.mul_(3).relu_()
    (y * T.tensor([[1.0, 2.0], [3.0, 4.0]])).sum().backward()
    same(x.grad, [3, 6, 9, 12])


def test_views_of_a_leaf_are_not_written_to(T):
    x = leaf(T, [1.0, 2.0])
    for view in (x[0], x.view(2, 1), x.expand(2), x.unbind()[0], x[1:][0]):
        with raises("leaf|multiple views|unbind", "in-?place"):
            view.zero_()


def test_views_made_in_no_grad(T):
    x = leaf(T, [1.0, 2.0])
    y = x * 1
    with T.no_grad():
        v = y[:1]
    with raises("no_grad", "in-?place"):
        v.mul_(2)
    with T.no_grad():
        v.mul_(2)
    y = x * 1
    with T.no_grad():
        v = y[:1]
    y.mul_(2)
    same(v, [2])


def test_views_made_in_inference_mode(T):
    y = leaf(T, [1.0, 2.0]) * 1
    with T.inference_mode():
        v = y[:1]
    with raises("inference_mode|inference mode", "in-?place"):
        v.mul_(2)


@pytest.mark.parametrize(
    ("several", "name"),
    [
        (lambda y: y.unbind(), "unbind"),
        (lambda y: y.split(1), "split"),
        (lambda y: y.chunk(2), "split|chunk"),
        (lambda y: y.split_with_sizes([1, 1]), "split"),
    ],
)
def test_one_of_several_views_is_not_written_to(T, several, name):
    y = leaf(T, [1.0, 2.0]) * 1
    first, _ = several(y)
    with raises(name, "multiple views|several views", "in-?place"):
        first.mul_(2)


def test_a_base_of_several_views_is_written_to(T):
    x = leaf(T, [1.0, 2.0])
    y = x * 1
    first, _ = y.unbind()
    y.mul_(2)
    same(first, 2)
    with raises("unbind", "multiple views|several views"):
        first.sum().backward()


def test_several_views_of_what_requires_no_gradient(T):
    base = T.ones(2, dtype=T.float64)
    first, second = base.unbind()
    first.mul_(5)
    same(base, [5, 1])
    x = leaf(T, 3.0)
    with raises("multiple views|several views"):
        second.mul_(x)


def test_a_view_whose_base_is_gone(T):
    x = leaf(T, [1.0, 2.0])
    v = (x * 3)[:1]
    v.mul_(2)
    v.sum().backward()
    same(x.grad, [6, 0])


def test_writes_that_change_the_shape(T):
    x = leaf(T, [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    y = x * 1
    assert y.t_() is y and tuple(y.shape) == (3, 2)
    y[0].mul_(10)
    (y * y).sum().backward()
    same(x.grad, [200, 4, 6, 800, 10, 12])
    z = (x * 1).unsqueeze_(0).squeeze_(0).transpose_(0, 1)
    (g,) = T.autograd.grad(z[0].sum(), x)
    same(g, [1, 0, 0, 1, 0, 0])


def test_a_view_that_changes_its_shape(T):
    x = leaf(T, [[1.0, 2.0], [3.0, 4.0]])
    y = x * 1
    v = y[:1]
    v.t_()
    v.mul_(10)
    y.sum().backward()
    same(x.grad, [10, 10, 1, 1])


def test_a_saved_view(T):
    x = leaf(T, [1.0, 2.0])
    y = x * 1
    v = y[:1]
    z = v * v
    y[1:].mul_(2)  # another part, the same version
    with raises("modified", "version"):
        z.sum().backward()


def test_second_derivatives_through_writes(T):
    x = leaf(T, [1.0, 2.0, 3.0])
    y = x * 1
    y[:2].mul_(x[:2] * x[:2])  # x^3, x^3, x
    (g,) = T.autograd.grad((y * y).sum(), x, create_graph=True)  # 6 x^5, 6 x^5, 2 x
    same(g, [6, 192, 6])
    (h,) = T.autograd.grad(g.sum(), x)
    same(h, [30, 480, 2])


def test_broadcast_views(T):
    x = leaf(T, [1.0, 2.0])
    y = (x * 1).unsqueeze(0).expand(3, 2)
    (y * T.tensor([[1.0], [2.0], [3.0]])).sum().backward()
    same(x.grad, [6, 6])
    with raises("single memory location|internal overlap|more than one element"):
        y.mul_(2)


def test_what_set_data_leaves(T):
    x = leaf(T, [1.0, 2.0])
    y = x * x
    x.data = T.tensor([10.0, 20.0], dtype=T.float64)
    assert x.requires_grad and x.is_leaf
    same(x, [10, 20])
    y.sum().backward()  # what was saved is the old memory
    assert x.grad is not None
