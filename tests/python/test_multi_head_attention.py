"""multi_head_attention_forward beside PyTorch's."""

from __future__ import annotations

import itertools
from typing import Any

import aten
import pytest

torch = pytest.importorskip("torch")

E, H, N, L, S = 8, 2, 3, 4, 5
PARTS = ("q_proj_weight", "k_proj_weight", "v_proj_weight")


def numbers(*shape: int) -> Any:
    count = aten.Size(shape).numel()
    return torch.sin(torch.arange(1.0, count + 1) * 1.7).reshape(shape)


def ours(value: Any) -> Any:
    return aten.from_dlpack(value.detach().clone()) if isinstance(value, torch.Tensor) else value


def both(query: Any, key: Any, value: Any, **options: Any) -> None:
    fixed = {
        "embed_dim_to_check": E, "num_heads": H,
        "in_proj_weight": numbers(3 * E, E), "in_proj_bias": numbers(3 * E),
        "bias_k": None, "bias_v": None, "add_zero_attn": False, "dropout_p": 0.0,
        "out_proj_weight": numbers(E, E), "out_proj_bias": numbers(E), **options,
    }  # fmt: skip
    theirs = torch.nn.functional.multi_head_attention_forward(query, key, value, **fixed)
    converted = {id(t): ours(t) for t in (query, key, value)}
    given = [converted[id(t)] for t in (query, key, value)]
    mine = aten.nn.functional.multi_head_attention_forward(*given, **{k: ours(v) for k, v in fixed.items()})
    for a, b in zip(mine, theirs, strict=True):
        assert (a is None) == (b is None)
        if b is not None:
            assert a.shape == tuple(b.shape)
            assert torch.allclose(torch.from_dlpack(a), b, atol=1e-5, equal_nan=True)


QUERY, MEMORY = numbers(L, N, E), numbers(S, N, E) + 0.1
MASKS = {
    "none": None,
    "bool": torch.arange(L * S).reshape(L, S) % 3 == 2,
    "float": numbers(L, S),
    "each head": numbers(N * H, L, S),
}
PADDING = {"none": None, "bool": torch.arange(N * S).reshape(N, S) % 4 == 3}


@pytest.mark.parametrize(
    ("mask", "padding", "weights"), list(itertools.product(MASKS, PADDING, (True, False)))
)
def test_masks(mask: str, padding: str, weights: bool) -> None:
    both(
        QUERY, MEMORY, MEMORY, attn_mask=MASKS[mask], key_padding_mask=PADDING[padding], need_weights=weights
    )


@pytest.mark.parametrize("weights", [True, False])
def test_forms(weights: bool) -> None:
    both(QUERY, QUERY, QUERY, need_weights=weights)
    both(QUERY[:, 0], MEMORY[:, 0], MEMORY[:, 0], need_weights=weights, key_padding_mask=PADDING["bool"][0])
    both(QUERY, MEMORY, MEMORY, need_weights=weights, average_attn_weights=False, in_proj_bias=None)
    extra = {"bias_k": numbers(1, 1, E), "bias_v": numbers(1, 1, E), "add_zero_attn": True}
    both(QUERY, MEMORY, MEMORY, need_weights=weights, attn_mask=MASKS["float"], **extra)
    separate = {n: numbers(E, E) for n in PARTS}
    both(
        QUERY,
        MEMORY,
        MEMORY,
        need_weights=weights,
        use_separate_proj_weight=True,
        in_proj_weight=None,
        **separate,
    )
    causal = torch.triu(torch.ones(L, L, dtype=torch.bool), 1)
    both(QUERY, QUERY, QUERY, need_weights=weights, attn_mask=causal, is_causal=True)


def test_wrong_arguments() -> None:
    forward = aten.nn.functional.multi_head_attention_forward
    x, w = ours(QUERY), ours(numbers(3 * E, E))
    rest = (w, None, None, None, False, 0.0, ours(numbers(E, E)), None)
    with pytest.raises(AssertionError, match="embedding dimension of 9"):
        forward(x, x, x, 9, H, *rest)
    with pytest.raises(AssertionError, match="not divisible"):
        forward(x, x, x, E, 3, *rest)
    with pytest.raises(RuntimeError, match="attn_mask"):
        forward(x, x, x, E, H, *rest, is_causal=True)
    with pytest.raises(RuntimeError, match="shape of the attn_mask"):
        forward(x, x, x, E, H, *rest, attn_mask=aten.ones(2, 2))
    with pytest.raises(AssertionError, match="2-D"):
        forward(x, x[0], x, E, H, *rest)
