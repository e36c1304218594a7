"""Hooks of tensors and of nodes."""

from __future__ import annotations

import gc
import weakref

import pytest
from expect import leaf, raises, same


def test_a_hook_sees_the_gradient(T):
    x = leaf(T, 3.0)
    y = x * x
    seen = []
    y.register_hook(seen.append)
    x.register_hook(seen.append)
    (y * 5).backward()
    same(seen[0], 5)
    same(seen[1], 30)


def test_a_hook_replaces_the_gradient(T):
    x = leaf(T, 3.0)
    y = x * x
    y.register_hook(lambda g: g * 10)
    x.register_hook(lambda g: g + 1)
    y.backward()
    same(x.grad, 61)


def test_hooks_run_in_the_order_of_their_registration(T):
    x = leaf(T, 3.0)
    x.register_hook(lambda g: g * 10)
    x.register_hook(lambda g: g + 1)
    x.register_hook(lambda g: None)
    (x * 2).backward()
    same(x.grad, 21)


def test_hooks_of_a_root_that_leads_to_no_input(T):
    """Hooks of such a root are called where it is the only root."""
    x, other = leaf(T, 3.0), leaf(T, 1.0)
    first, second = x * 2, x * 3
    calls = []
    first.register_hook(lambda g: calls.append("first"))
    second.register_hook(lambda g: calls.append("second"))
    T.autograd.grad([first, second], [other], allow_unused=True, retain_graph=True)
    assert calls == []
    T.autograd.grad(first, [other], allow_unused=True)
    assert calls == ["first"]


def test_removed_hooks(T):
    x = leaf(T, 3.0)
    first = x.register_hook(lambda g: g * 10)
    second = x.register_hook(lambda g: g + 1)
    first.remove()
    first.remove()  # removing it again does nothing
    (x * 2).backward(retain_graph=True)
    same(x.grad, 3)
    second.remove()
    x.grad = None
    (x * 2).backward()
    same(x.grad, 2)


def test_a_hook_that_removes_itself(T):
    x = leaf(T, 3.0)
    calls = []

    def once(g):
        calls.append(1)
        handle.remove()

    handle = x.register_hook(once)
    for _ in range(2):
        (x * 2).backward()
    assert calls == [1]


def test_a_hook_runs_once_on_the_sum(T):
    x = leaf(T, 3.0)
    y = x * 1
    calls = []
    y.register_hook(lambda g: calls.append(g.item()))
    (y * 2 + y * 3 + y).backward()
    assert calls == [6]


def test_hooks_see_captured_gradients(T):
    x = leaf(T, 3.0)
    x.register_hook(lambda g: g * 2)
    y = x * x
    y.register_hook(lambda g: g * 7)
    z = y * y
    same(T.autograd.grad(z, y, retain_graph=True)[0], 18 * 7)
    same(T.autograd.grad(z, x)[0], 18 * 7 * 6 * 2)


def test_hooks_take_part_in_double_backward(T):
    x = leaf(T, 3.0)
    y = x * 2
    y.register_hook(lambda g: g * x)
    (g,) = T.autograd.grad(y * y, x, create_graph=True)  # g = 2y * x * 2
    same(g, 72)
    same(T.autograd.grad(g, x)[0], 4 * 6 + 4 * 3 * 3 * 2)  # through the hook's x, and through y and its hook


def test_a_hook_on_what_requires_no_gradient(T):
    with raises("cannot register a hook", "require"):
        T.ones(2).register_hook(print)


@pytest.mark.parametrize("result", ["shape", "type"])
def test_what_a_hook_may_return(T, result):
    x = leaf(T, [3.0, 4.0])
    x.register_hook(lambda g: T.ones(3, dtype=T.float64) if result == "shape" else "text")
    with pytest.raises((RuntimeError, TypeError)):
        (x * 2).sum().backward()


def test_an_exception_of_a_hook_comes_through(T):
    x = leaf(T, 3.0)
    y = x * x
    fail = [True]

    def hook(g):
        if fail:
            raise KeyError("mine")

    y.register_hook(hook)
    z = y * 2
    with pytest.raises(KeyError, match="mine"):
        z.backward(retain_graph=True)
    assert x.grad is None
    fail.clear()
    z.backward()
    same(x.grad, 12)


def test_retain_grad(T):
    x = leaf(T, 3.0)
    y = x * x
    assert not y.retains_grad and not x.retains_grad
    y.retain_grad()
    y.retain_grad()
    assert y.retains_grad
    (y * 5).backward()
    same(y.grad, 5)
    x.retain_grad()  # a leaf keeps its gradient anyway
    assert not x.retains_grad
    with raises("retain_grad"):
        T.ones(2).retain_grad()


