"""Custom functions in the bindings: contexts, their lifetimes, errors, tracebacks."""

from __future__ import annotations

import gc
import traceback
import weakref

import pytest


@pytest.fixture(params=["aten", "torch"])
def T(request):
    return pytest.importorskip(request.param)


def leaf(T, *values):
    return T.tensor(values or 3.0, dtype=T.float64, requires_grad=True)


def double_of(T, **contents):
    class Double(T.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x, None)
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * 2

    for name, value in contents.items():
        setattr(Double, name, staticmethod(value))
    return Double


class Marker:
    """An object whose end can be observed."""


def test_the_context_is_the_node(T):
    contexts = []

    def forward(ctx, x):
        contexts.append(ctx)
        ctx.mine = 5
        return x * 2

    def backward(ctx, g):
        contexts.append(ctx)
        return g * ctx.mine

    x = leaf(T)
    y = double_of(T, forward=forward, backward=backward).apply(x)
    assert y.grad_fn is contexts[0] and y.grad_fn.mine == 5
    assert type(y.grad_fn).__name__ == "DoubleBackward" == y.grad_fn.name()
    assert isinstance(y.grad_fn, T.autograd.graph.Node)
    assert isinstance(y.grad_fn, T.autograd.function.FunctionCtx)
    assert "grad_fn=<DoubleBackward>" in repr(y)
    assert type(y.grad_fn.next_functions[0][0]).__name__ == "AccumulateGrad"
    y.backward()
    assert contexts[1] is contexts[0] and x.grad.item() == 5


def test_saved_tensors_are_the_same_objects(T):
    x = leaf(T)
    y = double_of(T).apply(x)
    saved = y.grad_fn.saved_tensors
    assert saved[0] is x and saved[1] is None
    y.backward()
    with pytest.raises(RuntimeError, match="freed"):
        _ = y.grad_fn.saved_tensors


def test_a_context_outlives_the_result(T):
    x = leaf(T)
    context = double_of(T).apply(x).grad_fn
    gc.collect()
    assert context.saved_tensors[0] is x
    assert context.next_functions[0][0].variable is x


def test_attributes_survive_while_only_the_graph_holds_the_context(T):
    marker = Marker()
    watched = weakref.ref(marker)

    def forward(ctx, x, marker):
        ctx.marker = marker
        return x * 2

    def backward(ctx, g):
        assert isinstance(ctx.marker, Marker)
        return g * 2, None

    x = leaf(T)
    z = double_of(T, forward=forward, backward=backward).apply(x, marker) + 1
    del marker
    for _ in range(3):
        gc.collect()
    assert watched() is not None
    z.backward()
    assert x.grad.item() == 2
    del z
    gc.collect()
    assert watched() is None


@pytest.mark.parametrize("cycle", ["context", "result", "both", "hook", "method"])
def test_contexts_that_refer_to_themselves_are_collected(T, cycle):
    if T.__name__ == "torch" and cycle == "hook":
        pytest.skip("PyTorch keeps it for ever")

    def watched_marker():
        marker = Marker()

        def forward(ctx, x):
            ctx.marker = marker
            y = x * 2
            if cycle in ("context", "both"):
                ctx.me = ctx
            if cycle in ("result", "both"):
                ctx.result = y
            if cycle == "method":
                ctx.save = ctx.save_for_backward
            return y

        y = double_of(T, forward=forward).apply(leaf(T))
        if cycle == "hook":
            y.register_hook(lambda g: y)
        gc.collect()
        y.sum().backward()
        return weakref.ref(marker)

    watched = watched_marker()
    gc.collect()
    assert watched() is None


def test_contexts_can_be_referred_to_weakly(T):
    y = double_of(T).apply(leaf(T))
    watched = weakref.ref(y.grad_fn)
    assert watched() is y.grad_fn
    del y
    gc.collect()
    assert watched() is None


def test_results_saved_for_backward_make_no_cycle(T):
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(x, y)
        ctx.marker = Marker()
        return y

    def backward(ctx, g):
        _, y = ctx.saved_tensors
        assert y.grad_fn is ctx
        return g * y

    x = leaf(T)
    y = double_of(T, forward=forward, backward=backward).apply(x)
    watched = weakref.ref(y.grad_fn.marker)
    y.backward()
    assert x.grad.item() == pytest.approx(y.item())
    gc.disable()
    try:
        del y
        assert watched() is None
    finally:
        gc.enable()


