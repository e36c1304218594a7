"""Losses with PyTorch's signatures, in which the reduction is a string; the operators take an integer."""

from __future__ import annotations

import warnings

from .. import _C
from .._C import Tensor

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

_functions = _C._VariableFunctions
_nn: Any = getattr(_C, "_nn", None)
REDUCTIONS = {"none": 0, "mean": 1, "sum": 2}


def reduction_number(reduction: str, size_average: bool | None = None, reduce: bool | None = None) -> int:
    """The operators' integer for a reduction; `size_average` and `reduce` are deprecated arguments for it.
    ValueError for an unknown name.
    """
    if size_average is not None or reduce is not None:
        if reduce is False:
            return REDUCTIONS["none"]
        return REDUCTIONS["sum" if size_average is False else "mean"]
    if reduction not in REDUCTIONS:
        raise ValueError(f"reduction {reduction!r}: expected 'none', 'mean' or 'sum'")
    return REDUCTIONS[reduction]


def _warn_of_broadcasting(name: str, input: Tensor, target: Tensor) -> None:
    if input.shape != target.shape:
        warnings.warn(
            f"{name}(): target has shape {tuple(target.shape)}, input {tuple(input.shape)}; they are "
            "broadcast, which is rarely meant. Please ensure they have the same size.",
            stacklevel=3,
        )


def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    ignore_index: int = -100,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """The negative element of `input` [N, C, ...] at each position's class in `target` [N, ...], times the
    class's `weight`. Positions with the class `ignore_index` are ignored."""
    number = reduction_number(reduction, size_average, reduce)
    return _nn.nll_loss_nd(input, target, weight, number, ignore_index)


def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    ignore_index: int = -100,
    reduce: bool | None = None,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    """nll_loss of log_softmax over the classes; `target` may also have a probability for each class."""
    number = reduction_number(reduction, size_average, reduce)
    return _nn.cross_entropy_loss(input, target, weight, number, ignore_index, label_smoothing)


def mse_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:
    """(input - target)^2, times `weight` if that is given; the mean is then the weighted mean."""
    _warn_of_broadcasting("mse_loss", input, target)
    number = reduction_number(reduction, size_average, reduce)
    if weight is None:
        return _nn.mse_loss(input, target, number)
    return _weighted("mse_loss", _nn.mse_loss(input, target, REDUCTIONS["none"]), weight, number)


def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    pos_weight: Tensor | None = None,
) -> Tensor:
    """The binary cross entropy of sigmoid(input), with `pos_weight` for the positive class.
    ValueError where input and target have different shapes."""
    if target.shape != input.shape:
        raise ValueError(
            f"Target size ({tuple(target.shape)}) must be the same as input size ({tuple(input.shape)})"
        )
    number = reduction_number(reduction, size_average, reduce)
    return _functions.binary_cross_entropy_with_logits(input, target, weight, pos_weight, number)


def l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:
    """|input - target|, times `weight` if that is given; the mean is then the weighted mean."""
    _warn_of_broadcasting("l1_loss", input, target)
    number = reduction_number(reduction, size_average, reduce)
    if weight is None:
        return _nn.l1_loss(input, target, number)
    return _weighted("l1_loss", _nn.l1_loss(input, target, REDUCTIONS["none"]), weight, number)


def smooth_l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    beta: float = 1.0,
) -> Tensor:
    """|input - target|, but quadratic below `beta`, so that it is smooth at 0."""
    _warn_of_broadcasting("smooth_l1_loss", input, target)
    number = reduction_number(reduction, size_average, reduce)
    if beta == 0.0:
        return _nn.l1_loss(input, target, number)
    return _nn.smooth_l1_loss(input, target, number, beta)


