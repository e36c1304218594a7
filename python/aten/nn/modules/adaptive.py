"""The adaptive softmax, for many classes of which few are frequent."""

from __future__ import annotations

from collections import namedtuple

from ... import _C
from ..._C import Tensor
from .. import functional as F
from .container import ModuleList, Sequential
from .linear import Linear
from .module import Module

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,no-untyped-call,attr-defined,misc"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

__all__ = ["AdaptiveLogSoftmaxWithLoss"]

_functions = _C._VariableFunctions
_ASMoutput = namedtuple("_ASMoutput", ("output", "loss"))


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
