"""Functions with a custom backward in graphs: backward within backward, errors, lifetimes."""

from __future__ import annotations

import gc
import weakref

import pytest
from expect import leaf, raises, same


def test_wrong_results_of_backward(T):
    def function(result):
        class Wrong(T.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x * 2

            @staticmethod
            def backward(ctx, g):
                return result

        return Wrong

    x = leaf(T, [3.0, 4.0])
    one = T.ones(2, dtype=T.float64)
    for result, words in (
        ((one, one), ("gradients|number", "2", "1")),
        (T.ones(3, dtype=T.float64), ("Wrong", "shape|size", "3")),
        ("text", ("Wrong|tensor|Variable",)),
    ):
        with raises(*words, error=(RuntimeError, TypeError)):
            function(result).apply(x).sum().backward()
    function((one, None)).apply(x).sum().backward()  # there may be more results if they are None
    same(x.grad, [1, 1])


def test_without_a_backward(T):
    class Forward(T.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

    with pytest.raises(NotImplementedError, match="backward"):
        Forward.apply(leaf(T, 3.0)).backward()


def test_exceptions_come_through(T):
    class Bad(T.autograd.Function):
        @staticmethod
        def forward(ctx, x, where):
            if where == "forward":
                raise KeyError(where)
            return x * 2

        @staticmethod
        def backward(ctx, g):
            raise ZeroDivisionError("backward")

    x = leaf(T, 3.0)
    with pytest.raises(KeyError, match="forward"):
        Bad.apply(x, "forward")
    assert T.is_grad_enabled()
    with pytest.raises(ZeroDivisionError, match="backward"):
        Bad.apply(x, "backward").backward()
    assert T.is_grad_enabled() and (x * 2).requires_grad


def test_a_backward_within_a_backward(T):
    """Backward runs within backward, as in checkpointing: what was not recorded is computed again."""

    class Checkpoint(T.autograd.Function):
        @staticmethod
        def forward(ctx, function, x):
            ctx.function = function
            ctx.save_for_backward(x)
            return function(x)

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            x = x.detach().requires_grad_()
            with T.enable_grad():
                y = ctx.function(x)
            T.autograd.backward(y, g)
            return None, x.grad

    x = leaf(T, [0.3, 0.4])
    Checkpoint.apply(lambda t: (t.sin() * t).exp(), x).sum().backward()
    (expected,) = T.autograd.grad((x.sin() * x).exp().sum(), x)
    same(x.grad, expected.tolist())


@pytest.mark.parametrize("depth", [10, 150])
def test_backwards_within_backwards(T, depth):
    class Nested(T.autograd.Function):
        @staticmethod
        def forward(ctx, x, n):
            ctx.n = n
            return x * 2

        @staticmethod
        def backward(ctx, g):
            if ctx.n:
                y = T.ones((), dtype=T.float64, requires_grad=True)
                with T.enable_grad():
                    Nested.apply(y, ctx.n - 1).backward()
                same(y.grad, 2)
            return g * 2, None

    x = leaf(T, 3.0)
    Nested.apply(x, depth).backward()
    same(x.grad, 2)


def test_contexts_die_with_the_graph(T):
    class Marker:
        pass

    refs = []

    class Marked(T.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.marker = Marker()
            refs.append(weakref.ref(ctx.marker))
            y = x * 2
            ctx.save_for_backward(x, y)
            return y

        @staticmethod
        def backward(ctx, g):
            return g * 2

    x = leaf(T, 3.0)
    y = Marked.apply(x)
    assert refs[0]() is not None
    y.backward()
    del y
    gc.collect()
    assert refs[0]() is None
    Marked.apply(x)
    gc.collect()
    assert refs[1]() is None
