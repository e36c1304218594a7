"""Pooling with PyTorch's signatures: optional indices and sizes, and lp_pool."""

from __future__ import annotations

from .. import _C
from .._C import Tensor

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any


_functions: Any = _C._VariableFunctions
_nn: Any = getattr(_C, "_nn", None)


def _listed(value: Any, dims: int) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value] * dims


# ---- max_pool


def _maximum(
    dims: int,
    input: Tensor,
    kernel_size: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    ceil_mode: bool,
    return_indices: bool,
) -> Any:
    stride = [] if stride is None else stride
    if return_indices:
        pool = (
            _functions.max_pool1d_with_indices if dims == 1 else getattr(_nn, f"max_pool{dims}d_with_indices")
        )
    else:
        pool = getattr(_functions, f"max_pool{dims}d")
    return pool(input, kernel_size, stride, padding, dilation, ceil_mode)


def max_pool1d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """The maximum of each window along the last dimension, and its index if `return_indices`."""
    return _maximum(1, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)


def max_pool2d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """max_pool1d for the last two dimensions; indices are flat, in an H x W plane."""
    return _maximum(2, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)


def max_pool3d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """max_pool1d for the last three dimensions; indices are flat, in a D x H x W volume."""
    return _maximum(3, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)


def max_pool1d_with_indices(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """max_pool1d with indices; the argument `return_indices` is ignored."""
    return _maximum(1, input, kernel_size, stride, padding, dilation, ceil_mode, True)


def max_pool2d_with_indices(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """max_pool2d with indices; the argument `return_indices` is ignored."""
    return _maximum(2, input, kernel_size, stride, padding, dilation, ceil_mode, True)


def max_pool3d_with_indices(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """max_pool3d with indices; the argument `return_indices` is ignored."""
    return _maximum(3, input, kernel_size, stride, padding, dilation, ceil_mode, True)


# ---- adaptive pooling


def _completed(output_size: Any, input: Tensor) -> Any:
    """Returns the output size, with None replaced by the input's size."""
    if not isinstance(output_size, (list, tuple)):
        return output_size
    if len(output_size) >= input.dim():
        raise ValueError(
            f"output_size {output_size} needs an input of more than {len(output_size)} dimensions, "
            f"got {input.dim()}"
        )
    sizes = input.shape[input.dim() - len(output_size) :]
    return [given if wanted is None else wanted for wanted, given in zip(output_size, sizes)]  # noqa: B905


def adaptive_avg_pool2d(input: Tensor, output_size: Any) -> Tensor:
    """Average pooling to an output [..., H, W] of `output_size`; None keeps the input's size."""
    return _nn.adaptive_avg_pool2d(input, _completed(output_size, input))


def adaptive_avg_pool3d(input: Tensor, output_size: Any) -> Tensor:
    """Average pooling to an output [..., D, H, W] of `output_size`; None keeps the input's size."""
    return _nn.adaptive_avg_pool3d(input, _completed(output_size, input))


def adaptive_max_pool1d_with_indices(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """adaptive_max_pool1d with indices."""
    return _functions.adaptive_max_pool1d(input, output_size)


def adaptive_max_pool2d_with_indices(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """adaptive_max_pool2d with indices."""
    return _nn.adaptive_max_pool2d(input, _completed(output_size, input))


def adaptive_max_pool3d_with_indices(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """adaptive_max_pool3d with indices."""
    return _nn.adaptive_max_pool3d(input, _completed(output_size, input))


def adaptive_max_pool1d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """Max pooling to an output [..., L] of `output_size`, with indices if `return_indices`."""
    found = adaptive_max_pool1d_with_indices(input, output_size)
    return found if return_indices else found[0]


def adaptive_max_pool2d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """adaptive_max_pool1d for [..., H, W]; None in `output_size` keeps the input's size."""
    found = adaptive_max_pool2d_with_indices(input, output_size)
    return found if return_indices else found[0]


def adaptive_max_pool3d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """adaptive_max_pool1d for [..., D, H, W]; None in `output_size` keeps the input's size."""
    found = adaptive_max_pool3d_with_indices(input, output_size)
    return found if return_indices else found[0]


# ---- lp_pool


def _norm(
    dims: int, input: Tensor, norm_type: float, kernel_size: Any, stride: Any, ceil_mode: bool
) -> Tensor:
    average = _functions.avg_pool1d if dims == 1 else getattr(_nn, f"avg_pool{dims}d")
    count = 1
    for size in _listed(kernel_size, dims):
        count *= size
    out = average(input.pow(norm_type), kernel_size, [] if stride is None else stride, 0, ceil_mode)
    return (out.sign() * out.abs().relu()).mul(count).pow(1.0 / norm_type)


def lp_pool1d(
    input: Tensor, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False
) -> Tensor:
    """The `norm_type`-th root of the sum of powers over each window."""
    return _norm(1, input, norm_type, kernel_size, stride, ceil_mode)


def lp_pool2d(
    input: Tensor, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False
) -> Tensor:
    """lp_pool1d for the last two dimensions."""
    return _norm(2, input, norm_type, kernel_size, stride, ceil_mode)


def lp_pool3d(
    input: Tensor, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False
) -> Tensor:
    """lp_pool1d for the last three dimensions."""
    return _norm(3, input, norm_type, kernel_size, stride, ceil_mode)
