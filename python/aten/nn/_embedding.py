"""Embeddings with PyTorch's signatures."""

from __future__ import annotations

from .. import _C
from .._C import Tensor

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return"
_functions = _C._VariableFunctions
_MODES = {"sum": 0, "mean": 1, "max": 2}


def embedding(
    input: Tensor,
    weight: Tensor,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Tensor:
    """The rows of `weight` [num, dim] at the indices `input`, with the shape [*input.shape, dim]. The row
    `padding_idx` gets no gradient. With `max_norm`, rows of a larger `norm_type`-norm are first scaled down
    to it, in place."""
    if padding_idx is None:
        padding_idx = -1
    elif not -weight.size(0) <= padding_idx < weight.size(0):
        raise ValueError(
            f"embedding(): padding_idx {padding_idx} is not a row of the {weight.size(0)} in weight"
        )
    elif padding_idx < 0:
        padding_idx += weight.size(0)
    if max_norm is not None:
        input = input.contiguous()
        _functions.embedding_renorm_(weight.detach(), input, max_norm, norm_type)
    return _functions.embedding(weight, input, padding_idx, scale_grad_by_freq, sparse)


def _as_bags(input: Tensor, offsets: Tensor | None) -> tuple[Tensor, Tensor]:
    """The indices and the offsets of the bags, as vectors; each row of a 2-dim input is a bag."""
    if input.dim() == 2:
        if offsets is not None:
            raise ValueError("if input is 2D, then offsets has to be None, as each row is a bag")
        starts = _functions.arange(
            0, input.numel(), max(input.size(1), 1), dtype=input.dtype, device=input.device
        )
        return input.reshape(-1), starts
    if input.dim() != 1:
        raise ValueError(f"input has to be 1D or 2D Tensor, but got Tensor of dimension {input.dim()}")
    if offsets is None or offsets.dim() != 1:
        raise ValueError(
            f"offsets has to be a 1D Tensor, got {'None' if offsets is None else tuple(offsets.shape)}"
        )
    return input, offsets


def _check_bag_options(
    mode: str, scale_grad_by_freq: bool, sparse: bool, per_sample_weights: Tensor | None
) -> None:
    if mode not in _MODES:
        raise ValueError(f"mode has to be one of sum, mean or max, got {mode!r}")
    if mode == "max" and scale_grad_by_freq:
        raise ValueError("max mode does not support scaling the gradient by the frequency")
    if mode == "max" and sparse:
        raise ValueError("max mode does not support sparse weights")
    if per_sample_weights is not None and mode != "sum":
        raise NotImplementedError(f"per_sample_weights is only supported for mode='sum' (got {mode!r})")


def embedding_bag(
    input: Tensor,
    weight: Tensor,
    offsets: Tensor | None = None,
    max_norm: float | None = None,
    norm_type: float = 2,
    scale_grad_by_freq: bool = False,
    mode: str = "mean",
    sparse: bool = False,
    per_sample_weights: Tensor | None = None,
    include_last_offset: bool = False,
    padding_idx: int | None = None,
) -> Tensor:
    """Sums, means or maxima (`mode`) of bags of rows of `weight` [num, dim]. Bag i has the indices of `input`
    from offsets[i] on, or of row i of a 2-dim input. The index `padding_idx` is ignored."""
    if per_sample_weights is not None and input.shape != per_sample_weights.shape:
        raise ValueError(
            f"embedding_bag: per_sample_weights has shape {tuple(per_sample_weights.shape)}, expected "
            f"that of input, {tuple(input.shape)}"
        )
    if weight.dim() != 2:
        raise ValueError(f"weight has to be a 2D Tensor, but got Tensor of dimension {weight.dim()}")
    rows = input.dim() == 2
    input, offsets = _as_bags(input, offsets)
    _check_bag_options(mode, scale_grad_by_freq, sparse, per_sample_weights)
    if max_norm is not None:
        _functions.embedding_renorm_(weight.detach(), input, max_norm, norm_type)
    if rows and per_sample_weights is not None:
        per_sample_weights = per_sample_weights.reshape(-1)
    return _functions.embedding_bag(
        weight,
        input,
        offsets,
        scale_grad_by_freq,
        _MODES[mode],
        sparse,
        per_sample_weights,
        include_last_offset and not rows,
        padding_idx,
    )[0]
