"""The first gradient of a leaf: in the layout of the leaf, and without a copy where nothing else holds it."""

from __future__ import annotations

import pytest
from expect import leaf, same


def arrived(T, weight, run, keep=lambda g: None):
    """The address of the weight's gradient as a hook sees it, and what `keep` returned for it."""
    seen = []
    handle = weight.register_hook(lambda g: seen.extend([g.data_ptr(), keep(g)]))
    run()
    handle.remove()
    return seen


def test_the_weight_of_a_linear_layer_gets_the_product_itself(T):
    layer, x = T.nn.Linear(5, 3), T.randn(4, 5)
    address, _ = arrived(T, layer.weight, lambda: layer(x).sum().backward())
    grad = layer.weight.grad
    assert grad.data_ptr() == address and grad.stride() == (5, 1)
    assert not grad._is_view() and grad.is_leaf and not grad.requires_grad
    same(grad, x.sum(0).expand(3, 5).tolist())
    layer(x).sum().backward()  # added in place
    assert grad is layer.weight.grad and grad.data_ptr() == address
    same(grad, (x.sum(0).expand(3, 5) * 2).tolist())


@pytest.mark.parametrize(
    "keep",
    [lambda g: g, lambda g: g._base, lambda g: g.t(), lambda g: g.detach(), lambda g: g._base.detach()],
    ids=["itself", "its base", "a view", "an alias", "an alias of its base"],
)
def test_memory_that_somebody_holds_is_copied(keep):
    """PyTorch looks at the gradient's own references only."""
    aten = pytest.importorskip("aten")
    layer, x = aten.nn.Linear(5, 3), aten.randn(4, 5)
    address, kept = arrived(aten, layer.weight, lambda: layer(x).sum().backward(), keep)
    grad = layer.weight.grad
    assert grad.data_ptr() != address and grad.stride() == (5, 1)
    before = grad.tolist()
    kept.zero_()
    assert grad.tolist() == before


def test_a_gradient_in_another_layout_is_copied(T):
    w = leaf(T, [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    address, _ = arrived(T, w, lambda: (w.t() * 1).backward(T.ones(3, 2, dtype=T.float64)))
    assert w.grad.stride() == (3, 1) and w.grad.data_ptr() != address


@pytest.mark.parametrize("shape", [(1, 4), (4, 1)])
def test_strides_of_dimensions_of_size_1_may_differ(shape):
    torch, aten = pytest.importorskip("torch"), pytest.importorskip("aten")
    found = []
    for T in (aten, torch):
        w = T.ones(shape[::-1]).t().contiguous().requires_grad_()
        run = lambda w=w, T=T: (w.t() * 2).sum().backward()  # noqa: E731
        address, _ = arrived(T, w, run)
        found.append((w.grad.stride(), w.grad.data_ptr() == address, w.grad.tolist()))
    assert found[0] == found[1]


def test_an_expanded_gradient_is_copied(T):
    w = leaf(T, [[1.0], [2.0]])
    w.sum().backward()
    assert w.grad.stride() == (1, 1)
    w.grad[0, 0] = 5.0
    same(w.grad, [[5.0], [1.0]])


def test_a_part_of_a_larger_gradient_is_copied():
    """It would keep the memory of the whole."""
    aten = pytest.importorskip("aten")
    a, b = aten.ones(2, requires_grad=True), aten.ones(1000, requires_grad=True)
    (aten.cat([b, a]) * 2).sum().backward()
    assert a.grad.untyped_storage().nbytes() == 8 and b.grad.untyped_storage().nbytes() == 4000
    same(a.grad, [2.0, 2.0])


def test_gradients_with_a_graph_are_copied(T):
    w = leaf(T, [[1.0, 2.0], [3.0, 4.0]])
    (w.t() ** 3).sum().backward(create_graph=True)
    grad, w.grad = w.grad, None
    assert grad.requires_grad
    grad.sum().backward()
    same(w.grad, [[6.0, 12.0], [18.0, 24.0]])
