"""Writes to tensors that a graph needs, writes to leaves, and out=."""

from __future__ import annotations

import pytest
from expect import leaf, raises, same

MODIFIED = ("modified by an inplace operation|modified in-place", "version")


def both_named(T, forward: str, write: str) -> tuple[str, ...]:
    """Returns the words of the error. This library names the operator that saved the tensor and the one that
    wrote to it; PyTorch names the last operator of the tensor.
    """
    return (*MODIFIED, *((forward, write) if T.__name__ == "aten" else ()))


def test_versions_count_writes(T):
    x = T.ones(3)
    assert x._version == 0
    x.add_(1)
    x[0] = 5
    x.zero_()
    assert x._version == 3
    T.add(x, 1, out=x)
    assert x._version == 4
    assert (x + 1)._version == 0


def test_views_share_the_version(T):
    x = T.ones(2, 3)
    row, flat = x[0], x.view(6)
    flat.mul_(2)
    assert (x._version, row._version, flat._version) == (1, 1, 1)
    row.t_() if row.dim() == 2 else row.add_(1)
    assert x._version == 2 and x.detach()._version == 2
    x.detach().add_(1)
    assert x._version == 3
    assert x.clone()._version == 0 and x.data._version == 0


def test_a_saved_tensor_that_was_written_to(T):
    x = leaf(T, [1.0, 2.0])
    y = x * 1
    z = y * y
    y.add_(1)
    with raises(*both_named(T, "Mul", "add_")):
        z.sum().backward()


def test_the_message_says_what_and_which_version(T):
    x = leaf(T, [1.0, 2.0])
    y = x.exp()
    y.add_(1)
    y.mul_(2)
    with raises(*both_named(T, "Exp", "mul_"), "version 2", "version 0", r"\[2\]"):
        y.sum().backward()


def test_a_saved_result_that_was_written_to(T):
    x = leaf(T, [1.0, 2.0])
    for name in ("exp", "sqrt", "tanh", "sigmoid", "relu"):
        y = getattr(x, name)()
        z = y * 2
        y.zero_()
        with raises(*both_named(T, name, "zero_")):
            z.sum().backward()


def test_a_saved_tensor_written_to_through_a_view(T):
    x = leaf(T, [1.0, 2.0])
    y = x * 1
    z = y * y
    y[0].zero_()
    with raises(*both_named(T, "Mul", "zero_")):
        z.sum().backward()


def test_a_saved_tensor_written_to_through_detach(T):
    x = leaf(T, [1.0, 2.0])
    y = x * 1
    z = y * y
    y.detach().zero_()
    with raises(*both_named(T, "Mul", "zero_")):
        z.sum().backward()


def test_a_saved_constant_that_was_written_to(T):
    x, c = leaf(T, [1.0, 2.0]), T.ones(2, dtype=T.float64)
    z = x * c
    c.add_(1)
    with raises(*both_named(T, "Mul", "add_")):
        z.sum().backward()


def test_a_saved_leaf_written_to_without_recording(T):
    x = leaf(T, [1.0, 2.0])
    z = x * x
    with T.no_grad():
        x.add_(1)
    with raises(*both_named(T, "Mul", "add_")):
        z.sum().backward()


def test_an_index_that_was_written_to(T):
    x, i = leaf(T, [1.0, 2.0]), T.tensor([0, 0])
    y = x.index_select(0, i)
    i.fill_(1)
    with raises(*both_named(T, "IndexSelect", "fill_")):
        y.sum().backward()


def test_a_write_after_the_last_use_of_what_was_saved(T):
    x = leaf(T, [1.0, 2.0])
    y = x * 1
    z = (y * y).sum()
    z.backward()
    y.add_(1)
    same(x.grad, [2, 4])


def test_a_write_to_what_is_not_saved(T):
    x = leaf(T, [1.0, 2.0])
    y = x + 1
    z = y + y
    y.mul_(5)
    (z + y).sum().backward()
    same(x.grad, [7, 7])


@pytest.mark.parametrize(
    ("write", "expected"),
    [
        (lambda y, T: y.mul_(3), [3, 3]),
        (lambda y, T: y.add_(y), [2, 2]),
        (lambda y, T: y.mul_(y.detach().clone()), [1, 2]),
        (lambda y, T: y.exp_(), [2.7182818, 7.3890561]),
        (lambda y, T: y.zero_(), [0, 0]),
        (lambda y, T: y.fill_(4.0), [0, 0]),
        (lambda y, T: y.copy_(T.tensor([7.0, 8.0])), [0, 0]),
        (lambda y, T: y.masked_fill_(T.tensor([True, False]), 3.0), [0, 1]),
        (lambda y, T: y.clamp_(max=1.5), [1, 0]),
        (lambda y, T: y.relu_(), [1, 1]),
        (lambda y, T: y.neg_().abs_(), [1, 1]),
        (lambda y, T: y.div_(2).sub_(1), [0.5, 0.5]),
        (lambda y, T: y.cumsum_(0), [2, 1]),
        (lambda y, T: y.pow_(3), [3, 12]),
    ],
)
def test_writes_have_gradients(T, write, expected):
    x = leaf(T, [1.0, 2.0])
    y = x * 1
    before = y.grad_fn
    assert write(y, T) is y
    assert y.grad_fn is not before
    y.sum().backward()
    same(x.grad, expected)


