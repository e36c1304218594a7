"""Margin losses and ctc_loss with PyTorch's signatures, in which the reduction is a string."""

from __future__ import annotations

from .. import _C
from .._C import Tensor
from ._losses import reduction_number

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_functions = _C._VariableFunctions
_nn: Any = getattr(_C, "_nn", None)


def hinge_embedding_loss(
    input: Tensor,
    target: Tensor,
    margin: float = 1.0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """The distance `input` where `target` is 1, max(0, margin - input) where it is -1."""
    number = reduction_number(reduction, size_average, reduce)
    return _functions.hinge_embedding_loss(input, target, margin, number)


def margin_ranking_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """max(0, -target * (input1 - input2) + margin). RuntimeError if the tensors have different numbers of
    dimensions."""
    number = reduction_number(reduction, size_average, reduce)
    if not input1.dim() == input2.dim() == target.dim():
        raise RuntimeError(
            "margin_ranking_loss(): the tensors must have equally many dimensions, got "
            f"{input1.dim()}, {input2.dim()} and {target.dim()}"
        )
    return _functions.margin_ranking_loss(input1, input2, target, margin, number)


def cosine_embedding_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """1 - cos(input1, input2) where `target` is 1, max(0, cos(input1, input2) - margin) where it is -1."""
    number = reduction_number(reduction, size_average, reduce)
    return _functions.cosine_embedding_loss(input1, input2, target, margin, number)


def triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: float = 1.0,
    p: float = 2,
    eps: float = 1e-6,
    swap: bool = False,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """max(0, d(anchor, positive) - d(anchor, negative) + margin) for the p-norm distance d; with `swap`, the
    smaller one of d(anchor, negative) and d(positive, negative). ValueError unless margin > 0."""
    number = reduction_number(reduction, size_average, reduce)
    if margin <= 0:
        raise ValueError(f"triplet_margin_loss(): margin must be greater than 0, got {margin}")
    return _functions.triplet_margin_loss(anchor, positive, negative, margin, p, eps, swap, number)


def triplet_margin_with_distance_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    *,
    distance_function: Callable[[Tensor, Tensor], Tensor] | None = None,
    margin: float = 1.0,
    swap: bool = False,
    reduction: str = "mean",
) -> Tensor:
    """triplet_margin_loss with a custom distance function. ValueError unless margin > 0, RuntimeError for
    different numbers of dimensions."""
    number = reduction_number(reduction)
    if margin <= 0:
        raise ValueError(f"triplet_margin_with_distance_loss(): margin must be greater than 0, got {margin}")
    if not anchor.dim() == positive.dim() == negative.dim():
        raise RuntimeError(
            "triplet_margin_with_distance_loss(): the tensors must have equally many dimensions, got "
            f"{anchor.dim()}, {positive.dim()} and {negative.dim()}"
        )
    distance = _functions.pairwise_distance if distance_function is None else distance_function
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = _functions.minimum(far, distance(positive, negative))
    return _reduced((margin + near - far).clamp(min=0), number)


def soft_margin_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """log(1 + exp(-target * input)), for targets 1 and -1."""
    return _nn.soft_margin_loss(input, target, reduction_number(reduction, size_average, reduce))


def multi_margin_loss(
    input: Tensor,
    target: Tensor,
    p: int = 1,
    margin: float = 1.0,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """The sum over other classes of max(0, margin - input[target] + input[class]) ** p / C, for p in 1, 2."""
    number = reduction_number(reduction, size_average, reduce)
    if p not in (1, 2):
        raise ValueError(f"multi_margin_loss(): only p == 1 and p == 2 are supported, got {p}")
    if weight is not None and weight.dim() != 1:
        raise ValueError(f"multi_margin_loss(): weight must have one dimension, got {weight.dim()}")
    return _nn.multi_margin_loss(input, target, p, margin, weight, number)


def multilabel_margin_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """The sum over labels and other classes of max(0, 1 - (input[label] - input[class])) / C. The labels of a
    row end at the first -1."""
    return _nn.multilabel_margin_loss(input, target, reduction_number(reduction, size_average, reduce))


def multilabel_soft_margin_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """The binary cross entropy of sigmoid(input), averaged over the classes (the last dimension)."""
    number = reduction_number(reduction, size_average, reduce)
    loss = -(target * _nn.log_sigmoid(input) + (1 - target) * _nn.log_sigmoid(-input))
    if weight is not None:
        loss = loss * weight
    dim = input.dim() - 1
    return _reduced(loss.sum(dim) / input.size(dim), number)


def ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Tensor,
    target_lengths: Tensor,
    blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
) -> Tensor:
    """The negative log probability of all alignments of `targets` with `log_probs` [T, N, C]. With
    `zero_infinity`, the loss of impossible alignments is 0 instead of infinity."""
    number = reduction_number(reduction)
    return _functions.ctc_loss(
        log_probs, targets, input_lengths, target_lengths, blank, number, zero_infinity
    )


def _reduced(loss: Tensor, number: int) -> Tensor:
    return loss.mean() if number == 1 else loss.sum() if number == 2 else loss
