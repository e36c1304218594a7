"""Instance normalisation."""

from __future__ import annotations

import warnings

from ..._C import Tensor
from .. import functional as F
from .batchnorm import _LazyNormBase, _NormBase
from .module import own

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,no-untyped-call,attr-defined,misc"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

__all__ = [
    "InstanceNorm1d",
    "InstanceNorm2d",
    "InstanceNorm3d",
    "LazyInstanceNorm1d",
    "LazyInstanceNorm2d",
    "LazyInstanceNorm3d",
]


class _InstanceNorm(_NormBase):
    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = False,
        track_running_stats: bool = False,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)

    def forward(self, input: Tensor) -> Tensor:
        self._check_input_dim(input)
        batched = input.dim() == self._ranks[1]
        channels = input.shape[int(batched)]
        if channels != self.num_features:
            where = f"input's size at dim={int(batched)}"
            if self.affine:
                raise ValueError(
                    f"expected {where} to match num_features ({self.num_features}), but got: {channels}."
                )
            warnings.warn(
                f"{where} does not match num_features. You can silence this warning by not passing in "
                "num_features, which is not used because affine=False",
                stacklevel=2,
            )
        result = F.instance_norm(
            input if batched else input.unsqueeze(0),
            *own(self, "running_mean", "running_var", "weight", "bias"),
            use_input_stats=self.training or not self.track_running_stats,
            momentum=self.momentum or 0.0,
            eps=self.eps,
        )
        return result if batched else result.squeeze(0)


class InstanceNorm1d(_InstanceNorm):
    """Normalises each channel of each sample of [N, C, L] or [C, L]; with track_running_stats, in evaluation
    by running averages of mean and variance."""

    _ranks = (2, 3)


class InstanceNorm2d(_InstanceNorm):
    """InstanceNorm1d for [N, C, H, W] or [C, H, W]."""

    _ranks = (3, 4)


class InstanceNorm3d(_InstanceNorm):
    """InstanceNorm1d for [N, C, D, H, W] or [C, D, H, W]."""

    _ranks = (4, 5)


class LazyInstanceNorm1d(_LazyNormBase, _InstanceNorm):
    """An InstanceNorm1d whose num_features are the channels of the first input."""

    _ranks, cls_to_become = InstanceNorm1d._ranks, InstanceNorm1d


class LazyInstanceNorm2d(_LazyNormBase, _InstanceNorm):
    """An InstanceNorm2d whose num_features are the channels of the first input."""

    _ranks, cls_to_become = InstanceNorm2d._ranks, InstanceNorm2d


class LazyInstanceNorm3d(_LazyNormBase, _InstanceNorm):
    """An InstanceNorm3d whose num_features are the channels of the first input."""

    _ranks, cls_to_become = InstanceNorm3d._ranks, InstanceNorm3d
