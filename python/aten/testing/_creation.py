"""make_tensor: tensors with random values, for tests."""

from __future__ import annotations

import math
import warnings

from .. import _C
from .._C import Tensor
from .._dtype_info import finfo, iinfo

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,attr-defined"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

_functions: Any = _C._VariableFunctions


def _limits(dtype: _C.dtype) -> tuple[float, float, float, float]:
    """Returns the least value of the dtype, the least that random values don't reach, and the defaults."""
    if dtype == _C.bool:
        return 0, 2, 0, 2
    if dtype.is_floating_point or dtype.is_complex:
        return finfo(dtype).min, finfo(dtype).max, -9, 9
    # randint() takes its upper bound as an int64.
    return iinfo(dtype).min, iinfo(dtype).max + (dtype != _C.int64), -9, 10


def _bounds(dtype: _C.dtype, low: float | None, high: float | None) -> tuple[float, float]:
    """Returns the range of values: the defaults, or the caller's clamped to the dtype's. ValueError if it is
    empty, or outside the dtype's."""
    least, end, default_low, default_high = _limits(dtype)
    low = default_low if low is None else low
    high = default_high if high is None else high
    is_exact = not (dtype.is_floating_point or dtype.is_complex)
    if math.isnan(low) or math.isnan(high):
        raise ValueError(f"`low` and `high` cannot be NaN, but got low={low!r} and high={high!r}")
    if low == high and not is_exact:
        text = "make_tensor(): `low` equals `high`, which is deprecated for floating point and complex dtypes"
        warnings.warn(f"{text}; use full()", FutureWarning, stacklevel=3)
    elif low >= high:
        raise ValueError(f"`low` must be less than `high`, but got {low} >= {high}")
    elif high < least or low >= end:
        raise ValueError(
            f"The value interval specified by `low` and `high` is [{low}, {high}), "
            f"but {dtype} only supports [{least}, {end})"
        )
    low, high = min(max(low, least), end), min(max(high, least), end)
    return (math.ceil(low), math.ceil(high)) if is_exact else (low, high)


def _fill_uniformly(tensor: Tensor, low: float, high: float) -> None:
    if high - low >= finfo(tensor.dtype).max:  # a range that uniform_() refuses
        tensor.uniform_(low / 2, high / 2).mul_(2)
    else:
        tensor.uniform_(low, high)


def make_tensor(
    *shape: Any,
    dtype: _C.dtype,
    device: _C.device | str,
    low: float | None = None,
    high: float | None = None,
    requires_grad: bool = False,
    noncontiguous: bool = False,
    exclude_zero: bool = False,
    memory_format: _C.memory_format | None = None,
) -> Tensor:
    """A tensor of the shape with values uniformly distributed in [low, high). By default these are -9 and 9,
    for integers -9 and 10, for unsigned ones 0 and 10, for booleans 0 and 2.

    With `noncontiguous` it is a view that skips every other element, unless it has fewer than two.
    `exclude_zero` replaces zeros by 1, or by the smallest normal number. ValueError for an empty range, for
    both `noncontiguous` and `memory_format`, and for integers that require grad."""
    if len(shape) == 1 and not isinstance(shape[0], int):
        shape = tuple(shape[0])
    if noncontiguous and memory_format is not None:
        raise ValueError(
            "The parameters `noncontiguous` and `memory_format` are mutually exclusive, "
            f"but got noncontiguous={noncontiguous} and memory_format={memory_format}"
        )
    is_exact = not (dtype.is_floating_point or dtype.is_complex)
    if requires_grad and is_exact:
        raise ValueError(
            f"`requires_grad=True` is not supported for boolean and integral dtypes, but got dtype={dtype}"
        )
    skips = noncontiguous and math.prod(shape) > 1
    full_shape = (*shape[:-1], 2 * shape[-1]) if skips else shape
    bounds = _bounds(dtype, low, high)
    result: Tensor
    if is_exact:
        result = _functions.randint(*bounds, full_shape, device=device, dtype=dtype)
    else:
        result = _functions.empty(full_shape, device=device, dtype=dtype)
        _fill_uniformly(_functions.view_as_real(result) if dtype.is_complex else result, *bounds)
    if skips:
        result = result[..., 1::2]  # an offset, too
    elif memory_format is not None:
        result = result.clone(memory_format=memory_format)
    if exclude_zero:
        result[result == 0] = 1 if is_exact else finfo(dtype).tiny
    return result.requires_grad_(requires_grad)
