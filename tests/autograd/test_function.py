"""Functions with a custom backward, in Python."""

from __future__ import annotations

import warnings

import pytest
from expect import leaf, raises, same


def square_of(T):
    class Square(T.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return g * 2 * x

    return Square


def test_forward_and_backward(T):
    Square = square_of(T)
    x = leaf(T, 3.0)
    y = Square.apply(x)
    assert y.requires_grad and "SquareBackward" in y.grad_fn.name()
    (y * 5).backward()
    same(x.grad, 30)
    assert not Square.apply(T.ones(1)).requires_grad
    with T.no_grad():
        assert not Square.apply(x).requires_grad


def test_derivatives_of_derivatives(T):
    x = leaf(T, 3.0)
    (g,) = T.autograd.grad(square_of(T).apply(x) * x, x, create_graph=True)
    same(T.autograd.grad(g, x)[0], 18)


def test_a_function_cannot_be_made_or_called(T):
    Square = square_of(T)
    with warnings.catch_warnings(), pytest.raises((RuntimeError, TypeError)):
        warnings.simplefilter("ignore")
        Square()(leaf(T, 3.0))


def test_several_outputs_and_other_arguments(T):
    class Split(T.autograd.Function):
        @staticmethod
        def forward(ctx, x, factor, name, items=None):
            assert name == "name" and items == [1]
            ctx.factor = factor
            return x * factor, "text", x + factor

        @staticmethod
        def backward(ctx, a, _, b):
            return a * ctx.factor + b, None, None, None

    x = leaf(T, 3.0)
    y, text, z = Split.apply(x, 4.0, "name", [1])
    assert text == "text"
    (y * 2 + z).backward()
    same(x.grad, 9)


def test_undefined_gradients_are_materialised_unless_told(T):
    seen = []

    def function(materialize):
        class Two(T.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.set_materialize_grads(materialize)
                return x * 2, x * 3

            @staticmethod
            def backward(ctx, a, b):
                seen.append(b)
                return a * 2

        return Two

    x = leaf(T, [3.0, 4.0])
    for materialize in (True, False):
        function(materialize).apply(x)[0].sum().backward()
    same(seen[0], [0, 0])
    assert seen[1] is None
    same(x.grad, [4, 4])


def test_needs_input_grad(T):
    seen = []

    class Product(T.autograd.Function):
        @staticmethod
        def forward(ctx, a, b, n):
            ctx.save_for_backward(a, b)
            return a * b

        @staticmethod
        def backward(ctx, g):
            seen.append(tuple(ctx.needs_input_grad))
            return g * ctx.saved_tensors[1], None, None

    a, b = leaf(T, 3.0), T.tensor(4.0, dtype=T.float64)
    Product.apply(a, b, 1).backward()
    assert seen == [(True, False, False)]
    same(a.grad, 4)


def test_non_differentiable_outputs(T):
    class Sorted(T.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y, other = x * 2, x * 1
            ctx.mark_non_differentiable(other)
            return y, other

        @staticmethod
        def backward(ctx, g, _):
            return g * 2

    y, other = Sorted.apply(leaf(T, 3.0))
    assert y.requires_grad and not other.requires_grad


def test_inputs_written_to(T):
    class Doubled(T.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            x.mul_(2)
            ctx.mark_dirty(x)
            return x

        @staticmethod
        def backward(ctx, g):
            return g * 2

    x = leaf(T, 3.0)
    y = x * 1
    version = y._version
    z = Doubled.apply(y)
    assert z is y and y._version > version and "Doubled" in y.grad_fn.name()
    (z * z).backward()
    same(x.grad, 24)
    with raises("leaf", "in-place"):
        Doubled.apply(leaf(T, 3.0))


def test_an_input_that_is_returned(T):
    class Same(T.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x

        @staticmethod
        def backward(ctx, g):
            return g * 7

    x = leaf(T, 3.0)
    y = Same.apply(x)
    assert y is not x and y.grad_fn is not None and y.data_ptr() == x.data_ptr()
    y.backward()
    same(x.grad, 7)


def test_once_differentiable(T):
    class Cube(T.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x * x

        @staticmethod
        @T.autograd.function.once_differentiable
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            assert not T.is_grad_enabled()
            return g * 3 * x * x

    x = leaf(T, 3.0)
    Cube.apply(x).backward()
    same(x.grad, 27)
    (g,) = T.autograd.grad(Cube.apply(x) * x, x, create_graph=True)
    with raises("once_differentiable"):
        g.backward()


def test_setup_context(T):
    class Scale(T.autograd.Function):
        @staticmethod
        def forward(x, factor):
            return x * factor

        @staticmethod
        def setup_context(ctx, inputs, output):
            x, ctx.factor = inputs
            ctx.save_for_backward(x, output)

        @staticmethod
        def backward(ctx, g):
            x, output = ctx.saved_tensors
            same(output, x.item() * ctx.factor)
            return g * ctx.factor, None

    x = leaf(T, 3.0)
    Scale.apply(x, 4.0).backward()
    same(x.grad, 4)


def test_saved_tensors_are_freed_and_checked(T):
    Square = square_of(T)
    x = leaf(T, 3.0)
    y = Square.apply(x)
    y.backward()
    with raises("second time"):
        y.backward()
    z = x * 1
    y = Square.apply(z)
    z.add_(1)
    with raises("modified", "inplace|in-place"):
        y.backward()
