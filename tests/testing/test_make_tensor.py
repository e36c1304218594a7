"""make_tensor: dtypes, strides, ranges and errors, compared with PyTorch's; its random numbers are others."""

from __future__ import annotations

import math
import types
import warnings
from typing import Any

import aten
import pytest
from aten.testing import make_tensor

DTYPES = ["float32", "float64", "bfloat16", "complex64", "complex32", "int8", "int64", "uint8", "bool"]
OPTIONS: dict[str, tuple[tuple[Any, ...], dict[str, Any]]] = {
    "default": ((3, 4), {}),
    "a list": (([2, 3],), {}),
    "a size": ((5,), {}),
    "no dimension": (((),), {}),
    "bounds": ((20,), {"low": 0, "high": 2}),
    "fractions": ((20,), {"low": 0.5, "high": 1.5}),
    "wide bounds": ((20,), {"low": -1e40, "high": 1e40}),
    "noncontiguous": ((3, 4), {"noncontiguous": True}),
    "noncontiguous, one element": ((1,), {"noncontiguous": True}),
    "without zeros": ((40,), {"low": 0, "high": 2, "exclude_zero": True}),
    "outside": ((2,), {"low": 1e50, "high": 1e60}),
    "empty range": ((2,), {"low": 3, "high": 2}),
    "nan": ((2,), {"low": float("nan")}),
    "requires grad": ((2,), {"requires_grad": True}),
}


def made(package: types.ModuleType, dtype: str, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
    try:
        tensor = package.testing.make_tensor(
            *arguments, dtype=getattr(package, dtype), device="cpu", **options
        )
    except (ValueError, TypeError) as error:
        return type(error).__name__, str(error).replace("torch.", "aten.")
    assert in_range(tensor.detach(), options)
    return str(tensor.dtype).split(".")[1], tuple(tensor.shape), tensor.stride(), tensor.requires_grad


def in_range(tensor: Any, options: dict[str, Any]) -> bool:
    """Whether the values are finite and in [low, high], and are not zero where they shouldn't be."""
    values = tensor.flatten().tolist()
    parts = [part for z in values for part in ((z.real, z.imag) if isinstance(z, complex) else (z,))]
    low, high = options.get("low", -9), options.get("high", 10)
    if "exclude_zero" in options and 0 in values:
        return False
    return all(math.isfinite(x) and low <= x <= high for x in parts)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("case", OPTIONS)
def test_as_in_pytorch(dtype: str, case: str) -> None:
    torch = pytest.importorskip("torch")
    assert made(aten, dtype, *OPTIONS[case]) == made(torch, dtype, *OPTIONS[case])


def test_memory_format() -> None:
    tensor = make_tensor(2, 3, 4, 5, dtype=aten.float32, device="cpu", memory_format=aten.channels_last)
    assert tensor.is_contiguous(memory_format=aten.channels_last)
    with pytest.raises(ValueError, match="mutually exclusive"):
        make_tensor(
            2, 3, 4, 5, dtype=aten.float32, device="cpu", memory_format=aten.channels_last, noncontiguous=True
        )


def test_equal_bounds_are_deprecated() -> None:
    with pytest.warns(FutureWarning, match="deprecated"):
        tensor = make_tensor(3, dtype=aten.float32, device="cpu", low=2, high=2)
    assert tensor.tolist() == [2.0] * 3


@pytest.mark.parametrize(
    ("dtype", "low", "high"),
    [(aten.float32, -9, 9), (aten.int32, -9, 10), (aten.uint8, 0, 10), (aten.bool, 0, 2)],
    ids=str,
)
def test_default_bounds(dtype: aten.dtype, low: int, high: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        values = make_tensor(2000, dtype=dtype, device="cpu").double()
    assert low <= values.min() < low + 1
    assert high - 1.5 < values.max() < high
