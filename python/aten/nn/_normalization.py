"""Normalisations with PyTorch's signatures."""

from __future__ import annotations

import math

from .. import _C
from .._C import Tensor

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

_functions = _C._VariableFunctions
_nn: Any = getattr(_C, "_nn", None)


def _check_several_values(size: Sequence[int]) -> None:
    """ValueError if each channel (dimension 1) has only one value, whose variance is undefined."""
    if size[0] * math.prod(size[2:]) == 1:
        raise ValueError(
            f"Expected more than 1 value per channel when training, got input size {tuple(size)}"
        )


def batch_norm(
    input: Tensor,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Normalises each channel (dimension 1) over the batch: in `training` by the batch's statistics, which
    also update `running_mean` and `running_var`; otherwise by these."""
    if eps < 0 or (training and eps == 0):
        wanted = "positive during training" if training else "non-negative"
        raise ValueError(f"batch_norm eps must be {wanted}, but got {eps}")
    if training:
        _check_several_values(input.shape)
    return _functions.batch_norm(
        input, weight, bias, running_mean, running_var, training, momentum, eps, True
    )


def instance_norm(
    input: Tensor,
    running_mean: Tensor | None = None,
    running_var: Tensor | None = None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    use_input_stats: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Normalises each channel of each sample; by the running statistics unless `use_input_stats`."""
    if use_input_stats and math.prod(input.shape[2:]) == 1:
        raise ValueError(
            f"Expected more than 1 spatial element when training, got input size {tuple(input.shape)}"
        )
    return _functions.instance_norm(
        input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, True
    )


def group_norm(
    input: Tensor,
    num_groups: int,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """Normalises groups of channels of each sample, then scales channels by `weight` and adds `bias`."""
    if input.dim() < 2:
        raise RuntimeError(f"Expected at least 2 dimensions for input tensor but received {input.dim()}")
    if num_groups > 0:
        samples, channels, *inner = input.shape
        _check_several_values((samples * channels // num_groups, num_groups, *inner))
    return _functions.group_norm(input, num_groups, weight, bias, eps, True)


def layer_norm(
    input: Tensor,
    normalized_shape: Any,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """Normalises over the last dimensions, those of `normalized_shape`, then scales by `weight` and adds
    `bias`."""
    return _functions.layer_norm(input, normalized_shape, weight, bias, eps)


def rms_norm(
    input: Tensor, normalized_shape: Any, weight: Tensor | None = None, eps: float | None = None
) -> Tensor:
    """Divides by the root mean square over the last dimensions, those of `normalized_shape`, and scales by
    `weight`."""
    return _functions.rms_norm(input, normalized_shape, weight, eps)


def local_response_norm(
    input: Tensor, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0
) -> Tensor:
    """Divides by (k + alpha * mean of the squares of `size` neighbouring channels) ** beta.
    ValueError for fewer than 3 dimensions."""
    if input.dim() < 3:
        raise ValueError(f"Expected 3D or higher dimensionality input (got {input.dim()} dimensions)")
    if input.numel() == 0:
        return input
    samples, channels, *_ = input.shape
    squares = input.mul(input).reshape(samples, 1, channels, -1)
    padded = _functions.constant_pad_nd(squares, [0, 0, size // 2, (size - 1) // 2])
    means = _nn.avg_pool2d(padded, [size, 1], [1, 1]).reshape(input.shape)
    return input / means.mul(alpha).add(k).pow(beta)


def normalize(
    input: Tensor, p: float = 2.0, dim: int | None = 1, eps: float = 1e-12, out: Tensor | None = None
) -> Tensor:
    """input divided by its p-norm along `dim`, or by that of all elements, which is clamped to at least
    `eps`."""
    if dim is None:
        whole = normalize(input.reshape(1, -1), p, 1, eps).reshape(input.shape)
        return whole if out is None else out.copy_(whole)
    last = input.transpose(dim, -1)
    length = _functions.pairwise_distance(last, _functions.zeros_like(last), p, 0.0, True)
    length = length.transpose(dim, -1).clamp(min=eps).expand_as(input)
    return input / length if out is None else _functions.div(input, length, out=out)
