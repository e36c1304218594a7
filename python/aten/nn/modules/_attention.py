"""Multi-head attention."""

from __future__ import annotations

from ... import _C
from ..._C import Tensor
from .. import functional as F
from ..init import constant_, xavier_normal_, xavier_uniform_
from ..parameter import Parameter
from .linear import NonDynamicallyQuantizableLinear
from .module import Module

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,no-untyped-call,attr-defined"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

_functions = _C._VariableFunctions
_PROJECTIONS = ("q_proj_weight", "k_proj_weight", "v_proj_weight")


class MultiheadAttention(Module):
    """Attention of `num_heads` heads to keys of `kdim` and values of `vdim` features, by default embed_dim.
    Inputs are [L, N, E], [N, L, E] with `batch_first`, or [L, E] without a batch."""

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        bias: bool = True,
        add_bias_kv: bool = False,
        add_zero_attn: bool = False,
        kdim: int | None = None,
        vdim: int | None = None,
        batch_first: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        if embed_dim <= 0 or num_heads <= 0:
            raise ValueError(
                f"embed_dim and num_heads must be greater than 0, got embed_dim={embed_dim} and "
                f"num_heads={num_heads} instead"
            )
        if embed_dim % num_heads:
            raise AssertionError("embed_dim must be divisible by num_heads")
        super().__init__()
        self.embed_dim, self.num_heads, self.dropout = embed_dim, num_heads, dropout
        self.kdim = embed_dim if kdim is None else kdim
        self.vdim = embed_dim if vdim is None else vdim
        self._qkv_same_embed_dim = self.kdim == embed_dim and self.vdim == embed_dim
        self.batch_first, self.add_zero_attn = batch_first, add_zero_attn
        self.head_dim = embed_dim // num_heads

        def add(name: str, wanted: bool, *shape: int) -> None:
            made = Parameter(_functions.empty(shape, device=device, dtype=dtype)) if wanted else None
            self.register_parameter(name, made)

        for name, inputs in zip(_PROJECTIONS, (embed_dim, self.kdim, self.vdim), strict=True):
            add(name, not self._qkv_same_embed_dim, embed_dim, inputs)
        add("in_proj_weight", self._qkv_same_embed_dim, 3 * embed_dim, embed_dim)
        add("in_proj_bias", bias, 3 * embed_dim)
        self.out_proj = NonDynamicallyQuantizableLinear(
            embed_dim, embed_dim, bias=bias, device=device, dtype=dtype
        )
        for name in ("bias_k", "bias_v"):
            add(name, add_bias_kv, 1, 1, embed_dim)
        self._reset_parameters()

    def _reset_parameters(self) -> None:
        for name in ("in_proj_weight", *_PROJECTIONS):
            if getattr(self, name) is not None:
                xavier_uniform_(getattr(self, name))
        if self.in_proj_bias is not None:
            constant_(self.in_proj_bias, 0.0)
            constant_(self.out_proj.bias, 0.0)
        for bias in (self.bias_k, self.bias_v):
            if bias is not None:
                xavier_normal_(bias)

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        key_padding_mask: Tensor | None = None,
        need_weights: bool = True,
        attn_mask: Tensor | None = None,
        average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> tuple[Tensor, Tensor | None]:
        """The output, and the weights if `need_weights`. Where `key_padding_mask` [N, S] or `attn_mask`
        [L, S] or [N * num_heads, L, S] is true, there is no attention; floats are added to the scores."""
        transposed = self.batch_first and query.dim() == 3
        if transposed:
            turned = {id(t): t.transpose(1, 0) for t in (query, key, value)}  # the same ones stay the same
            query, key, value = (turned[id(t)] for t in (query, key, value))
        output, weights = F.multi_head_attention_forward(
            query,
            key,
            value,
            self.embed_dim,
            self.num_heads,
            self.in_proj_weight,
            self.in_proj_bias,
            self.bias_k,
            self.bias_v,
            self.add_zero_attn,
            self.dropout,
            self.out_proj.weight,
            self.out_proj.bias,
            training=self.training,
            key_padding_mask=key_padding_mask,
            need_weights=need_weights,
            attn_mask=attn_mask,
            use_separate_proj_weight=not self._qkv_same_embed_dim,
            q_proj_weight=self.q_proj_weight,
            k_proj_weight=self.k_proj_weight,
            v_proj_weight=self.v_proj_weight,
            average_attn_weights=average_attn_weights,
            is_causal=is_causal,
        )
        return output.transpose(1, 0) if transposed else output, weights
