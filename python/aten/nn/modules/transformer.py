"""Transformers."""

from __future__ import annotations

import copy

from ... import _C
from ..._C import Tensor
from .. import functional as F
from ..init import xavier_uniform_
from ._transformer_layers import TransformerDecoderLayer, TransformerEncoderLayer
from ._transformer_layers import _get_activation_fn as _get_activation_fn
from .container import ModuleList
from .module import Module
from .normalization import LayerNorm

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,no-untyped-call,attr-defined,misc"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

__all__ = [
    "Transformer",
    "TransformerDecoder",
    "TransformerDecoderLayer",
    "TransformerEncoder",
    "TransformerEncoderLayer",
]

_functions = _C._VariableFunctions


def _subsequent_mask(size: int, device: Any = None, dtype: Any = None) -> Tensor:
    return _functions.full((size, size), float("-inf"), dtype=dtype, device=device).triu(1)


def _is_causal(mask: Tensor | None, is_causal: bool | None) -> bool:
    """What the caller said; otherwise whether the mask is the causal one."""
    if is_causal is not None or mask is None:
        return bool(is_causal)
    if mask.dim() != 2 or mask.shape[0] != mask.shape[1] or not mask.is_floating_point():
        return False
    return bool((mask == _subsequent_mask(mask.shape[0], mask.device, mask.dtype)).all())


def _get_clones(module: Module, N: int) -> ModuleList:
    """N copies of a module."""
    return ModuleList([copy.deepcopy(module) for _ in range(N)])


class _Stack(Module):
    """Copies of a layer, and a normalisation after the last."""

    def __init__(self, layer: Module, num_layers: int, norm: Module | None) -> None:
        super().__init__()
        self.layers = _get_clones(layer, num_layers)
        self.num_layers, self.norm = num_layers, norm

    def _run(self, output: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        for layer in self.layers:
            output = layer(output, *args, **kwargs)
        return output if self.norm is None else self.norm(output)


class TransformerEncoder(_Stack):
    """`num_layers` copies of an encoder layer. `enable_nested_tensor` and `mask_check` have no effect."""

    def __init__(
        self,
        encoder_layer: Module,
        num_layers: int,
        norm: Module | None = None,
        enable_nested_tensor: bool = True,
        mask_check: bool = True,
    ) -> None:
        super().__init__(encoder_layer, num_layers, norm)
        self.enable_nested_tensor, self.mask_check = enable_nested_tensor, mask_check

    def forward(
        self,
        src: Tensor,
        mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        is_causal: bool | None = None,
    ) -> Tensor:
        causal = _is_causal(mask, is_causal)
        return self._run(src, src_mask=mask, is_causal=causal, src_key_padding_mask=src_key_padding_mask)


class TransformerDecoder(_Stack):
    """`num_layers` copies of a decoder layer."""

    def __init__(self, decoder_layer: Module, num_layers: int, norm: Module | None = None) -> None:
        super().__init__(decoder_layer, num_layers, norm)

    def forward(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        tgt_is_causal: bool | None = None,
        memory_is_causal: bool = False,
    ) -> Tensor:
        return self._run(
            tgt,
            memory,
            tgt_mask=tgt_mask,
            memory_mask=memory_mask,
            tgt_key_padding_mask=tgt_key_padding_mask,
            memory_key_padding_mask=memory_key_padding_mask,
            tgt_is_causal=_is_causal(tgt_mask, tgt_is_causal),
            memory_is_causal=memory_is_causal,
        )


class Transformer(Module):
    """An encoder and a decoder: [S, N, d_model] and [T, N, d_model] -> [T, N, d_model]; [N, S, d_model] with
    `batch_first`."""

    def __init__(
        self,
        d_model: int = 512,
        nhead: int = 8,
        num_encoder_layers: int = 6,
        num_decoder_layers: int = 6,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: Any = F.relu,
        custom_encoder: Any = None,
        custom_decoder: Any = None,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        factory = {"device": device, "dtype": dtype}
        options = (d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first)

        def norm() -> LayerNorm:
            return LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **factory)

        if custom_encoder is None:
            layer: Module = TransformerEncoderLayer(*options, norm_first, bias, **factory)
            custom_encoder = TransformerEncoder(layer, num_encoder_layers, norm())
        self.encoder = custom_encoder
        if custom_decoder is None:
            layer = TransformerDecoderLayer(*options, norm_first, bias, **factory)
            custom_decoder = TransformerDecoder(layer, num_decoder_layers, norm())
        self.decoder = custom_decoder
        self._reset_parameters()
        self.d_model, self.nhead, self.batch_first = d_model, nhead, batch_first

    def _reset_parameters(self) -> None:
        for parameter in self.parameters():
            if parameter.dim() > 1:
                xavier_uniform_(parameter)

    @staticmethod
    def generate_square_subsequent_mask(sz: int, device: Any = None, dtype: Any = None) -> Tensor:
        """The mask of attention to earlier positions: -inf above the diagonal, 0 elsewhere."""
        return _subsequent_mask(sz, device, dtype)

    def forward(
        self,
        src: Tensor,
        tgt: Tensor,
        src_mask: Tensor | None = None,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        src_is_causal: bool | None = None,
        tgt_is_causal: bool | None = None,
        memory_is_causal: bool = False,
    ) -> Tensor:
        batch = 0 if self.batch_first else 1
        if src.dim() == 3 and src.shape[batch] != tgt.shape[batch]:
            raise RuntimeError("the batch number of src and tgt must be equal")
        if src.shape[-1] != self.d_model or tgt.shape[-1] != self.d_model:
            raise RuntimeError("the feature number of src and tgt must be equal to d_model")
        memory = self.encoder(
            src, mask=src_mask, src_key_padding_mask=src_key_padding_mask, is_causal=src_is_causal
        )
        return self.decoder(
            tgt,
            memory,
            tgt_mask=tgt_mask,
            memory_mask=memory_mask,
            tgt_key_padding_mask=tgt_key_padding_mask,
            memory_key_padding_mask=memory_key_padding_mask,
            tgt_is_causal=tgt_is_causal,
            memory_is_causal=memory_is_causal,
        )
