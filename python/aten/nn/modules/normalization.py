"""Normalisations of each sample."""

from __future__ import annotations

from ..._C import Tensor
from .. import functional as F
from ..init import ones_, zeros_
from ._arguments import ArgumentsModule, repeated
from .linear import add_parameters
from .module import Module, own

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,no-untyped-call,attr-defined,misc"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

__all__ = ["GroupNorm", "LayerNorm", "LocalResponseNorm", "RMSNorm"]


class LocalResponseNorm(ArgumentsModule):
    """Divides by (k + alpha * mean of the squares of `size` neighbouring channels) ** beta."""

    _shown = "{size}, alpha={alpha}, beta={beta}, k={k}"

    def __init__(self, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> None:
        self._keep(locals())

    def forward(self, input: Tensor) -> Tensor:
        return F.local_response_norm(input, self.size, self.alpha, self.beta, self.k)


class _Affine(Module):
    """Has a weight of ones and a bias of zeros, or neither."""

    def reset_parameters(self) -> None:
        """Sets the weight to 1 and the bias to 0."""
        if self.weight is not None:
            ones_(self.weight)
        if self._parameters.get("bias") is not None:
            zeros_(self.bias)


class LayerNorm(_Affine):
    """Normalises over the last dimensions, those of `normalized_shape`."""

    def __init__(
        self,
        normalized_shape: Any,
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.normalized_shape = repeated(normalized_shape, 1)
        self.eps, self.elementwise_affine = eps, elementwise_affine
        shape = self.normalized_shape if elementwise_affine else None
        add_parameters(self, shape, shape if bias else None, device, dtype)
        self.reset_parameters()

    def forward(self, input: Tensor) -> Tensor:
        # Unpacked, as the interpreter is slow to call with *.
        shape, weight, bias, eps = own(self, "normalized_shape", "weight", "bias", "eps")
        return F.layer_norm(input, shape, weight, bias, eps)

    def extra_repr(self) -> str:
        return (
            f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}, "
            f"bias={self.bias is not None}"
        )


class GroupNorm(_Affine):
    """Normalises groups of channels (dimension 1) of each sample."""

    def __init__(
        self,
        num_groups: int,
        num_channels: int,
        eps: float = 1e-5,
        affine: bool = True,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__()
        if num_channels % num_groups != 0:
            raise ValueError(f"num_channels ({num_channels}) must be divisible by num_groups ({num_groups})")
        self.num_groups, self.num_channels = num_groups, num_channels
        self.eps, self.affine = eps, affine
        shape = (num_channels,) if affine else None
        add_parameters(self, shape, shape if bias else None, device, dtype)
        self.reset_parameters()

    def forward(self, input: Tensor) -> Tensor:
        groups, weight, bias, eps = own(self, "num_groups", "weight", "bias", "eps")
        return F.group_norm(input, groups, weight, bias, eps)

    def extra_repr(self) -> str:
        return (
            f"{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}, "
            f"bias={self.bias is not None}"
        )


class RMSNorm(_Affine):
    """Divides by the root mean square over the last dimensions, those of `normalized_shape`."""

    def __init__(
        self,
        normalized_shape: Any,
        eps: float | None = None,
        elementwise_affine: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.normalized_shape = repeated(normalized_shape, 1)
        self.eps, self.elementwise_affine = eps, elementwise_affine
        add_parameters(self, self.normalized_shape if elementwise_affine else None, None, device, dtype)
        del self.bias
        self.reset_parameters()

    def forward(self, x: Tensor) -> Tensor:
        shape, weight, eps = own(self, "normalized_shape", "weight", "eps")
        return F.rms_norm(x, shape, weight, eps)

    def extra_repr(self) -> str:
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"
