"""Losses with PyTorch's signatures, in which the reduction has a name; the operators take its number."""

from __future__ import annotations

from .. import _C
from .._C import Tensor

# What the compiled module holds has its types in the stubs of the package only.
# mypy: disable-error-code="no-any-return"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

_functions = _C._VariableFunctions
_nn: Any = getattr(_C, "_nn", None)
_REDUCTIONS = {"none": 0, "mean": 1, "sum": 2}


def reduction_number(reduction: str, size_average: bool | None = None, reduce: bool | None = None) -> int:
    """The operators' number of a reduction; `size_average` and `reduce` are its older spelling.
    ValueError for another name."""
    if size_average is not None or reduce is not None:
        if reduce is False:
            return _REDUCTIONS["none"]
        return _REDUCTIONS["sum" if size_average is False else "mean"]
    if reduction not in _REDUCTIONS:
        raise ValueError(f"reduction {reduction!r}: expected 'none', 'mean' or 'sum'")
    return _REDUCTIONS[reduction]


def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    ignore_index: int = -100,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Minus the element of `input` (batch, classes, ...) at each position's class in `target`, times the
    class's `weight`; positions whose class is `ignore_index` count for nothing."""
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
    """nll_loss of log_softmax over the classes; `target` may also be a probability for each class."""
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
    """(input - target)^2, each times its `weight` if that is given; the mean is then by the weights."""
    number = reduction_number(reduction, size_average, reduce)
    if weight is None:
        return _nn.mse_loss(input, target, number)
    if weight.shape != input.shape:
        raise ValueError(f"mse_loss(): weight has shape {tuple(weight.shape)}, input {tuple(input.shape)}")
    weighted = _nn.mse_loss(input, target, _REDUCTIONS["none"]) * weight
    if number == _REDUCTIONS["none"]:
        return weighted
    total = weighted.sum()
    return total / weight.sum() if number == _REDUCTIONS["mean"] else total


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