def test_retained_gradients_are_those_that_hooks_leave(T):
    x = leaf(T, 3.0)
    y = x * x
    y.retain_grad()
    y.register_hook(lambda g: g * 10)
    y.backward()
    same(y.grad, 10)
    same(x.grad, 60)


def test_the_gradient_of_an_intermediate_is_not_kept(T):
    x = leaf(T, 3.0)
    y = x * x
    y.backward()
    with pytest.warns(UserWarning, match="leaf"):
        assert y.grad is None


def test_post_accumulate_hooks(T):
    x = leaf(T, [3.0, 4.0])
    seen = []

    def step(p):
        assert p is x
        seen.append(p.grad.tolist())
        p.grad = None

    handle = x.register_post_accumulate_grad_hook(step)
    (x * x).sum().backward()
    assert seen == [[6, 8]] and x.grad is None
    T.autograd.grad((x * x).sum(), x)  # nothing is accumulated
    assert len(seen) == 1
    handle.remove()
    x.sum().backward()
    assert len(seen) == 1
    with raises("leaf"):
        (x * x).register_post_accumulate_grad_hook(step)
    with raises("leaf|require"):
        T.ones(2).register_post_accumulate_grad_hook(step)


def test_hooks_before_post_accumulate_hooks(T):
    x = leaf(T, 3.0)
    order = []
    x.register_post_accumulate_grad_hook(lambda p: order.append(("post", p.grad.item())))
    x.register_hook(lambda g: order.append(("hook", g.item())))
    (x * 2).backward()
    assert order == [("hook", 2), ("post", 2)]


def test_hooks_of_nodes(T):
    x, w = leaf(T, 3.0), leaf(T, 5.0)
    y = x * w
    seen = {}

    def before(grads):
        seen["before"] = [g.item() for g in grads]
        return tuple(g * 2 for g in grads)

    def after(inputs, outputs):
        seen["after"] = [g.item() for g in inputs], [g.item() for g in outputs]
        return inputs[0] + 1, None

    y.grad_fn.register_prehook(before)
    handle = y.grad_fn.register_hook(after)
    y.backward(retain_graph=True)
    assert seen == {"before": [1], "after": ([10, 6], [2])}
    same(x.grad, 11)
    assert w.grad is None
    handle.remove()
    y.backward()
    same(w.grad, 6)


def test_hooks_of_nodes_see_undefined_gradients_as_none(T):
    x, c = leaf(T, 3.0), T.tensor(2.0, dtype=T.float64)
    y = x * c
    seen = []
    y.grad_fn.register_hook(lambda inputs, outputs: seen.append(inputs))
    y.backward()
    assert seen[0][1] is None
    same(seen[0][0], 2)


def test_a_wrong_number_of_gradients_from_a_node_hook(T):
    x = leaf(T, 3.0)
    y = x * x
    y.grad_fn.register_hook(lambda inputs, outputs: (inputs[0],))
    with raises("1", "2"):
        y.backward()


def test_nodes(T):
    x, w = leaf(T, 3.0), leaf(T, 5.0)
    y = x.exp() * w
    node = y.grad_fn
    assert "Mul" in node.name() and node is y.grad_fn
    (first, number), (second, _) = node.next_functions
    assert "Exp" in first.name() and number == 0
    assert "AccumulateGrad" in second.name() and second.variable is w
    assert isinstance(node, T.autograd.graph.Node)
    assert T.ones(1).grad_fn is None and x.grad_fn is None
    a, b = leaf(T, [1.0, 2.0]).unbind()
    assert (a.output_nr, b.output_nr) == (0, 1) and a.grad_fn is b.grad_fn
    assert [n for _, n in (a * b).grad_fn.next_functions] == [0, 1]
    assert (x * 2).grad_fn.next_functions[0][0] is (x * 3).grad_fn.next_functions[0][0]


def test_metadata_of_nodes(T):
    node = (leaf(T, 3.0) * 2).grad_fn
    node.metadata["mine"] = 1
    assert node.metadata["mine"] == 1


def test_a_hook_dies_with_its_tensor(T):
    class Marker:
        pass

    marker = Marker()
    ref = weakref.ref(marker)
    x = leaf(T, 3.0)
    y = x * x
    y.register_hook(lambda g, m=marker: None)
    x.register_hook(lambda g, m=marker: None)
    y.grad_fn.register_hook(lambda i, o, m=marker: None)
    x.register_post_accumulate_grad_hook(lambda p, m=marker: None)
    y.backward()
    del marker, y
    assert ref() is not None
    del x
    gc.collect()
    assert ref() is None


def test_a_tensor_that_its_own_hook_holds(T):
    class Marker:
        pass

    def make():
        x = leaf(T, 3.0)
        x.marker = Marker()
        x.register_hook(lambda g: g * x.detach())
        (x * 2).backward()
        return weakref.ref(x.marker)

    ref = make()
    gc.collect()
    assert ref() is None
