"""Losses for many classes, with their linear layers: the adaptive softmax, and a divided cross entropy."""

from __future__ import annotations

import math
from collections import namedtuple
from dataclasses import dataclass

from ... import _C
from ..._C import Tensor, dtype
from .. import functional as F
from ._reduced import _WeightedLoss
from .container import ModuleList, Sequential
from .linear import Linear
from .module import Module, own

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,no-untyped-call,attr-defined,misc"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

__all__ = ["AdaptiveLogSoftmaxWithLoss", "LinearCrossEntropyLoss", "LinearCrossEntropyOptions"]

_functions = _C._VariableFunctions
_ASMoutput = namedtuple("_ASMoutput", ("output", "loss"))
_POLICIES = ("auto", "accurate", "balanced", "compact")
_HALVES = (_C.float16, _C.bfloat16)


class AdaptiveLogSoftmaxWithLoss(Module):
    """The log-probability of each target, and the mean loss. Classes below the first cutoff have a score
    each; those between two cutoffs are a cluster, projected to in_features / div_value ** i features."""

    def __init__(
        self,
        in_features: int,
        n_classes: int,
        cutoffs: Sequence[int],
        div_value: float = 4.0,
        head_bias: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        cutoffs = list(cutoffs)
        if not cutoffs:
            raise ValueError("cutoffs should be a sequence of length larger than 0")
        whole = all(int(c) == c for c in cutoffs)
        if not whole or cutoffs != sorted(set(cutoffs)) or cutoffs[0] <= 0 or cutoffs[-1] >= n_classes:
            raise ValueError(
                "cutoffs should be a sequence of unique, positive integers sorted in an increasing order, "
                "where each value is between 1 and n_classes-1"
            )
        self.in_features, self.n_classes, self.div_value = in_features, n_classes, div_value
        self.cutoffs = [*cutoffs, n_classes]
        self.head_bias = head_bias
        self.shortlist_size, self.n_clusters = cutoffs[0], len(cutoffs)
        self.head_size = self.shortlist_size + self.n_clusters
        factory = {"device": device, "dtype": dtype}
        self.head = Linear(in_features, self.head_size, bias=head_bias, **factory)
        self.tail = ModuleList()
        for i in range(self.n_clusters):
            inner = int(in_features // div_value ** (i + 1))
            size = self.cutoffs[i + 1] - self.cutoffs[i]
            projection = Linear(in_features, inner, bias=False, **factory)
            self.tail.append(Sequential(projection, Linear(inner, size, bias=False, **factory)))

    def reset_parameters(self) -> None:
        """Draws initial values."""
        for layer in self.modules():
            if isinstance(layer, Linear):
                layer.reset_parameters()

    def forward(self, input_: Tensor, target_: Tensor) -> Any:
        """For [N, in_features] and [N], or without N."""
        self._check(input_, target_)
        batched = target_.dim() > 0
        input, target = (input_, target_) if batched else (input_.unsqueeze(0), target_.unsqueeze(0))
        output = input.new_zeros(target.shape[0])
        in_head = target.clone()
        for i, tail in enumerate(self.tail):
            low, high = self.cutoffs[i : i + 2]
            rows = ((target >= low) & (target < high)).nonzero().squeeze(1)
            if rows.numel():
                in_head = in_head.index_fill(0, rows, self.shortlist_size + i)
                scores = F.log_softmax(tail(input.index_select(0, rows)), dim=1)
                places = (target.index_select(0, rows) - low).unsqueeze(1)
                output = output.index_copy(0, rows, scores.gather(1, places).squeeze(1))
        head = F.log_softmax(self.head(input), dim=1)
        output = output + head.gather(1, in_head.unsqueeze(1)).squeeze(1)
        loss = (-output).mean()
        return _ASMoutput(output if batched else output.squeeze(0), loss)

    def _check(self, input: Tensor, target: Tensor) -> None:
        if target.dim() > 1:
            raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
        if target.dim() == 1 and input.shape[0] != target.shape[0]:
            raise RuntimeError("Input and target should have the same size in the batch dimension.")
        if input.dim() != target.dim() + 1:
            raise RuntimeError(
                f"{target.dim()}D target tensor expects {target.dim() + 1}D input tensors, but found inputs "
                f"with size {input.shape}"
            )
        low, high = (int(target.min()), int(target.max())) if target.numel() else (0, 0)
        if low < 0 or high >= self.n_classes:
            raise RuntimeError(
                f"Target values should be in [0, {self.n_classes - 1}], but values in range [{low}, {high}] "
                "were found. "
            )

    def log_prob(self, input: Tensor) -> Tensor:
        """The log-probabilities of all classes: [N, in_features] -> [N, n_classes]."""
        return self._all_from(input, self.head(input))

    def _all_from(self, input: Tensor, head_output: Tensor) -> Tensor:
        head = F.log_softmax(head_output, dim=1)
        parts = [head[:, : self.shortlist_size]]
        for i, tail in enumerate(self.tail):
            parts.append(F.log_softmax(tail(input), dim=1) + head[:, self.shortlist_size + i].unsqueeze(1))
        return _functions.cat(parts, 1)

    def predict(self, input: Tensor) -> Tensor:
        """The likeliest class of each row; the same as log_prob(input).argmax(1), and faster."""
        head = self.head(input)
        found = head.argmax(1)
        rows = (found >= self.shortlist_size).nonzero().squeeze(1)
        if rows.numel() == 0:
            return found
        others = self._all_from(input.index_select(0, rows), head.index_select(0, rows)).argmax(1)
        return found.index_copy(0, rows, others)


@dataclass(frozen=True)
class LinearCrossEntropyOptions:
    """How linear_cross_entropy divides the batch, so that the [N, C] results of the linear layer are never
    there at once. ValueError for values that are not as below.

    batch_chunk_size: the rows that are computed at a time; None leaves it to `chunking_method`.
    chunking_method: "aspect_ratio" computes as many rows as make their results as large as the input,
        "aspect_ratio:n" an n-th of them; "auto" is "aspect_ratio" for half-precision inputs and
        "aspect_ratio:2" for others. With None and no `batch_chunk_size`, all rows are computed at once.
    acc_dtype: the dtype of the results and of the losses until they are reduced. None is the input's,
        or, with the `acc_policy` "auto", float32 for half-precision inputs.
    acc_policy: "auto", or one of PyTorch's "accurate", "balanced" and "compact", which differ there in memory
        and rounding; here all accumulate gradients in `acc_dtype`.
    allow_retain_graph: accepted for PyTorch's programs; a graph can always be retained here.
    """

    allow_retain_graph: bool = False
    batch_chunk_size: int | None = None
    chunking_method: str | None = "auto"
    acc_policy: str = "auto"
    acc_dtype: dtype | None = None

    def __post_init__(self) -> None:
        if self.acc_policy not in _POLICIES:
            raise ValueError(f"invalid acc_policy: {self.acc_policy!r}; expected one of {_POLICIES}")
        if self.chunking_method not in (None, "auto") and not _divisor(self.chunking_method):
            raise ValueError(
                f"invalid chunking_method: {self.chunking_method!r}; expected 'auto', 'aspect_ratio', "
                "'aspect_ratio:n' with n from 1 on, or None"
            )
        size = self.batch_chunk_size
        if size is not None and not (isinstance(size, int) and size > 0):
            raise ValueError(f"batch_chunk_size must be positive int or None, got {size!r}")
        if self.acc_dtype not in (None, *_HALVES, _C.float32, _C.float64):
            raise ValueError(
                f"acc_dtype must be float16, bfloat16, float32, float64 or None, got {self.acc_dtype!r}"
            )

    def _rows(self, count: int, linear_weight: Tensor) -> int:
        """Returns how many of `count` rows are computed at a time. ValueError where both options give a
        number, and these differ.
        """
        size, method = self.batch_chunk_size, self.chunking_method
        if method == "auto":
            method = "aspect_ratio" if linear_weight.dtype in _HALVES else "aspect_ratio:2"
            if size is not None:
                method = None
        if method is None:
            return max(1, min(count, size or count))
        classes, in_features = linear_weight.shape
        wanted = -(-count // max(1, -(-classes // max(1, in_features))))
        rows = max(1, min(count, (1 << max(0, wanted - 1).bit_length()) // _divisor(method)))
        if size is not None and min(count, size) != rows:
            raise ValueError(
                f"batch_chunk_size (={size}) and chunking_method ('{method}') give different chunk sizes "
                f"({size} vs {rows}); pass only one."
            )
        return rows

    def _accumulates_in(self, input: Tensor) -> dtype:
        if self.acc_dtype is None and self.acc_policy == "auto" and input.dtype in _HALVES:
            return _C.float32
        return self.acc_dtype or input.dtype


def _divisor(method: str | None) -> int:
    """Returns n of "aspect_ratio:n", 1 without it, and 0 of another method."""
    name, colon, number = (method or "").partition(":")
    if name != "aspect_ratio" or (colon and not number.isdecimal()):
        return 0
    return int(number) if colon else 1


class LinearCrossEntropyLoss(_WeightedLoss):
    """CrossEntropyLoss of a linear layer's results [N, num_classes, *out_features]: the layer is part of the
    loss, so that with `options` these results are never there at once."""

    def __init__(
        self,
        in_features: int,
        num_classes: int,
        *,
        out_features: tuple[int, ...] = (),
        bias: bool = False,
        device: Any = None,
        dtype: Any = None,
        reduction: str = "mean",
        weight: Tensor | None = None,
        ignore_index: int | None = None,
        label_smoothing: float = 0.0,
        options: LinearCrossEntropyOptions | None = None,
    ) -> None:
        if weight is not None and tuple(weight.shape) != (num_classes,):
            raise RuntimeError(f"expected weight shape to be {(num_classes,)}, got {tuple(weight.shape)}")
        if not 0 <= label_smoothing <= 1:
            raise RuntimeError(f"expected label_smoothing to be in range [0, 1], got {label_smoothing}")
        super().__init__(weight, reduction=reduction)
        self.num_classes, self.out_features = num_classes, out_features
        self.ignore_index, self.label_smoothing = ignore_index, label_smoothing
        size = math.prod(out_features, start=num_classes)
        self.linear = Linear(in_features, size, bias=bias, device=device, dtype=dtype)
        self.options = options

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        weight, bias = own(self.linear, "weight", "bias")
        shape = (self.num_classes, *self.out_features)
        return F.linear_cross_entropy(
            input,
            weight.reshape(*shape, self.linear.in_features),
            target,
            linear_bias=bias if bias is None else bias.reshape(shape),
            weight=own(self, "weight"),
            reduction=self.reduction,
            ignore_index=self.ignore_index,
            label_smoothing=self.label_smoothing,
            options=self.options,
        )

    def extra_repr(self) -> str:
        return (
            f"in_features={self.linear.in_features}, num_classes={self.num_classes}, "
            f"out_features={self.out_features}, bias={self.linear.bias is not None}, "
            f"reduction={self.reduction}, ignore_index={self.ignore_index}, "
            f"label_smoothing={self.label_smoothing}, options={self.options}"
        )
