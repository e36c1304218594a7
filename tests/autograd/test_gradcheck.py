"""gradcheck() and gradgradcheck(): they accept correct derivatives and find wrong ones."""

from __future__ import annotations

import pytest
from expect import leaf, raises


@pytest.fixture
def check(T, request):
    if T.__name__ == "aten":
        return T.autograd.gradcheck, T.autograd.gradgradcheck
    module = request.getfixturevalue("over_torch")
    return module.gradcheck, module.gradgradcheck


def wrong(T, gradient):
    """Returns x * x, with the given backward."""

    class Wrong(T.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, g):
            return gradient(g, ctx.saved_tensors[0])

    return Wrong.apply


FUNCTIONS = {
    "product": lambda T, a, b: a * b,
    "matrix product": lambda T, a, b: a.matmul(b.transpose(0, 1)),
    "several outputs": lambda T, a, b: (a * b, (a + b).sum(), T.ones(1)),
    "part of an input": lambda T, a, b: a[0] * b[1, 0],
    "one input is not used": lambda T, a, b: b.sin(),
    "written to": lambda T, a, b: (a * 1).mul_(b).exp(),
    "a view": lambda T, a, b: (a.t(), b.expand(2, 2, 2)),
    "an integer output": lambda T, a, b: (a.sort(-1).values * b, a.argmax()),
}


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_is_right(T, check, name, fast):
    a, b = leaf(T, [[0.3, -0.7], [1.1, 0.2]]), leaf(T, [[0.5, 0.9], [-0.4, 1.3]])
    for one in check:
        assert one(lambda *x: FUNCTIONS[name](T, *x), (a, b), fast_mode=fast)


@pytest.mark.parametrize("fast", [False, True])
def test_forward_mode(T, check, fast):
    a, b = leaf(T, [0.3, -0.7]), leaf(T, [0.5, 0.9])
    gradcheck, gradgradcheck = check
    assert gradcheck(lambda a, b: (a * b).sin() + a, (a, b), check_forward_ad=True, fast_mode=fast)
    assert gradgradcheck(lambda a, b: a * b * b, (a, b), check_fwd_over_rev=True, fast_mode=fast)


@pytest.mark.parametrize("fast", [False, True])
def test_complex(T, check, fast):
    z = leaf(T, [0.3 + 0.2j, -0.7 + 1j], dtype=T.complex128)
    w, x = leaf(T, [0.5 - 1j, 0.9j], dtype=T.complex128), leaf(T, [0.4, 0.8])
    for one in check:
        assert one(lambda z, w: z * w * w, (z, w), fast_mode=fast)
        assert one(lambda z, x: (z * x).exp(), (z, x), fast_mode=fast)
        assert one(lambda z: z.abs(), (z,), fast_mode=fast)


@pytest.mark.parametrize("fast", [False, True])
def test_what_is_wrong(T, check, fast):
    gradcheck, gradgradcheck = check
    x = leaf(T, [0.3, -0.7])
    for gradient, words in (
        (lambda g, x: g * 3 * x, ("mismatch", "output 0", "input 0")),
        (lambda g, x: g * 2 * x + 1, ("mismatch|multipl",)),
        (lambda g, x: g * 2 * x + T.randn(2) * 1e-7, ("determin|multipl",)),
    ):
        with raises(*words):
            gradcheck(wrong(T, gradient), x, fast_mode=fast)
        assert not gradcheck(wrong(T, gradient), x, fast_mode=fast, raise_exception=False)
    once = wrong(T, lambda g, x: g * 2 * x.detach())
    assert gradcheck(once, x, fast_mode=fast)
    with raises("mismatch"):
        gradgradcheck(once, x, fast_mode=fast)


def test_real_functions_with_a_wrong_complex_gradient(T, check):
    z = leaf(T, [0.3 + 0.2j], dtype=T.complex128)
    with raises("mismatch"):
        check[0](wrong(T, lambda g, z: g * 2 * z), z)  # the conjugate is missing


