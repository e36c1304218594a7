"""Resampling with PyTorch's signatures: interpolate, upsample, grid_sample, affine_grid."""

from __future__ import annotations

import math
import warnings

from .. import _C
from .._C import Tensor

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


_functions: Any = _C._VariableFunctions
_nn: Any = getattr(_C, "_nn", None)
# Operators by mode and number of input dimensions.
_OPERATORS = {
    ("nearest", 3): "upsample_nearest1d",
    ("nearest", 4): "upsample_nearest2d",
    ("nearest", 5): "upsample_nearest3d",
    ("nearest-exact", 3): "_upsample_nearest_exact1d",
    ("nearest-exact", 4): "_upsample_nearest_exact2d",
    ("nearest-exact", 5): "_upsample_nearest_exact3d",
    ("linear", 3): "upsample_linear1d",
    ("bilinear", 4): "upsample_bilinear2d",
    ("bicubic", 4): "upsample_bicubic2d",
    ("trilinear", 5): "upsample_trilinear3d",
    ("area", 3): "adaptive_avg_pool1d",
    ("area", 4): "adaptive_avg_pool2d",
    ("area", 5): "adaptive_avg_pool3d",
}
_ANTIALIASED = {"bilinear": "_upsample_bilinear2d_aa", "bicubic": "_upsample_bicubic2d_aa"}
_WITHOUT_CORNERS = ("nearest", "nearest-exact", "area")
_MODES = "nearest | linear | bilinear | bicubic | trilinear | area | nearest-exact"


