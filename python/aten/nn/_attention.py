"""Attention with several heads, from projections to output, with PyTorch's signature."""

from __future__ import annotations

import math

from .. import _C
from .._C import Tensor

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

_functions: Any = _C._VariableFunctions
_nn: Any = getattr(_C, "_nn", None)


def multi_head_attention_forward(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    embed_dim_to_check: int,
    num_heads: int,
    in_proj_weight: Tensor | None,
    in_proj_bias: Tensor | None,
    bias_k: Tensor | None,
    bias_v: Tensor | None,
    add_zero_attn: bool,
    dropout_p: float,
    out_proj_weight: Tensor,
    out_proj_bias: Tensor | None,
    training: bool = True,
    key_padding_mask: Tensor | None = None,
    need_weights: bool = True,
    attn_mask: Tensor | None = None,
    use_separate_proj_weight: bool = False,
    q_proj_weight: Tensor | None = None,
    k_proj_weight: Tensor | None = None,
    v_proj_weight: Tensor | None = None,
    static_k: Tensor | None = None,
    static_v: Tensor | None = None,
    average_attn_weights: bool = True,
    is_causal: bool = False,
) -> tuple[Tensor, Tensor | None]:
    """Projects query [L, N, E], key and value [S, N, E] (or without N), attends in `num_heads` heads and
    projects the result. Returns it and, with `need_weights`, the attention's weights, averaged over the
    heads or not."""
    batched = _checked_rank(query, key, value, key_padding_mask)
    if not batched:
        query, key, value = _with_batch(query, key, value)
        key_padding_mask = None if key_padding_mask is None else key_padding_mask.unsqueeze(0)
    length, batch, width = query.shape
    if width != embed_dim_to_check:
        raise AssertionError(f"was expecting embedding dimension of {embed_dim_to_check}, but got {width}")
    if width % num_heads:
        raise AssertionError(f"embed_dim {width} not divisible by num_heads {num_heads}")
    padding = _additive(key_padding_mask, "key_padding_mask", query)
    mask, is_causal = _attention_mask(attn_mask, query, padding is not None, need_weights, is_causal)
    weights = (q_proj_weight, k_proj_weight, v_proj_weight) if use_separate_proj_weight else in_proj_weight
    q, k, v = _projected((query, key, value), weights, in_proj_bias)
    mask = None if mask is None else _checked_mask(mask, batch * num_heads, length, key.shape[0])
    if bias_k is not None and bias_v is not None:
        if static_k is not None or static_v is not None:
            raise AssertionError("bias cannot be added to static key and value")
        k, v = (_functions.cat([t, b.repeat(1, batch, 1)]) for t, b in ((k, bias_k), (v, bias_v)))
        mask, padding = _widened(mask), _widened(padding)
    heads = batch * num_heads
    q = q.reshape(length, heads, width // num_heads).transpose(0, 1)
    k = _in_heads(k, heads, width // num_heads) if static_k is None else static_k
    v = _in_heads(v, heads, width // num_heads) if static_v is None else static_v
    if add_zero_attn:
        k, v = (_functions.cat([t, t.new_zeros((heads, 1, t.shape[2]))], 1) for t in (k, v))
        mask, padding = _widened(mask), _widened(padding)
    if padding is not None:
        _check_padding(padding, batch, k.shape[1])
        mask = _merged(mask, padding, num_heads)
    probability = dropout_p if training else 0.0
    shape = (length, batch, width)
    if need_weights:
        output, attention = _explained(q, k, v, mask, probability, shape)
        output = _nn.linear(output, out_proj_weight, out_proj_bias)
        attention = attention.view(batch, num_heads, length, k.shape[1])
        attention = attention.mean(dim=1) if average_attn_weights else attention
        return (output, attention) if batched else (output.squeeze(1), attention.squeeze(0))
    output = _fused(q, k, v, mask, probability, is_causal, (batch, num_heads), shape)
    output = _nn.linear(output, out_proj_weight, out_proj_bias)
    return output if batched else output.squeeze(1), None


def _with_batch(*tensors: Tensor) -> list[Tensor]:
    """The tensors with a batch of one; what was one tensor stays one."""
    made = {id(t): t.unsqueeze(1) for t in tensors}
    return [made[id(t)] for t in tensors]


def _checked_rank(query: Tensor, key: Tensor, value: Tensor, padding: Tensor | None) -> bool:
    """Returns whether there is a batch."""
    ranks = {t.dim() for t in (query, key, value)}
    if len(ranks) != 1 or not ranks <= {2, 3}:
        got = ", ".join(str(t.dim()) for t in (query, key, value))
        raise AssertionError(
            f"query, key and value should be 2-D (unbatched) or 3-D (batched), got {got} dimensions"
        )
    if padding is not None and padding.dim() != query.dim() - 1:
        raise AssertionError(f"key_padding_mask should be {query.dim() - 1}-D here, got {padding.dim()}-D")
    if key.shape[:2] != value.shape[:2]:
        raise AssertionError(f"key shape {tuple(key.shape)} does not match value shape {tuple(value.shape)}")
    return query.dim() == 3


def _additive(mask: Tensor | None, name: str, like: Tensor) -> Tensor | None:
    """A mask as what is added to the scores: -inf where a mask of bools is true."""
    if mask is None or mask.is_floating_point():
        return mask
    if mask.dtype != _C.bool:
        raise AssertionError(f"only bool and floating types of {name} are supported")
    return _functions.zeros_like(mask, dtype=like.dtype).masked_fill_(mask, -math.inf)


def _attention_mask(
    mask: Tensor | None, query: Tensor, has_padding: bool, need_weights: bool, is_causal: bool
) -> tuple[Tensor | None, bool]:
    """Returns the mask to add, and whether it need not be added because it is the causal one."""
    if not is_causal:
        return _additive(mask, "attn_mask", query), False
    if mask is None:
        raise RuntimeError("Need attn_mask if specifying the is_causal hint.")
    if not has_padding and not need_weights:
        return None, True
    return _additive(mask, "attn_mask", query), False


def _projected(
    inputs: tuple[Tensor, Tensor, Tensor], weights: Any, bias: Tensor | None
) -> tuple[Tensor, ...]:
    query, key, value = inputs
    biases = (None, None, None) if bias is None else bias.chunk(3)
    if isinstance(weights, tuple):
        if any(w is None for w in weights):
            raise AssertionError("use_separate_proj_weight is True but one of the three weights is None")
        return tuple(_nn.linear(x, w, b) for x, w, b in zip(inputs, weights, biases, strict=True))
    if weights is None:
        raise AssertionError("use_separate_proj_weight is False but in_proj_weight is None")
    if query is key and key is value:
        return tuple(_nn.linear(query, weights, bias).chunk(3, -1))
    return tuple(_nn.linear(x, w, b) for x, w, b in zip(inputs, weights.chunk(3), biases, strict=True))


def _checked_mask(mask: Tensor, heads: int, length: int, source: int) -> Tensor:
    expected = (length, source) if mask.dim() == 2 else (heads, length, source)
    if tuple(mask.shape) != expected:
        raise RuntimeError(f"The shape of the attn_mask is {tuple(mask.shape)}, but should be {expected}.")
    return mask.unsqueeze(0) if mask.dim() == 2 else mask


def _check_padding(padding: Tensor, batch: int, source: int) -> None:
    if tuple(padding.shape) != (batch, source):
        raise AssertionError(
            f"key_padding_mask should have a value for each of the {batch} x {source} keys, got shape "
            f"{tuple(padding.shape)}"
        )


def _widened(mask: Tensor | None) -> Tensor | None:
    return None if mask is None else _nn.pad(mask, (0, 1))


def _in_heads(t: Tensor, heads: int, width: int) -> Tensor:
    return t.reshape(t.shape[0], heads, width).transpose(0, 1)


def _merged(mask: Tensor | None, padding: Tensor, num_heads: int) -> Tensor:
    batch, source = padding.shape
    spread = padding.view(batch, 1, 1, source).expand(-1, num_heads, -1, -1)
    spread = spread.reshape(batch * num_heads, 1, source)
    return spread if mask is None else mask + spread


def _explained(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, dropout: float, shape: tuple[int, int, int]
) -> tuple[Tensor, Tensor]:
    scaled = q * math.sqrt(1.0 / q.shape[-1])
    keys = k.transpose(-2, -1)
    scores = _functions.bmm(scaled, keys) if mask is None else _functions.baddbmm(mask, scaled, keys)
    attention = _functions.softmax(scores, -1)
    if dropout > 0.0:
        attention = _functions.dropout(attention, dropout, True)
    return _functions.bmm(attention, v).transpose(0, 1).reshape(shape), attention


def _fused(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    mask: Tensor | None,
    dropout: float,
    is_causal: bool,
    groups: tuple[int, int],
    shape: tuple[int, int, int],
) -> Tensor:
    if mask is not None:
        mask = mask.unsqueeze(0) if mask.shape[0] == 1 else mask.view(*groups, -1, k.shape[1])
    q, k, v = (t.view(*groups, t.shape[1], t.shape[2]) for t in (q, k, v))
    output = _nn.scaled_dot_product_attention(q, k, v, mask, dropout, is_causal)
    return output.permute(2, 0, 1, 3).reshape(shape)