def test_undefined_gradients(T, check):
    class Fragile(T.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.set_materialize_grads(False)
            return x * 2

        @staticmethod
        def backward(ctx, g):
            if g is None:
                raise RuntimeError("no gradient")
            return g * 2

    x = leaf(T, [0.3, -0.7])
    with raises("undefined"):
        check[0](Fragile.apply, x)
    assert check[0](Fragile.apply, x, check_undefined_grad=False)


def test_inputs_that_cannot_be_checked(T, check):
    gradcheck, _ = check
    with raises("require", error=ValueError):
        gradcheck(lambda x: x * 2, T.ones(2, dtype=T.float64))
    with raises("share|overlap|clone"):
        gradcheck(lambda x: x * 2, leaf(T, [1.0]).expand(3))
    with pytest.warns(UserWarning, match="double precision"):
        gradcheck(lambda x: x * 2, leaf(T, [1.0], dtype=T.float32), eps=1e-2, atol=1e-2)


def test_batched_gradients(T):
    check, check_twice = T.autograd.gradcheck, T.autograd.gradgradcheck
    x, y = leaf(T, [[1.0, 2.0]]), leaf(T, [[0.5], [-0.5]])
    f = lambda x, y: (x * y.sin(), x.sum())  # noqa: E731
    assert check(f, (x, y), check_batched_grad=True)
    assert check(f, (x, y), check_batched_grad=True, check_forward_ad=True, check_batched_forward_grad=True)
    assert check_twice(f, (x, y), check_batched_grad=True)
    with raises("check_backward_ad", error=AssertionError):
        check(f, (x, y), check_batched_grad=True, check_backward_ad=False, check_forward_ad=True)
    with raises("check_forward_ad", error=AssertionError):
        check(f, (x, y), check_batched_forward_grad=True)


def scaling(T, factor):
    """Twice the argument; its derivatives multiply by factor(gradient)."""

    class Twice(T.autograd.Function):
        generate_vmap_rule = True
        forward = staticmethod(lambda x: x * 2)
        setup_context = staticmethod(lambda ctx, inputs, output: None)
        backward = staticmethod(lambda ctx, grad: grad * factor(grad))

    return Twice.apply


def test_batched_gradients_that_are_wrong(T):
    f, x = scaling(T, lambda grad: 3 if "atched" in repr(grad) else 2), leaf(T, [1.0, 2.0])
    assert T.autograd.gradcheck(f, x)
    with raises("batch|vmap"):
        T.autograd.gradcheck(f, x, check_batched_grad=True)
    assert not T.autograd.gradcheck(f, x, check_batched_grad=True, raise_exception=False)


def test_a_backward_that_vmap_refuses(T):
    f, x = scaling(T, lambda grad: 2 if grad.sum().item() < 1e9 else 3), leaf(T, [1.0, 2.0])
    assert T.autograd.gradcheck(f, x)
    with raises("batched gradients"):
        T.autograd.gradcheck(f, x, check_batched_grad=True)


def test_outputs_that_lost_their_history(T, check):
    x = leaf(T, [0.3, -0.7])
    with raises("depends on"):
        check[0](lambda x: x.detach() * 2, x)
    assert check[0](lambda x: T.ones(2), x)


def test_inputs_are_as_they_were(T, check):
    x = leaf(T, [[0.3, -0.7], [0.1, 0.2]]).transpose(0, 1)
    before = x.tolist()
    assert check[0](lambda x: x * x, x)
    assert x.tolist() == before


def test_not_contiguous_gradients(T, check):
    strides = []

    def function(x):
        y = x * x
        y.register_hook(lambda g: strides.append(g.stride()))
        return y

    x = leaf(T, [0.3, -0.7])
    assert check[1](function, x, gen_non_contig_grad_outputs=True)
    assert (2,) in strides