def interpolate(
    input: Tensor,
    size: int | Sequence[int] | None = None,
    scale_factor: float | Sequence[float] | None = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> Tensor:
    """Resamples `input` [N, C, ...], with one to three spatial dimensions, to `size` or by `scale_factor`.
    With `align_corners` the centres of the corner elements are aligned, otherwise their outer corners.
    `recompute_scale_factor` derives the scale from the rounded output size. ValueError for contradictory
    arguments."""
    if align_corners is not None and mode in _WITHOUT_CORNERS:
        raise ValueError(
            f"interpolate(): align_corners can only be set with the interpolating modes, not with {mode!r}"
        )
    sizes, factors = _sizes_and_factors(input, size, scale_factor)
    if recompute_scale_factor and sizes is not None:
        raise ValueError("interpolate(): recompute_scale_factor is not meaningful with an explicit size")
    if factors is not None and (recompute_scale_factor or mode == "area"):
        sizes = [math.floor(float(input.size(i + 2) * factor)) for i, factor in enumerate(factors)]
        factors = None
    if antialias and (mode not in _ANTIALIASED or input.dim() != 4):
        raise ValueError(
            "interpolate(): antialias is only supported for 4D input and the modes bilinear and bicubic, got "
            f"{input.dim()}D input and mode {mode!r}"
        )
    function = _operator(input.dim(), mode, antialias)
    if mode == "area":
        return function(input, sizes)
    if mode in _WITHOUT_CORNERS:
        return function(input, sizes, factors)
    return function(input, sizes, bool(align_corners), factors)


def _operator(dims: int, mode: str, antialias: bool) -> Any:
    name = _ANTIALIASED[mode] if antialias else _OPERATORS.get((mode, dims))
    if name is None:
        needed = [d for m, d in _OPERATORS if m == mode]
        if not needed or dims not in (3, 4, 5):
            raise NotImplementedError(
                f"interpolate(): only 3D, 4D and 5D input is supported, got {dims}D, for the modes {_MODES}, "
                f"got {mode!r}"
            )
        raise NotImplementedError(
            f"interpolate(): got {dims}D input, but {mode} mode needs {needed[0]}D input"
        )
    return getattr(_nn, name, None) or getattr(_functions, name)


def _per_dimension(input: Tensor, given: Any, name: str) -> list[Any]:
    """Returns one value for each spatial dimension."""
    dims = input.dim() - 2
    if not isinstance(given, (list, tuple)):
        return [given] * dims
    if len(given) != dims:
        raise ValueError(
            f"interpolate(): the input has {dims} dimensions to resample, of sizes "
            f"{list(input.shape[2:])}, but {name} has {len(given)} elements: {list(given)}"
        )
    return list(given)


def _sizes_and_factors(
    input: Tensor, size: Any, scale_factor: Any
) -> tuple[list[int] | None, list[float] | None]:
    if size is not None and scale_factor is not None:
        raise ValueError("interpolate(): only one of size or scale_factor should be defined")
    if size is None and scale_factor is None:
        raise ValueError("interpolate(): either size or scale_factor should be defined")
    if scale_factor is not None:
        return None, [float(f) for f in _per_dimension(input, scale_factor, "scale_factor")]
    sizes = _per_dimension(input, size, "size")
    for one in sizes:
        if not hasattr(one, "__index__"):
            raise TypeError(f"interpolate(): size must be an int or a list of ints, got {type(one).__name__}")
    return [one.__index__() for one in sizes], None


def upsample(
    input: Tensor,
    size: int | Sequence[int] | None = None,
    scale_factor: float | Sequence[float] | None = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
) -> Tensor:
    """Deprecated name of interpolate."""
    warnings.warn(
        "`nn.functional.upsample` is deprecated. Use `nn.functional.interpolate` instead.", stacklevel=2
    )
    return interpolate(input, size, scale_factor, mode, align_corners)


def upsample_nearest(
    input: Tensor, size: int | Sequence[int] | None = None, scale_factor: float | None = None
) -> Tensor:
    """interpolate with mode='nearest'."""
    warnings.warn(
        "`nn.functional.upsample_nearest` is deprecated. Use `nn.functional.interpolate` instead.",
        stacklevel=2,
    )
    return interpolate(input, size, scale_factor, mode="nearest")


def upsample_bilinear(
    input: Tensor,
    size: int | Sequence[int] | None = None,
    scale_factor: float | Sequence[float] | None = None,
) -> Tensor:
    """interpolate with mode='bilinear' and align_corners=True."""
    warnings.warn(
        "`nn.functional.upsample_bilinear` is deprecated. Use `nn.functional.interpolate` instead.",
        stacklevel=2,
    )
    return interpolate(input, size, scale_factor, mode="bilinear", align_corners=True)


_GRID_MODES = {"bilinear": 0, "nearest": 1, "bicubic": 2}
_GRID_PADDINGS = {"zeros": 0, "border": 1, "reflection": 2}


def _number_of(function: str, argument: str, value: str, numbers: dict[str, int]) -> int:
    if value not in numbers:
        raise ValueError(
            f"{function}(): expected {argument} to be one of {', '.join(numbers)}, got {value!r}"
        )
    return numbers[value]


def _corners(function: str, align_corners: bool | None) -> bool:
    if align_corners is None:
        warnings.warn(
            f"{function}(): align_corners is False where it isn't given; say which is meant", stacklevel=3
        )
    return bool(align_corners)


def grid_sample(
    input: Tensor,
    grid: Tensor,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool | None = None,
) -> Tensor:
    """Samples `input` [N, C, H, W] at the points (x, y) of `grid` [N, H_out, W_out, 2], or [N, C, D, H, W] at
    (x, y, z), with coordinates from -1 to 1. ValueError for an unknown mode."""
    interpolation = _number_of("grid_sample", "mode", mode, _GRID_MODES)
    padding = _number_of("grid_sample", "padding_mode", padding_mode, _GRID_PADDINGS)
    corners = _corners("grid_sample", align_corners)
    return _functions.grid_sampler(input, grid, interpolation, padding, corners)


def affine_grid(theta: Tensor, size: Sequence[int], align_corners: bool | None = None) -> Tensor:
    """The grid for grid_sample that applies the affine maps `theta` [N, 2, 3] to images of `size`
    [N, C, H, W], or [N, 3, 4] to [N, C, D, H, W]. ValueError if the shapes don't match."""
    corners = _corners("affine_grid", align_corners)
    if not theta.is_floating_point():
        raise ValueError(f"affine_grid(): expected theta to have floating point type, but got {theta.dtype}")
    if len(size) == 3:
        raise NotImplementedError(
            "affine_grid(): only 4D and 5D sizes are supported, for 2D and 3D grids; got 3D"
        )
    if len(size) not in (4, 5):
        raise NotImplementedError(
            f"affine_grid(): only 4D and 5D sizes are supported, for 2D and 3D grids; got {list(size)}"
        )
    axes = len(size) - 2
    if theta.dim() != 3 or theta.shape[-2] != axes or theta.shape[-1] != axes + 1:
        raise ValueError(
            f"affine_grid(): expected a batch of {axes}D matrices of shape Nx{axes}x{axes + 1} for size "
            f"{list(size)}; got {list(theta.shape)}"
        )
    if min(size) <= 0:
        raise ValueError(f"affine_grid(): expected sizes greater than 0, got {list(size)}")
    return _functions.affine_grid_generator(theta, size, corners)