def huber_loss(
    input: Tensor,
    target: Tensor,
    reduction: str = "mean",
    delta: float = 1.0,
    weight: Tensor | None = None,
) -> Tensor:
    """Half the squared difference up to `delta`, linear beyond; times `weight` if that is given."""
    _warn_of_broadcasting("huber_loss", input, target)
    number = reduction_number(reduction)
    if weight is None:
        return _nn.huber_loss(input, target, number, delta)
    each = _nn.huber_loss(input, target, REDUCTIONS["none"], delta)
    return _weighted("huber_loss", each, weight, number)


def binary_cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """-(target log(input) + (1 - target) log(1 - input)) of probabilities, times `weight`.
    ValueError where input and target have different shapes."""
    number = reduction_number(reduction, size_average, reduce)
    if target.shape != input.shape:
        raise ValueError(
            f"binary_cross_entropy(): target has shape {tuple(target.shape)}, input {tuple(input.shape)}; "
            "make them equal"
        )
    if weight is not None:
        weight = weight.expand(target.shape)
    return _nn.binary_cross_entropy(input, target, weight, number)


def kl_div(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    log_target: bool = False,
) -> Tensor:
    """target * (log(target) - input), the Kullback-Leibler divergence of `target` from exp(input). The
    reduction 'batchmean' divides the sum by the batch size, which is the mathematical definition."""
    if size_average is None and reduce is None and reduction == "batchmean":
        total = _functions.kl_div(input, target, REDUCTIONS["sum"], log_target=log_target)
        return total / input.size(0) if input.dim() else total
    number = reduction_number(reduction, size_average, reduce)
    return _functions.kl_div(input, target, number, log_target=log_target)


def poisson_nll_loss(
    input: Tensor,
    target: Tensor,
    log_input: bool = True,
    full: bool = False,
    size_average: bool | None = None,
    eps: float = 1e-8,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """The negative log likelihood of the counts `target` for the rate exp(input), or without `log_input` for
    the rate `input`."""
    number = reduction_number(reduction, size_average, reduce)
    return _functions.poisson_nll_loss(input, target, log_input, full, eps, number)


def gaussian_nll_loss(
    input: Tensor,
    target: Tensor,
    var: Tensor | float,
    full: bool = False,
    eps: float = 1e-6,
    reduction: str = "mean",
) -> Tensor:
    """The negative log likelihood of `target` for normal distributions with means `input` and variances `var`
    (clamped to at least `eps`). ValueError for a negative variance or a wrong shape."""
    if not isinstance(var, Tensor):
        if var < 0:
            raise ValueError(f"gaussian_nll_loss(): var must not be negative, got {var}")
        var = input.new_full(input.shape, var)
    elif var.shape != input.shape:
        if tuple(input.shape[:-1]) == tuple(var.shape):
            var = var.unsqueeze(-1)
        elif len(var.shape) != len(input.shape) or any(
            v not in (1, i) for v, i in zip(var.shape, input.shape, strict=True)
        ):
            raise ValueError(
                f"gaussian_nll_loss(): var of shape {tuple(var.shape)} doesn't fit {tuple(input.shape)}"
            )
    number = reduction_number(reduction)
    if var.device.type != "meta" and bool((var < 0).any()):
        raise ValueError("gaussian_nll_loss(): var has a negative element")
    variance = var.detach().clamp(min=eps) + (var - var.detach())
    loss = 0.5 * (variance.log() + (input - target) ** 2 / variance)
    if full:
        loss = loss + 0.9189385332046727  # log(2 pi) / 2
    return loss.mean() if number == 1 else loss.sum() if number == 2 else loss


def _weighted(name: str, each: Tensor, weight: Tensor, number: int) -> Tensor:
    if weight.shape != each.shape:
        raise ValueError(f"{name}(): weight has shape {tuple(weight.shape)}, input {tuple(each.shape)}")
    weighted = each * weight
    if number == REDUCTIONS["none"]:
        return weighted
    return weighted.sum() / weight.sum() if number == REDUCTIONS["mean"] else weighted.sum()