def test_a_write_gives_what_is_written_a_history(T):
    x, c = leaf(T, [1.0, 2.0]), T.ones(2, dtype=T.float64)
    c.mul_(x)
    assert c.requires_grad and not c.is_leaf
    (c * c).sum().backward()
    same(x.grad, [2, 4])


def test_copies_of_another_shape_and_dtype(T):
    x = leaf(T, [1.0, 2.0])
    c = T.zeros((3, 2), dtype=T.float32)
    c.copy_(x)
    (c * 2).sum().backward()
    same(x.grad, [6, 6])
    assert x.grad.dtype == T.float64


def test_writes_by_an_index(T):
    x, v = leaf(T, [1.0, 2.0, 3.0]), leaf(T, 5.0)
    y = x * 1
    y[1] = v
    y[T.tensor([0])] = v * v
    y[y > 20] = 0.0
    (y * T.tensor([1.0, 10.0, 100.0])).sum().backward()
    same(x.grad, [0, 0, 100])
    same(v.grad, 10)


def test_writes_by_an_index_that_add_up(T):
    x, v = leaf(T, [1.0, 2.0]), leaf(T, [3.0, 4.0])
    y = (x * 1).index_put_((T.tensor([0, 0]),), v, accumulate=True)
    (y * y).sum().backward()
    same(x.grad, [16, 4])
    same(v.grad, [16, 16])


def test_masked_writes(T):
    x, v = leaf(T, [1.0, 2.0]), leaf(T, 5.0)
    y = (x * 1).masked_fill_(T.tensor([True, False]), v)
    y.sum().backward()
    same(x.grad, [0, 1])
    same(v.grad, 1)


def test_a_leaf_is_not_written_to(T):
    x = leaf(T, [1.0, 2.0])
    for write in (
        lambda: x.add_(1),
        lambda: x.zero_(),
        lambda: x.copy_(T.ones(2)),
        lambda: x.__setitem__(0, 1.0),
        lambda: x.view(2).mul_(2),
        lambda: x[0].zero_(),
    ):
        with raises("leaf", "in-place"):
            write()
    same(x, [1, 2])
    with T.no_grad():
        x.add_(1)
        x[0].zero_()
    same(x, [0, 3])
    assert x.is_leaf and x.requires_grad


def test_a_leaf_that_requires_no_gradient_is_written_to(T):
    x = T.ones(2, dtype=T.float64)
    x.add_(1)
    x.requires_grad_()
    (x * x).sum().backward()
    same(x.grad, [4, 4])


def test_out_records_nothing(T):
    x, out = leaf(T, [1.0, 2.0]), T.empty(2, dtype=T.float64)
    with raises("out=", "automatic differentiation|requires grad"):
        T.add(x, 1, out=out)
    with raises("out=", "automatic differentiation|requires grad"):
        T.mul(out, out, out=leaf(T, [0.0, 0.0]))
    with T.no_grad():
        T.add(x, 1, out=out)
    same(out, [2, 3])


def test_no_operator_resizes_what_requires_gradients(T):
    x = leaf(T, [1.0, 2.0])
    with raises("resize|requires grad"):
        x.resize_(3)
    with raises("resize|requires grad"):
        (x * 1).resize_(3)


def test_random_writes(T):
    x = leaf(T, [1.0, 2.0])
    for write in ("normal_", "uniform_", "exponential_", "cauchy_", "log_normal_", "random_"):
        y = x * 1
        getattr(y, write)()
        (g,) = T.autograd.grad((y * y).sum(), x)
        same(g, [0, 0])


def test_a_hook_belongs_to_the_value_it_was_registered_for(T):
    x = leaf(T, 3.0)
    y = x * 2
    seen = []
    y.register_hook(lambda g: seen.append(("before", g.item())))
    y.mul_(5)
    y.register_hook(lambda g: seen.append(("after", g.item())))
    y.backward()
    assert seen == [("after", 1), ("before", 5)]


def test_retain_grad_follows_writes(T):
    x = leaf(T, 3.0)
    y = x * 2
    y.retain_grad()
    y.mul_(5)
    y.backward()
    same(y.grad, 1)


def test_dtype_of_what_is_written(T):
    x, y = leaf(T, [1.0, 2.0]), T.ones(2, dtype=T.float32)
    y.mul_(x)  # the result stays float32
    y.sum().backward()
    assert x.grad.dtype == T.float64
    with raises("result type|cast"):
        T.ones(2, dtype=T.int64).mul_(x)
