"""max_unpool and fractional_max_pool with PyTorch's signatures."""

from __future__ import annotations

from .. import _C
from .._C import Tensor
from ._pooling import _listed

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any


_functions: Any = _C._VariableFunctions
_nn: Any = getattr(_C, "_nn", None)


def _unpooled(
    input: Tensor, kernel: list[int], stride: list[int], padding: list[int], output_size: Any
) -> list[int]:
    """Returns the size before the pooling. It is not unique, so the caller may pass `output_size`."""
    dims = len(kernel)
    sizes = input.shape[input.dim() - dims :]
    default = [(sizes[d] - 1) * stride[d] + kernel[d] - 2 * padding[d] for d in range(dims)]
    if output_size is None:
        return default
    wanted = list(output_size)
    if len(wanted) == dims + 2:
        wanted = wanted[2:]
    if len(wanted) != dims:
        raise ValueError(
            f"output_size should be a sequence containing {dims} or {dims + 2} elements, "
            f"but it has a length of {len(wanted)}"
        )
    for d in range(dims):
        low, high = default[d] - stride[d], default[d] + stride[d]
        if not low < wanted[d] < high:
            raise ValueError(
                f"invalid output_size {wanted}: dimension {d} must be between {low} and {high}, both excluded"
            )
    return wanted


def _windows(
    dims: int, kernel_size: Any, stride: Any, padding: Any
) -> tuple[list[int], list[int], list[int]]:
    kernel = _listed(kernel_size, dims)
    return kernel, kernel if stride is None else _listed(stride, dims), _listed(padding, dims)


def max_unpool1d(
    input: Tensor,
    indices: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    output_size: Any = None,
) -> Tensor:
    """Writes the elements of a max pooling to their `indices`, and zeros elsewhere. ValueError for an
    `output_size` that the pooling can't result from."""
    size = _unpooled(input, *_windows(1, kernel_size, stride, padding), output_size)
    return _nn.max_unpool2d(input.unsqueeze(-1), indices.unsqueeze(-1), [*size, 1]).squeeze(-1)


def max_unpool2d(
    input: Tensor,
    indices: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    output_size: Any = None,
) -> Tensor:
    """max_unpool1d for [..., H, W]."""
    size = _unpooled(input, *_windows(2, kernel_size, stride, padding), output_size)
    return _nn.max_unpool2d(input, indices, size)


def max_unpool3d(
    input: Tensor,
    indices: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    output_size: Any = None,
) -> Tensor:
    """max_unpool1d for [..., D, H, W]."""
    windows = _windows(3, kernel_size, stride, padding)
    return _nn.max_unpool3d(input, indices, _unpooled(input, *windows, output_size), windows[1], windows[2])


def _fractional(
    dims: int, input: Tensor, kernel_size: Any, output_size: Any, output_ratio: Any, random_samples: Any
) -> Any:
    name = f"fractional_max_pool{dims}d"
    if output_size is None and output_ratio is None:
        raise ValueError(f"{name}() requires specifying either an output_size or an output_ratio")
    if output_size is None:
        ratios = _listed(output_ratio, dims)
        if len(ratios) != dims:
            raise ValueError(
                f"{name}(): output_ratio should be a number or {dims} of them, got {output_ratio}"
            )
        output_size = [int(n * r) for n, r in zip(input.shape[-dims:], ratios, strict=True)]
    if random_samples is None:
        batch = 1 if input.dim() == dims + 1 else input.size(0)
        shape = (batch, input.size(-dims - 1), dims)
        random_samples = _functions.rand(shape, dtype=input.dtype, device=input.device)
    pool = getattr(_nn, name)
    return pool(input, _listed(kernel_size, dims), _listed(output_size, dims), random_samples)


def fractional_max_pool2d_with_indices(
    input: Tensor,
    kernel_size: Any,
    output_size: Any = None,
    output_ratio: Any = None,
    return_indices: bool = False,
    _random_samples: Tensor | None = None,
) -> Any:
    """fractional_max_pool2d with indices."""
    return _fractional(2, input, kernel_size, output_size, output_ratio, _random_samples)


def fractional_max_pool3d_with_indices(
    input: Tensor,
    kernel_size: Any,
    output_size: Any = None,
    output_ratio: Any = None,
    return_indices: bool = False,
    _random_samples: Tensor | None = None,
) -> Any:
    """fractional_max_pool3d with indices."""
    return _fractional(3, input, kernel_size, output_size, output_ratio, _random_samples)


def fractional_max_pool2d(
    input: Tensor,
    kernel_size: Any,
    output_size: Any = None,
    output_ratio: Any = None,
    return_indices: bool = False,
    _random_samples: Tensor | None = None,
) -> Any:
    """Max pooling over windows at random positions, from the samples [N, C, 2]. The output [N, C, H, W] has
    `output_size`, or `output_ratio` times the input's size."""
    found = _fractional(2, input, kernel_size, output_size, output_ratio, _random_samples)
    return found if return_indices else found[0]


def fractional_max_pool3d(
    input: Tensor,
    kernel_size: Any,
    output_size: Any = None,
    output_ratio: Any = None,
    return_indices: bool = False,
    _random_samples: Tensor | None = None,
) -> Any:
    """fractional_max_pool2d for [N, C, D, H, W]; the samples are [N, C, 3]."""
    found = _fractional(3, input, kernel_size, output_size, output_ratio, _random_samples)
    return found if return_indices else found[0]
