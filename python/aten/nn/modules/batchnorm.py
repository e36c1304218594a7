"""Batch normalisation."""

from __future__ import annotations

from ... import _C
from ..._C import Tensor, int64
from .. import functional as F
from ..init import ones_, zeros_
from ..parameter import UninitializedBuffer, UninitializedParameter
from .lazy import LazyModuleMixin
from .linear import add_parameters
from .module import Module, own

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,no-untyped-call,attr-defined,misc"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

__all__ = [
    "BatchNorm1d",
    "BatchNorm2d",
    "BatchNorm3d",
    "LazyBatchNorm1d",
    "LazyBatchNorm2d",
    "LazyBatchNorm3d",
]

_functions = _C._VariableFunctions


class _NormBase(Module):
    """Keeps the mean and variance of each channel."""

    _version = 2  # version 1 had no num_batches_tracked
    _ranks: tuple[int, ...]  # of inputs

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__()
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats = affine, track_running_stats
        shape = (num_features,) if affine else None
        add_parameters(self, shape, shape if bias else None, device, dtype)
        tracked: tuple[Any, ...] = (None, None, None)
        if track_running_stats:
            mean = _functions.zeros(num_features, device=device, dtype=dtype)
            tracked = (mean, mean + 1, _functions.zeros((), device=device, dtype=int64))
        for name, buffer in zip(("running_mean", "running_var", "num_batches_tracked"), tracked, strict=True):
            self.register_buffer(name, buffer)
        self.reset_parameters()

    def reset_running_stats(self) -> None:
        """Sets the running mean to 0 and the running variance to 1."""
        if self.track_running_stats:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self) -> None:
        """Sets the weight to 1 and the bias to 0, and resets the running statistics."""
        self.reset_running_stats()
        if self.affine:
            ones_(self.weight)
            if self.bias is not None:
                zeros_(self.bias)

    def _check_input_dim(self, input: Tensor) -> None:
        if input.dim() not in self._ranks:
            expected = " or ".join(f"{rank}D" for rank in self._ranks)
            raise ValueError(f"expected {expected} input (got {input.dim()}D input)")

    def extra_repr(self) -> str:
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"bias={self.bias is not None}, track_running_stats={self.track_running_stats}"
        )

    def _load_from_state_dict(
        self, state_dict: Any, prefix: str, local_metadata: dict[str, Any], *errors: Any
    ) -> None:
        key = prefix + "num_batches_tracked"
        if (local_metadata.get("version") or 1) < 2 and self.track_running_stats and key not in state_dict:
            number = self.num_batches_tracked
            known = number is not None and not number.is_meta
            state_dict[key] = number if known else _functions.zeros((), dtype=int64)
        super()._load_from_state_dict(state_dict, prefix, local_metadata, *errors)


class _BatchNorm(_NormBase):
    def forward(self, input: Tensor) -> Tensor:
        self._check_input_dim(input)
        training, momentum = own(self, "training", "momentum")
        mean, variance = own(self, "running_mean", "running_var")
        if training and self.track_running_stats:
            number = own(self, "num_batches_tracked")
            if number is not None:
                number.add_(1)
                if momentum is None:
                    momentum = 1.0 / float(number)  # a plain average
        elif training:
            mean = variance = None
        by_batch = training or (mean is None and variance is None)
        weight, bias = own(self, "weight", "bias")
        return F.batch_norm(input, mean, variance, weight, bias, by_batch, momentum or 0.0, self.eps)


class BatchNorm1d(_BatchNorm):
    """Normalises each channel of [N, C] or [N, C, L] over the batch: by its mean and variance, in evaluation
    by the running averages of these; without a momentum, these are plain averages."""

    _ranks = (2, 3)


class BatchNorm2d(_BatchNorm):
    """BatchNorm1d for [N, C, H, W]."""

    _ranks = (4,)


class BatchNorm3d(_BatchNorm):
    """BatchNorm1d for [N, C, D, H, W]."""

    _ranks = (5,)


class _LazyNormBase(LazyModuleMixin):
    def __init__(
        self,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__(0, eps, momentum, False, False)
        self.affine, self.track_running_stats = affine, track_running_stats
        factory = {"device": device, "dtype": dtype}
        if affine:
            self.weight = UninitializedParameter(**factory)
            if bias:
                self.bias = UninitializedParameter(**factory)
        if track_running_stats:
            self.running_mean = UninitializedBuffer(**factory)
            self.running_var = UninitializedBuffer(**factory)
            self.num_batches_tracked = _functions.zeros((), device=device, dtype=int64)

    def reset_parameters(self) -> None:
        if not self.has_uninitialized_params() and self.num_features != 0:
            super().reset_parameters()

    def initialize_parameters(self, input: Tensor) -> None:
        """Makes the parameters for the input's number of channels."""
        if self.has_uninitialized_params():
            self.num_features = input.shape[1]
            for name in ("weight", "bias", "running_mean", "running_var"):
                if getattr(self, name) is not None:
                    getattr(self, name).materialize((self.num_features,))
            self.reset_parameters()


class LazyBatchNorm1d(_LazyNormBase, _BatchNorm):
    """A BatchNorm1d whose num_features are the channels of the first input."""

    _ranks, cls_to_become = BatchNorm1d._ranks, BatchNorm1d


class LazyBatchNorm2d(_LazyNormBase, _BatchNorm):
    """A BatchNorm2d whose num_features are the channels of the first input."""

    _ranks, cls_to_become = BatchNorm2d._ranks, BatchNorm2d


class LazyBatchNorm3d(_LazyNormBase, _BatchNorm):
    """A BatchNorm3d whose num_features are the channels of the first input."""

    _ranks, cls_to_become = BatchNorm3d._ranks, BatchNorm3d
