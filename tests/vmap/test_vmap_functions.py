"""Custom functions with a rule of their own for batches, as PyTorch's: vmap() of a Function."""

from __future__ import annotations

import aten
import pytest

TENSORS = {
    "x": [[0.5, -0.25, 1.0], [2.0, -1.5, 0.75]],
    "w": [[1.0, 2.0, 3.0], [-1.0, 0.5, 4.0]],
}


def made(m):
    """A product whose rule for batches records what it got, and computes by other operators than forward."""
    calls = []

    class Product(m.autograd.Function):
        @staticmethod
        def forward(x, w, power):
            return (x * w).sum() ** power, x * power

        @staticmethod
        def setup_context(ctx, inputs, output):
            x, w, ctx.power = inputs
            ctx.save_for_backward(x, w)

        @staticmethod
        def backward(ctx, total, scaled):
            x, w = ctx.saved_tensors
            inner = total * ctx.power * (x * w).sum() ** (ctx.power - 1)
            return inner * w + scaled * ctx.power, inner * x, None

        @staticmethod
        def jvp(ctx, dx, dw, _):
            raise NotImplementedError

        @staticmethod
        def vmap(info, in_dims, x, w, power):
            calls.append((info.batch_size, info.randomness, in_dims))
            x, w = (
                t.movedim(d, 0) if d is not None else t.expand(info.batch_size, *t.shape)
                for t, d in zip((x, w), in_dims[:2], strict=True)
            )
            return ((x * w).sum(1) ** power, (x * power).movedim(0, 1)), (0, 1)

    return Product.apply, calls


PROGRAMS = {
    "both": lambda m, f, x, w: m.vmap(lambda x, w: f(x, w, 3))(x, w),
    "one": lambda m, f, x, w: m.vmap(lambda x: f(x, w[0], 3))(x),
    "another dimension": lambda m, f, x, w: m.vmap(lambda x, w: f(x, w, 2), (1, 0), (0, 1))(x.t(), w),
    "not mapped": lambda m, f, x, w: m.vmap(lambda y: (f(x[0], w[0], 2)[0] + y).sum())(x),
    "nested": lambda m, f, x, w: m.vmap(lambda x: m.vmap(lambda w: f(x, w, 2))(w))(x),
    "outer only": lambda m, f, x, w: m.vmap(lambda x: m.vmap(lambda w: f(x, x, 2)[0] + w)(w))(x),
    "gradients inside": lambda m, f, x, w: m.vmap(
        m.func.grad(lambda x, w: sum(p.sum() for p in f(x, w, 3)), (0, 1))
    )(x, w),
    "gradients outside": lambda m, f, x, w: m.func.grad(
        lambda x, w: sum((p**2).sum() for p in m.vmap(lambda x, w: f(x, w, 3))(x, w)), (0, 1)
    )(x, w),
    "second gradients": lambda m, f, x, w: m.func.grad(
        lambda x: m.vmap(m.func.grad(lambda x, w: f(x, w, 3)[0]))(x, w).sum()
    )(x),
    "backward": lambda m, f, x, w: backward(m, f, x, w),
    "jacrev": lambda m, f, x, w: m.func.jacrev(lambda x: m.vmap(lambda x, w: f(x, w, 3))(x, w))(x),
    "chunks": lambda m, f, x, w: m.vmap(lambda x, w: f(x, w, 3), chunk_size=1)(x, w),
}


def backward(m, f, x, w):
    x.requires_grad_()
    first, second = m.vmap(lambda x, w: f(x, w, 3))(x, w)
    ((first**2).sum() + second.sum()).backward()
    return x.grad


def results(m, program):
    function, calls = made(m)
    tensors = [m.tensor(v, dtype=m.float64) for v in TENSORS.values()]
    found = program(m, function, *tensors)
    found = found if isinstance(found, tuple) else (found,)
    # Here the examples are always along dimension 0 when a rule is called.
    batches = [(size, kind, tuple(d is not None for d in dims)) for size, kind, dims in calls]
    return [t.detach().tolist() for t in found], batches


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_a_rule_gives_what_it_gives_in_pytorch(program):
    torch = pytest.importorskip("torch")
    (ours, our_calls), (theirs, their_calls) = results(aten, program), results(torch, program)
    assert len(ours) == len(theirs)
    for a, b in zip(ours, theirs, strict=True):
        assert aten.allclose(aten.tensor(a), aten.tensor(b))
    # PyTorch may call the rule once more for a differentiation; the batches are the same.
    assert set(our_calls) == set(their_calls)


def test_a_rule_is_called_with_all_examples():
    function, calls = made(aten)
    x = aten.ones(4, 3)
    total, scaled = aten.vmap(lambda x: function(x, aten.ones(3), 1), randomness="same")(x)
    assert calls == [(4, "same", (0, None, None))]
    assert total.tolist() == [3.0] * 4 and tuple(scaled.shape) == (4, 3)


@pytest.mark.parametrize("m", ["aten", "torch"])
@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({"generate_vmap_rule": True}, "generate_vmap_rule"),
        ({"setup_context": None}, "setup_context"),
        ({"vmap": staticmethod(lambda info, dims, x: x)}, "two returns"),
    ],
    ids=["two rules", "no setup_context", "no out_dims"],
)
def test_rules_that_cannot_be_used(m, members, message):
    m = pytest.importorskip(m)
    contents = {
        "forward": staticmethod(lambda x: x * 2),
        "setup_context": staticmethod(lambda ctx, inputs, output: None),
        "vmap": staticmethod(lambda info, dims, x: (x * 2, 0)),
        **members,
    }
    function = type("Double", (m.autograd.Function,), {k: v for k, v in contents.items() if v is not None})
    with pytest.raises(RuntimeError, match=message):
        m.vmap(function.apply)(m.ones(2, 3))


@pytest.mark.parametrize("m", ["aten", "torch"])
def test_a_generated_rule(m):
    m = pytest.importorskip(m)

    class Cube(m.autograd.Function):
        generate_vmap_rule = True

        @staticmethod
        def forward(x):
            return x**3

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(*inputs)

        @staticmethod
        def backward(ctx, grad):
            return grad * 3 * ctx.saved_tensors[0] ** 2

    x = m.tensor([1.0, 2.0])
    assert m.vmap(Cube.apply)(x).tolist() == [1.0, 8.0]
    assert m.vmap(m.func.grad(Cube.apply))(x).tolist() == [3.0, 12.0]
