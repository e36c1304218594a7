"""Batch normalisation merged into the layer before it, for evaluation."""

from __future__ import annotations

import copy

from ... import _C
from ..._C import Tensor
from ..parameter import Parameter

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,no-untyped-call,attr-defined"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

__all__ = ["fuse_conv_bn_eval", "fuse_conv_bn_weights", "fuse_linear_bn_eval", "fuse_linear_bn_weights"]

_functions = _C._VariableFunctions


def fuse_conv_bn_eval(conv: Any, bn: Any, transpose: bool = False) -> Any:
    """A convolution that computes what `conv` and then `bn` compute; `transpose` for transposed ones.
    AssertionError unless both are in evaluation mode, and bn has running statistics."""
    fused, statistics = _prepared(conv, bn)
    fused.weight, fused.bias = fuse_conv_bn_weights(
        fused.weight, fused.bias, *statistics, transpose=transpose
    )
    return fused


def fuse_linear_bn_eval(linear: Any, bn: Any) -> Any:
    """A Linear that computes what `linear` and then `bn` compute. AssertionError unless both are in
    evaluation mode, bn has running statistics, and it has one feature or those of the results."""
    fused, statistics = _prepared(linear, bn)
    if bn.num_features not in (linear.out_features, 1):
        raise AssertionError(
            "To fuse, linear.out_features == bn.num_features or bn.num_features == 1, got "
            f"linear.out_features={linear.out_features} and bn.num_features={bn.num_features}"
        )
    fused.weight, fused.bias = fuse_linear_bn_weights(fused.weight, fused.bias, *statistics)
    return fused


def _prepared(layer: Any, bn: Any) -> tuple[Any, tuple[Any, Any, Any, Any, Any]]:
    """A copy of the layer, and the statistics and parameters of bn."""
    if layer.training or bn.training:
        raise AssertionError("Fusion only for eval!")
    if bn.running_mean is None or bn.running_var is None:
        raise AssertionError("bn.running_mean and bn.running_var must not be None")
    return copy.deepcopy(layer), (bn.running_mean, bn.running_var, bn.eps, bn.weight, bn.bias)


def fuse_conv_bn_weights(
    conv_w: Tensor,
    conv_b: Tensor | None,
    bn_rm: Tensor,
    bn_rv: Tensor,
    bn_eps: float,
    bn_w: Tensor | None,
    bn_b: Tensor | None,
    transpose: bool = False,
) -> tuple[Parameter, Parameter]:
    """Weight and bias of the fused convolution."""
    inner = [1] * (conv_w.dim() - 2)
    shape = [1, -1, *inner] if transpose else [-1, 1, *inner]
    return _fused(conv_w, conv_b, (bn_rm, bn_rv, bn_eps, bn_w, bn_b), shape)


def fuse_linear_bn_weights(
    linear_w: Tensor,
    linear_b: Tensor | None,
    bn_rm: Tensor,
    bn_rv: Tensor,
    bn_eps: float,
    bn_w: Tensor | None,
    bn_b: Tensor | None,
) -> tuple[Parameter, Parameter]:
    """Weight and bias of the fused Linear."""
    return _fused(linear_w, linear_b, (bn_rm, bn_rv, bn_eps, bn_w, bn_b), [-1, 1])


def _fused(
    weight: Tensor, bias: Tensor | None, statistics: tuple[Any, ...], shape: Sequence[int]
) -> tuple[Parameter, Parameter]:
    """Weight and bias, each of its dtype; `shape` is that of a factor per output."""
    mean, var, eps, scale, shift = statistics
    factor = (var + eps).rsqrt()
    factor = factor if scale is None else factor * scale
    moved = (-mean if bias is None else bias - mean) * factor
    moved = moved if shift is None else moved + shift
    return (
        Parameter((weight * factor.reshape(shape)).to(weight.dtype), weight.requires_grad),
        Parameter(
            moved.to((weight if bias is None else bias).dtype), bias is not None and bias.requires_grad
        ),
    )
