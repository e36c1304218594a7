"""The cross entropy of a linear layer's results, of a part of the batch at a time where that is asked for."""

from __future__ import annotations

import warnings

from .. import _C
from .._C import Tensor
from ._losses import REDUCTIONS, cross_entropy

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,attr-defined"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

    from .._C import dtype
    from .modules.adaptive import LinearCrossEntropyOptions

_functions = _C._VariableFunctions
_linear: Any = getattr(getattr(_C, "_nn", None), "linear", None)


def linear_cross_entropy(
    input: Tensor,
    linear_weight: Tensor,
    target: Tensor,
    *,
    linear_bias: Tensor | None = None,
    weight: Tensor | None = None,
    reduction: str = "mean",
    ignore_index: int | None = None,
    label_smoothing: float = 0.0,
    options: LinearCrossEntropyOptions | None = None,
) -> Tensor:
    """cross_entropy(linear(input, linear_weight, linear_bias), target, ...), for `input` [in_features] or
    [N, in_features] and `linear_weight` [C, ..., in_features]; `target` has the classes [N, ...], or a
    probability for each class. With `options`, the [N, C] results of the linear layer are never there at
    once: a part of the batch is computed at a time, and again in the backward pass. RuntimeError for other
    shapes.
    """
    logits_shape = _checked(input, linear_weight, linear_bias)
    has_probabilities = tuple(target.shape) == logits_shape
    if has_probabilities and ignore_index is not None:
        raise RuntimeError("ignore_index cannot be specified when target contains probabilities")
    ignored = -100 if ignore_index is None else ignore_index
    if options is not None and _divides(linear_weight, target, reduction, label_smoothing):
        return _divided(input, linear_weight, target, linear_bias, weight, reduction, ignored, options)
    if linear_weight.dim() > 2:
        linear_weight = linear_weight.flatten(0, -2)
        linear_bias = linear_bias if linear_bias is None else linear_bias.flatten()
    logits = _linear(input, linear_weight, linear_bias).reshape(logits_shape)
    return cross_entropy(
        logits, target, weight, ignore_index=ignored, reduction=reduction, label_smoothing=label_smoothing
    )


def _checked(input: Tensor, linear_weight: Tensor, linear_bias: Tensor | None) -> tuple[int, ...]:
    """Returns the shape of the linear layer's results: [N, C, ...], or [C, ...] without N."""
    if input.dim() not in (1, 2):
        raise RuntimeError(f"expected input with dimensionality 1 or 2, got {input.dim()}")
    if linear_weight.dim() < 2:
        raise RuntimeError(
            f"expected linear_weight with dimensionality at least 2, got {linear_weight.dim()}"
        )
    *outer, in_features = linear_weight.shape
    if input.shape[-1] != in_features:
        raise RuntimeError(
            "expected equal input and linear_weight last dimensions (in_features), "
            f"got {input.shape[-1]} and {in_features}, respectively"
        )
    if linear_bias is not None and list(linear_bias.shape) != outer:
        raise RuntimeError(f"expected linear_bias shape {tuple(outer)}, got {tuple(linear_bias.shape)}")
    if len(outer) > 1 and input.dim() == 1:
        raise RuntimeError(
            f"K-dimensional loss defined by linear_weight shape {tuple(linear_weight.shape)} requires "
            f"batched input, (N, {in_features}), got unbatched input with shape {tuple(input.shape)}"
        )
    return (*input.shape[:-1], *outer)


def _divides(linear_weight: Tensor, target: Tensor, reduction: str, label_smoothing: float) -> bool:
    """Whether the batch can be divided; warns where `options` are ignored."""
    found = {
        "a reduction of 'mean', 'sum' or 'none'": (reduction in REDUCTIONS, f"{reduction=}"),
        "label_smoothing == 0": (label_smoothing == 0, f"{label_smoothing=}"),
        "a target of int64": (target.dtype is _C.int64, f"target.dtype={target.dtype}"),
        "linear_weight [C, in_features]": (linear_weight.dim() == 2, f"{tuple(linear_weight.shape)}"),
    }
    unmet = [f"expected {wanted}, got {got}" for wanted, (is_met, got) in found.items() if not is_met]
    if unmet:
        warnings.warn(f"linear_cross_entropy: ``options`` ignored; {'; '.join(unmet)}", stacklevel=3)
    return not unmet


def _divided(
    input: Tensor,
    linear_weight: Tensor,
    target: Tensor,
    linear_bias: Tensor | None,
    weight: Tensor | None,
    reduction: str,
    ignored: int,
    options: LinearCrossEntropyOptions,
) -> Tensor:
    from ..utils.checkpoint import checkpoint

    is_batch = input.dim() == 2
    inputs, targets = (input, target) if is_batch else (input.unsqueeze(0), target.unsqueeze(0))
    rows = options._rows(len(inputs), linear_weight)
    dtype = options._accumulates_in(input)
    layer = [t if t is None else t.to(dtype) for t in (linear_weight, linear_bias, weight)]
    parts = zip(inputs.split(rows), targets.split(rows), strict=True)
    losses = [checkpoint(_losses_of, x, t, *layer, ignored, use_reentrant=False) for x, t in parts]
    loss = _functions.cat(losses)
    if reduction == "none":
        return (loss if is_batch else loss.squeeze(0)).to(input.dtype)
    total = loss.sum()
    if reduction == "mean":
        total = total / _total_weight(targets, layer[2], ignored, dtype)
    return total.to(input.dtype)


def _losses_of(
    input: Tensor,
    target: Tensor,
    linear_weight: Tensor,
    linear_bias: Tensor | None,
    weight: Tensor | None,
    ignored: int,
) -> Tensor:
    logits = _linear(input.to(linear_weight.dtype), linear_weight, linear_bias)
    return cross_entropy(logits, target, weight, ignore_index=ignored, reduction="none")


def _total_weight(target: Tensor, weight: Tensor | None, ignored: int, dtype: dtype) -> Tensor:
    """Returns the sum of the weights of all targets that count."""
    counts = target != ignored
    if weight is None:
        return counts.sum().to(dtype)
    return (weight[target.where(counts, 0)] * counts).sum()
