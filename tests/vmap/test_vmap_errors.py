"""What vmap refuses, with PyTorch's exception types."""

from __future__ import annotations

import aten
import pytest


def libraries():
    yield pytest.param(aten, id="aten")
    try:
        import torch
    except ImportError:
        return
    yield pytest.param(torch, id="torch")


LIBRARIES = pytest.mark.parametrize("m", libraries())

REFUSED = {
    "item": (RuntimeError, lambda m, x: m.vmap(lambda v: v.sum().item())(x)),
    "bool": (RuntimeError, lambda m, x: m.vmap(lambda v: v if v.sum() > 0 else -v)(x)),
    "nonzero": (RuntimeError, lambda m, x: m.vmap(lambda v: v.nonzero())(x)),
    "masked_select": (RuntimeError, lambda m, x: m.vmap(lambda v: v.masked_select(v > 0))(x)),
    "in-place": (RuntimeError, lambda m, x: m.vmap(lambda v: m.zeros(3).add_(v))(x)),
    "out=": (RuntimeError, lambda m, x: m.vmap(lambda v: m.add(v, v, out=m.empty(3)))(x)),
    "no argument": (ValueError, lambda m, x: m.vmap(lambda: x)()),
    "no tensor": (ValueError, lambda m, x: m.vmap(lambda v: v)(3)),
    "nothing mapped": (ValueError, lambda m, x: m.vmap(lambda v: v, in_dims=None)(x)),
    "nothing mapped in a tuple": (ValueError, lambda m, x: m.vmap(lambda v: v, in_dims=(None,))(x)),
    "in_dims too large": (ValueError, lambda m, x: m.vmap(lambda v: v, in_dims=2)(x)),
    "in_dims of a wrong type": (ValueError, lambda m, x: m.vmap(lambda v: v, in_dims="0")(x)),
    "in_dims of another structure": (ValueError, lambda m, x: m.vmap(lambda v: v, in_dims=(0, 0))(x)),
    "in_dim of a wrong type": (ValueError, lambda m, x: m.vmap(lambda v: v, in_dims=(0.5,))(x)),
    "different sizes": (ValueError, lambda m, x: m.vmap(lambda v, w: v + w)(x, x[1:])),
    "result of a wrong type": (ValueError, lambda m, x: m.vmap(lambda v: 3)(x)),
    "out_dims of a wrong type": (ValueError, lambda m, x: m.vmap(lambda v: v, out_dims="0")(x)),
    "out_dims of another structure": (
        ValueError,
        lambda m, x: m.vmap(lambda v: (v, v), out_dims=(0, 0, 0))(x),
    ),
    "out_dims None": (ValueError, lambda m, x: m.vmap(lambda v: v, out_dims=None)(x)),
    "out_dims too large": (IndexError, lambda m, x: m.vmap(lambda v: v, out_dims=3)(x)),
    "chunk_size": (ValueError, lambda m, x: m.vmap(lambda v: v, chunk_size=0)(x)),
    "randomness": (RuntimeError, lambda m, x: m.vmap(lambda v: v, randomness="none")(x)),
    "random": (RuntimeError, lambda m, x: m.vmap(lambda v: v + m.rand(3))(x)),
    "random like": (RuntimeError, lambda m, x: m.vmap(lambda v: m.rand_like(v))(x)),
    "dropout": (RuntimeError, lambda m, x: m.vmap(lambda v: m.nn.functional.dropout(v))(x)),
    "backward": (RuntimeError, lambda m, x: m.vmap(lambda v: v.sum().backward())(x.requires_grad_())),
    "numpy": (RuntimeError, lambda m, x: m.vmap(lambda v: v.numpy())(x)),
    "data_ptr": (RuntimeError, lambda m, x: m.vmap(lambda v: v.data_ptr())(x)),
    "dimension": (IndexError, lambda m, x: m.vmap(lambda v: v.sum(1))(x)),
    "negative dimension": (IndexError, lambda m, x: m.vmap(lambda v: v.sum(-2))(x)),
    "shapes": (RuntimeError, lambda m, x: m.vmap(lambda v: v + m.zeros(4))(x)),
}


@LIBRARIES
@pytest.mark.parametrize("case", REFUSED, ids=lambda c: c.replace(" ", "-"))
def test_refused(case, m):
    kind, run = REFUSED[case]
    with pytest.raises(kind):
        run(m, m.ones(2, 3))


def test_messages():
    x = aten.ones(2, 3)
    with pytest.raises(RuntimeError, match="each example of the batch has its own"):
        aten.vmap(lambda v: v.sum().item())(x)
    with pytest.raises(RuntimeError, match="writes to 'self', which is one tensor for all examples"):
        aten.vmap(lambda v: aten.zeros(3).add_(v))(x)
    with pytest.raises(RuntimeError, match="randomness='different'"):
        aten.vmap(lambda v: aten.rand(3))(x)


def test_escaped():
    kept = []
    aten.vmap(lambda v: kept.append(v) or v)(aten.ones(2, 3))
    with pytest.raises(RuntimeError, match="vmap that has ended"):
        kept[0] + 1
    with pytest.raises(RuntimeError, match="vmap that has ended"):
        aten.vmap(lambda v: v + kept[0])(aten.ones(2, 3))


def test_levels_end_with_an_error():
    with pytest.raises(ZeroDivisionError):
        aten.vmap(lambda v: 1 / 0)(aten.ones(2))
    assert aten._C._batch_level() == 0
    assert aten.rand(2).shape == (2,)


def test_repr():
    shown = []
    aten.vmap(lambda v: shown.append(repr(v)) or v)(aten.ones(2, 3))
    assert shown[0].startswith("BatchedTensor(lvl=1, bdim=0, value=\n")
    assert "tensor([[1., 1., 1.]," in shown[0]


def test_geometry():
    seen = []

    def look(v):
        seen.append((tuple(v.shape), v.dtype, v.dim(), v.numel(), v.stride(), v.is_contiguous()))
        return v

    aten.vmap(look, in_dims=1)(aten.ones(2, 3))
    assert seen == [((2,), aten.float32, 1, 2, (3,), False)]


def test_empty_batch():
    assert aten.vmap(lambda v: v.sin() + 1)(aten.ones(0, 3)).shape == (0, 3)


class Square(aten.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return 2 * x * grad


def test_a_function_of_python():
    x = aten.arange(6.0).reshape(2, 3)
    assert aten.vmap(Square.apply)(x).equal(x * x)
    assert aten.vmap(aten.func.grad(lambda v: Square.apply(v).sum()))(x).equal(2 * x)
    with pytest.raises(NotImplementedError, match="can't be differentiated from outside"):
        aten.func.grad(lambda x: aten.vmap(Square.apply)(x).sum())(x)


@pytest.mark.parametrize("mode", [aten.no_grad, aten.inference_mode])
def test_without_gradients(mode):
    x = aten.ones(2, 3, requires_grad=True)
    with mode():
        out = aten.vmap(lambda v: v.exp().reshape(3, 1)[0])(x)
    assert not out.requires_grad
    assert out.shape == (2, 1)
