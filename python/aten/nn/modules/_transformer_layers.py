"""The layers of transformers."""

from __future__ import annotations

from ..._C import Tensor
from .. import functional as F
from ._attention import MultiheadAttention
from .dropout import Dropout
from .linear import Linear
from .module import Module
from .normalization import LayerNorm

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,no-untyped-call,attr-defined,misc"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_ACTIVATIONS: dict[str, Any] = {"relu": F.relu, "gelu": F.gelu}


def _get_activation_fn(activation: str) -> Callable[[Tensor], Tensor]:
    if activation not in _ACTIVATIONS:
        raise RuntimeError(f"activation should be relu/gelu, not {activation}")
    function: Callable[[Tensor], Tensor] = _ACTIVATIONS[activation]
    return function


class _TransformerLayer(Module):
    """Blocks of attentions and a feed-forward network, each added to its input; the normalisation is of the
    sum, or with `norm_first` of the block's input."""

    _attentions: tuple[str, ...]

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: Any = F.relu,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        factory = {"device": device, "dtype": dtype}
        for name in self._attentions:
            attention = MultiheadAttention(
                d_model, nhead, dropout=dropout, bias=bias, batch_first=batch_first, **factory
            )
            setattr(self, name, attention)
        self.linear1 = Linear(d_model, dim_feedforward, bias=bias, **factory)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias=bias, **factory)
        self.norm_first = norm_first
        numbers = range(1, len(self._attentions) + 2)
        for i in numbers:
            setattr(self, f"norm{i}", LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **factory))
        for i in numbers:
            setattr(self, f"dropout{i}", Dropout(dropout))
        if isinstance(activation, str):
            activation = _get_activation_fn(activation)
        self.activation = activation

    def _attend(self, number: int, x: Tensor, memory: Tensor | None, **options: Any) -> Tensor:
        """The block of an attention, to itself or to the memory."""
        attention = getattr(self, self._attentions[number - 1])

        def block(y: Tensor) -> Tensor:
            source = y if memory is None else memory
            return attention(y, source, source, need_weights=False, **options)[0]

        return self._add(number, x, block)

    def _feed_forward(self, x: Tensor) -> Tensor:
        def block(y: Tensor) -> Tensor:
            return self.linear2(self.dropout(self.activation(self.linear1(y))))

        return self._add(len(self._attentions) + 1, x, block)

    def _add(self, number: int, x: Tensor, block: Any) -> Tensor:
        norm, dropout = getattr(self, f"norm{number}"), getattr(self, f"dropout{number}")
        return x + dropout(block(norm(x))) if self.norm_first else norm(x + dropout(block(x)))


class TransformerEncoderLayer(_TransformerLayer):
    """Self-attention and a feed-forward network."""

    _attentions = ("self_attn",)

    def forward(
        self,
        src: Tensor,
        src_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        is_causal: bool = False,
    ) -> Tensor:
        x = self._attend(
            1, src, None, attn_mask=src_mask, key_padding_mask=src_key_padding_mask, is_causal=is_causal
        )
        return self._feed_forward(x)


class TransformerDecoderLayer(_TransformerLayer):
    """Self-attention, attention to the encoder's output, and a feed-forward network."""

    _attentions = ("self_attn", "multihead_attn")

    def forward(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        tgt_is_causal: bool = False,
        memory_is_causal: bool = False,
    ) -> Tensor:
        x = self._attend(
            1, tgt, None, attn_mask=tgt_mask, key_padding_mask=tgt_key_padding_mask, is_causal=tgt_is_causal
        )
        x = self._attend(
            2,
            x,
            memory,
            attn_mask=memory_mask,
            key_padding_mask=memory_key_padding_mask,
            is_causal=memory_is_causal,
        )
        return self._feed_forward(x)
