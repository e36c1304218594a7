"""Comparison of results: values within a dtype's tolerance, and dtype, shape, strides, aliasing exactly."""

from __future__ import annotations

import aten
import numpy as np
from tensors import TOLERANCES, dtype_name, to_array


def assert_tensor(
    got: aten.Tensor,
    values: np.ndarray | None,
    dtype: str,
    *,
    shape: tuple[int, ...] | None = None,
    strides: tuple[int, ...] | None = None,
    tolerance: tuple[float, float] | None = None,
    what: str = "",
) -> None:
    """Raises AssertionError where `got` differs from the description; `values` None ignores the values."""
    __tracebackhide__ = True
    assert isinstance(got, aten.Tensor), f"{what}: expected a Tensor, got {type(got).__name__}"
    assert dtype_name(got) == dtype, f"{what}: dtype {dtype_name(got)}, expected {dtype}"
    wanted = tuple(np.shape(values)) if shape is None else tuple(shape)
    assert tuple(got.shape) == wanted, f"{what}: shape {tuple(got.shape)}, expected {wanted}"
    if strides is not None:
        assert_strides(got, strides, what)
    if values is not None:
        assert_values(
            to_array(got), values, TOLERANCES.get(dtype, (0, 0)) if tolerance is None else tolerance, what
        )


def assert_strides(got: aten.Tensor, strides: tuple[int, ...], what: str = "") -> None:
    """Compares the strides of dimensions with more than one element, unless the tensor is empty."""
    __tracebackhide__ = True
    if got.numel() == 0:
        return
    pairs = zip(got.shape, got.stride(), strides, strict=True)
    same = all(a == b or n == 1 for n, a, b in pairs)
    assert same, f"{what}: shape {tuple(got.shape)}: strides {got.stride()}, expected {tuple(strides)}"


def assert_values(
    got: np.ndarray, expected: np.ndarray, tolerance: tuple[float, float], what: str = ""
) -> None:
    """Compares values. NaN equals NaN; infinities and integers are compared exactly."""
    __tracebackhide__ = True
    got, expected = np.asarray(got), np.asarray(expected)
    if got.dtype.kind not in "fc" and expected.dtype.kind not in "fc":
        good = got == expected
    else:
        wide = "complex128" if "c" in (got.dtype.kind, expected.dtype.kind) else "float64"
        with np.errstate(all="ignore"):
            good = np.isclose(got.astype(wide), expected.astype(wide), *tolerance, equal_nan=True)
    if np.all(good):
        return
    at = tuple(int(i) for i in np.argwhere(np.atleast_1d(~good))[0])
    bad = int(np.sum(~good))
    a, b = np.atleast_1d(got)[at], np.atleast_1d(expected)[at]
    raise AssertionError(f"{what}: {bad} of {good.size} values differ; at {at}: {a!r}, expected {b!r}")


def assert_aliases(view: aten.Tensor, base: aten.Tensor, what: str = "") -> None:
    """Checks that the two share memory."""
    __tracebackhide__ = True
    assert storage_address(view) == storage_address(base), f"{what}: expected a view, got a copy"


def storage_address(t: aten.Tensor) -> int:
    return t.data_ptr() - t.storage_offset() * t.element_size() if t.numel() else 0