def test_arguments_by_name_and_defaults(T):
    class Scale(T.autograd.Function):
        @staticmethod
        def forward(x, factor=4.0):
            return x * factor

        @staticmethod
        def setup_context(ctx, inputs, output):
            assert len(inputs) == 2
            ctx.factor = inputs[1]

        @staticmethod
        def backward(ctx, g):
            return g * ctx.factor, None

    for call in (
        lambda x: Scale.apply(x),
        lambda x: Scale.apply(x, 4.0),
        lambda x: Scale.apply(x, factor=4.0),
    ):
        x = leaf(T)
        call(x).backward()
        assert x.grad.item() == 4
    with pytest.raises(TypeError):
        Scale.apply()


def test_a_tuple_stays_one_and_other_results_pass_through(T):
    x = leaf(T)
    (y,) = double_of(T, forward=lambda ctx, x: (x * 2,)).apply(x)
    assert y.requires_grad
    listed = double_of(T, forward=lambda ctx, x: [x * 2]).apply(x)
    assert isinstance(listed, list) and not listed[0].requires_grad
    assert double_of(T, forward=lambda ctx, x: None).apply(x) is None


@pytest.mark.parametrize("method", ["save_for_backward", "mark_dirty", "mark_non_differentiable"])
def test_what_is_no_tensor_cannot_be_marked(T, method):
    def forward(ctx, x):
        getattr(ctx, method)(3)
        return x * 2

    with pytest.raises((TypeError, RuntimeError)):
        double_of(T, forward=forward).apply(leaf(T))


def test_what_is_marked_dirty_is_returned(T):
    def forward(ctx, x):
        x.mul_(2)
        ctx.mark_dirty(x)
        return x + 1

    with pytest.raises(RuntimeError, match="not returned as output"):
        double_of(T, forward=forward).apply(leaf(T) * 1)


def test_a_traceback_shows_where_backward_failed(T):
    def backward(ctx, g):
        raise ZeroDivisionError("here")

    try:
        double_of(T, backward=backward).apply(leaf(T)).backward()
    except ZeroDivisionError as e:
        names = [frame.name for frame in traceback.extract_tb(e.__traceback__)]
        assert "backward" in names and names[0].startswith("test_")
    else:
        pytest.fail("no error")


def test_subclasses_of_functions(T):
    Double = double_of(T)

    class Tripled(Double):
        @staticmethod
        def backward(ctx, g):
            return g * 3

    x = leaf(T)
    y = Tripled.apply(x)
    assert type(y.grad_fn).__name__ == "TripledBackward"
    y.backward()
    assert x.grad.item() == 3


def test_vjp_is_another_name_of_backward(T):
    class Double(T.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def vjp(ctx, g):
            return g * 7

    x = leaf(T)
    Double.apply(x).backward()
    assert x.grad.item() == 7


def test_forward_mode(T):
    def forward(ctx, x, factor):
        ctx.save_for_forward(x)
        ctx.factor = factor
        return x * factor, x + 1

    def jvp(ctx, x, factor):
        assert factor is None
        (value,) = ctx.saved_tensors
        return x * ctx.factor * value, x

    Scale = double_of(T, forward=forward, jvp=jvp)
    with T.autograd.forward_ad.dual_level():
        x = T.autograd.forward_ad.make_dual(T.tensor(3.0), T.tensor(10.0))
        y, z = Scale.apply(x, 2.0)
        primal, tangent = T.autograd.forward_ad.unpack_dual(y)
        assert (primal.item(), tangent.item()) == (6, 60)
        assert T.autograd.forward_ad.unpack_dual(z).tangent.item() == 10
        with pytest.raises(NotImplementedError, match="jvp"):
            double_of(T).apply(x)


def test_a_result_that_is_an_argument_in_forward_mode(T):
    Same = double_of(T, forward=lambda ctx, x: x, jvp=lambda ctx, t: t * 5)
    with T.autograd.forward_ad.dual_level():
        x = T.autograd.forward_ad.make_dual(T.tensor(3.0), T.tensor(1.0))
        try:
            y = Same.apply(x)
        except RuntimeError:
            pytest.skip("a view's tangent has to be a view of the argument's")
        assert T.autograd.forward_ad.unpack_dual(x).tangent.item() == 1
        assert T.autograd.forward_ad.unpack_dual(y).tangent.item() == 5


@pytest.mark.parametrize("view", [False, True])
def test_arguments_written_to_and_saved_make_no_cycle(T, view):
    contexts = []

    def forward(ctx, x):
        contexts.append(weakref.ref(ctx))
        x.exp_()
        ctx.mark_dirty(x)
        ctx.save_for_backward(x)
        return x

    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * y

    x = leaf(T, 1.0, 2.0)
    y = x * 1
    z = double_of(T, forward=forward, backward=backward).apply(y[:1] if view else y)
    z.sum().backward()
    assert x.grad.tolist() == pytest.approx([y[0].item(), 0 if view else y[1].item()])
    del y, z
    gc.collect()
    assert contexts[0]() is None
