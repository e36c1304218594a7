"""The selected SDPBackend; results of every backend equal PyTorch's."""

from __future__ import annotations

import itertools
from typing import Any

import aten
import numpy as np
import pytest

SHAPES = (((2, 4, 5, 8), (2, 4, 7, 8)), ((1, 2, 70, 16), (1, 2, 300, 16)), ((2, 4, 3, 8), (2, 2, 9, 8)))


def random(*shape: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng([seed, *shape]).standard_normal(shape)


def given(library: Any, shapes: Any, dtype: str = "float32") -> list[Any]:
    q, k = shapes
    made = (random(*q), random(*k, seed=2), random(*k, seed=3))
    return [library.from_numpy(a).to(getattr(library, dtype)) for a in made]


def choices(library: Any) -> list[Any]:
    q, k, v = given(library, ((2, 4, 5, 8), (2, 4, 7, 8)))
    zeros = library.zeros
    calls = [
        ((q, k, v), {}),
        ((q, k[:, :2], v[:, :2]), {"enable_gqa": True}),
        ((q, k[:, :2], v[:, :2]), {}),
        ((q, k[:, :1], v[:, :1]), {}),
        ((q, k[:, :2], v[:, :1]), {"enable_gqa": True}),
        ((q, k[:, :3], v[:, :3]), {"enable_gqa": True}),
        ((q, k, v, None, 0.1), {}),
        ((q, k, v, None, 0.0, True), {}),
        *(((q, k, v, zeros(shape)), {}) for shape in ((5, 7), (2, 4, 5, 7), (2, 1, 1, 7), (4, 5, 7), (1, 7))),
        ((q, k, v, zeros(5, 7, requires_grad=True)), {}),
        ((q, k, v, zeros(5, 7, dtype=library.bool)), {}),
        ((q[0], k[0], v[0]), {}),
        ((q, k, v[..., :4]), {}),
        ((q.transpose(-1, -2).contiguous().transpose(-1, -2), k, v), {}),
        ((q, k[:, :, :0], v[:, :, :0]), {}),
        ((q[:, :, :0], k, v), {}),
        ((q, k[:1], v[:1]), {}),
        ((q.to(library.int64), k.to(library.int64), v.to(library.int64)), {}),
        ((q.to(library.bfloat16), k.to(library.bfloat16), v.to(library.bfloat16)), {}),
        ((q.to("meta"), k.to("meta"), v.to("meta")), {}),
    ]
    return [library.ops.aten._fused_sdp_choice.default(*args, **kwargs) for args, kwargs in calls]


def test_choice() -> None:
    torch = pytest.importorskip("torch")
    assert choices(aten) == choices(torch)


def attended(library: Any, shapes: Any, dtype: str, mask: str, causal: bool) -> list[np.ndarray]:
    leaves = [t.requires_grad_() for t in given(library, shapes, dtype)]
    q, k = leaves[0], leaves[1]
    sizes = (q.size(2), k.size(2))
    attn_mask = None
    if mask == "bool":
        attn_mask = library.from_numpy(random(*sizes, seed=4) > -0.5)
    elif mask == "float":
        attn_mask = library.from_numpy(random(q.size(0), 1, *sizes, seed=5)).to(q.dtype)
    out = library.nn.functional.scaled_dot_product_attention(
        *leaves, attn_mask=attn_mask, is_causal=causal, enable_gqa=q.size(1) != k.size(1)
    )
    weight = library.from_numpy(random(*out.shape, seed=6)).to(out.dtype)
    gradients = library.autograd.grad((out * weight).sum(), leaves)
    return [t.detach().to(library.float64).numpy() for t in (out, *gradients)]


@pytest.mark.parametrize("shapes", SHAPES)
@pytest.mark.parametrize("dtype", ("float32", "float64", "bfloat16", "float16"))
@pytest.mark.parametrize(("mask", "causal"), (("", False), ("", True), ("bool", False), ("float", False)))
def test_as_pytorch(shapes: Any, dtype: str, mask: str, causal: bool) -> None:
    torch = pytest.importorskip("torch")
    mine = attended(aten, shapes, dtype, mask, causal)
    theirs = attended(torch, shapes, dtype, mask, causal)
    near = {"float32": 2e-5, "float64": 1e-12, "float16": 1e-2, "bfloat16": 8e-2}[dtype]
    for a, b in zip(mine, theirs, strict=True):
        np.testing.assert_allclose(a, b, rtol=near, atol=near)


@pytest.mark.parametrize("way", ("flash", "math"))
def test_ways_agree(way: str) -> None:
    q, k, v = given(aten, SHAPES[0], "float64")
    flash = aten.ops.aten._scaled_dot_product_flash_attention_for_cpu.default(q, k, v)[0]
    mask = aten.zeros(5, 7, dtype=aten.bool).logical_not()
    other = aten.ops.aten._scaled_dot_product_attention_math.default(
        q, k, v, mask if way == "math" else None
    )[0]
    np.testing.assert_allclose(flash.numpy(), other.numpy(), atol=1e-14)


def test_dropout_takes_the_math_way() -> None:
    q, k, v = given(aten, SHAPES[0])
    aten.manual_seed(3)
    outs = [aten.nn.functional.scaled_dot_product_attention(q, k, v, None, p) for p in (0.5, 0.5, 1.0)]
    assert not np.array_equal(outs[0].numpy(), outs[1].numpy())
    assert not outs[2].numpy().any()
    everything = aten.ones(2, 4, 5, 7, dtype=aten.bool)
    kept, _ = aten.ops.aten._scaled_dot_product_attention_math.default(q, k, v, None, 0.5, False, everything)
    plain = aten.nn.functional.scaled_dot_product_attention(q, k, v)
    np.testing.assert_allclose(kept.numpy(), 2 * plain.numpy(), rtol=1e-4, atol=1e-5)


def test_large_blocks_agree() -> None:
    """There are more queries than a group has rows, and more keys than a block."""
    q, k, v = given(aten, ((1, 1, 2500, 24), (1, 1, 700, 24)), "float64")
    for causal, scale in itertools.product((False, True), (None, 0.7)):
        fused = aten.ops.aten._scaled_dot_product_flash_attention_for_cpu.default(
            q, k, v, 0.0, causal, scale=scale
        )[0]
        math = aten.ops.aten._scaled_dot_product_attention_math.default(
            q, k, v, None, 0.0, causal, scale=scale
        )
        np.testing.assert_allclose(fused.numpy(), math[0].numpy(), atol=1e-12)


def test_cuda_ways_have_shapes_everywhere_and_kernels_on_cuda() -> None:
    q, k, v = given(aten, SHAPES[0])
    on_meta = [t.to("meta") for t in (q, k, v)]
    flash = aten.ops.aten._scaled_dot_product_flash_attention.default(*on_meta)
    assert (
        tuple(flash[0].shape) == (2, 4, 5, 8) and tuple(flash[1].shape) == (2, 4, 5) and flash[4:6] == (5, 7)
    )
    grads = aten.ops.aten._scaled_dot_product_flash_attention_backward.default(
        flash[0], *on_meta, flash[0], flash[1], q, q, 5, 7, 0.0, False, q, q
    )
    assert [tuple(g.shape) for g in grads] == [(2, 4, 5, 8), (2, 4, 7, 8), (2, 4, 7, 8)]
    efficient = aten.ops.aten._scaled_dot_product_efficient_attention.default(*on_meta, None, True)
    assert tuple(efficient[1].shape) == (2, 4, 32)
    grads = aten.ops.aten._scaled_dot_product_efficient_attention_backward.default(
        efficient[0], *on_meta, on_meta[0], efficient[0], efficient[1], q, q, 0.0, [True, True, True, False]
    )
    assert [tuple(g.shape) for g in grads[:3]] == [(2, 4, 5, 8), (2, 4, 7, 8), (2, 4, 7, 8)]
    with pytest.raises((RuntimeError, NotImplementedError), match="CPU"):
        aten.ops.aten._scaled_dot_product_flash_attention.default(q, k, v)


REFUSED = (
    (lambda q, k, v: (q[0, 0, 0], k, v), {}, "at least  ?2 dimensional"),
    (lambda q, k, v: (q, k.to(aten.float64), v), {}, "same dtype"),
    (lambda q, k, v: (q, k, v, aten.zeros(5, 7, dtype=aten.int64)), {}, "attn_mask dtype"),
    (lambda q, k, v: (q, k, v, aten.zeros(5, 6)), {}, "size"),
    (lambda q, k, v: (q, k, v, None, 1.5), {}, "probability"),
    (lambda q, k, v: (q, k[:, :3], v[:, :3]), {"enable_gqa": True}, "must divide"),
    (lambda q, k, v: (q, k[..., :4], v), {}, "size"),
)


@pytest.mark.parametrize(("args", "kwargs", "message"), REFUSED)
def test_refused(args: Any, kwargs: dict[str, Any], message: str) -> None:
    with pytest.raises(RuntimeError, match=message):
        aten.nn.functional.scaled_dot_product_attention(*args(*given(aten, SHAPES[0])), **kwargs)


def test_fused_way_refuses() -> None:
    q, k, v = given(aten, SHAPES[0])
    fused = aten.ops.aten._scaled_dot_product_flash_attention_for_cpu.default
    for args, message in (
        ((q[0], k[0], v[0]), "4 dimensions"),
        ((q, k, v, 0.1), "dropout"),
        ((q, k, v[..., :4]), "head size"),
        ((q, k[:1], v[:1]), "batch size"),
        ((q, k[:, :3], v[:, :3]), "divide"),
        ((q.to(aten.int64),) * 3, "Float, Double"),
    ):
        with pytest.raises(RuntimeError, match=message):
            fused(*args)
    with pytest.raises(RuntimeError, match="broadcast"):
        fused(q, k, v, attn_mask=aten.zeros(5, 6))
