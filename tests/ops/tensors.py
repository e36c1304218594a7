"""Tensors for tests, over the memory of NumPy arrays, so that no operator is needed to make or read one.

NumPy has no bfloat16: its elements are stored as int16 bits here, and its values are float32.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from dataclasses import dataclass, replace

import aten
import numpy as np
import pytest

BOOL = ("bool",)
INTEGERS = ("uint8", "int8", "int16", "int32", "int64")
FLOATS = ("float16", "bfloat16", "float32", "float64")
COMPLEX = ("complex64", "complex128")
DTYPES = BOOL + INTEGERS + FLOATS + COMPLEX
REAL = BOOL + INTEGERS + FLOATS
NUMBERS = INTEGERS + FLOATS + COMPLEX

QUICK = ("int64", "float32")
# What `make test-all` runs: the others are wider or narrower than one of these.
REGULAR = (*QUICK, "bfloat16", "bool", "complex64", "uint8")
CAMPAIGN = [pytest.mark.slow, pytest.mark.campaign]  # left to `make left-out`

# Where operators run; `make test-gpu` runs the same samples on `cuda`.
DEVICE = os.environ.get("ATEN_TEST_DEVICE", "cpu")

# How much a result may differ: (relative, absolute).
TOLERANCES = {
    "float16": (2e-3, 2e-3),
    "bfloat16": (1.6e-2, 1e-2),
    "float32": (2e-6, 1e-5),
    "float64": (1e-7, 1e-7),
    "complex32": (2e-3, 2e-3),
    "complex64": (2e-6, 1e-5),
    "complex128": (1e-7, 1e-7),
}


def is_quick(dtype: str, dtypes: tuple[str, ...]) -> bool:
    """Whether tests of this dtype, among those of a row, are in the short run; one always is."""
    return dtype in QUICK or (dtype == dtypes[0] and not set(QUICK) & set(dtypes))


def dtype_of(name: str) -> aten.dtype:
    return getattr(aten, name)


def dtype_name(t: aten.Tensor) -> str:
    return str(t.dtype).rpartition(".")[2]


def value_type(dtype: str) -> np.dtype:
    """Returns the NumPy type that holds the values of a dtype."""
    return np.dtype("float32" if dtype == "bfloat16" else dtype)


def to_bits(values: np.ndarray) -> np.ndarray:
    """Converts float32 to bfloat16 bits, rounding to nearest, ties to even."""
    bits = np.ascontiguousarray(values, dtype=np.float32).view(np.uint32)
    rounded = (bits + np.uint32(0x7FFF) + ((bits >> 16) & 1)) >> 16
    nan = np.isnan(values)
    return (
        np.where(nan, np.uint32(0x7FC0), rounded).astype(np.uint16).view(np.int16).reshape(np.shape(values))
    )


def from_bits(bits: np.ndarray) -> np.ndarray:
    wide = bits.astype(np.uint16).astype(np.uint32) << np.uint32(16)
    return np.asarray(wide).view(np.float32).reshape(np.shape(bits))


def rounded(values: np.ndarray, dtype: str) -> np.ndarray:
    """Returns the values rounded to the dtype."""
    if dtype == "bfloat16":
        return from_bits(to_bits(np.asarray(values).astype(np.float32)))
    with np.errstate(all="ignore"):
        return np.asarray(values).astype(dtype)


def on_device(t: aten.Tensor) -> aten.Tensor:
    """Returns the tensor on the tested device, with its strides, and the elements in its gaps."""
    if DEVICE == "cpu":
        return t
    steps = zip(t.shape, t.stride(), strict=True)
    extent = sum((n - 1) * step for n, step in steps) + 1 if t.numel() else 0
    return t.as_strided((extent,), (1,)).to(DEVICE).as_strided(tuple(t.shape), t.stride(), 0)


def to_array(t: aten.Tensor) -> np.ndarray:
    """Returns the tensor's values; the memory is shared except for dtypes that NumPy lacks, and other
    devices.
    """
    if DEVICE != "cpu":
        t = t.cpu()
    if t.dtype == aten.bfloat16:
        return from_bits(t.view(aten.int16).numpy())
    if t.dtype == aten.complex32:
        t = t.to(aten.complex64)
    return t.numpy()


@dataclass(frozen=True)
class Operand:
    """A description of a tensor: its stored elements (any strides) and dtype. One that is `on_host` stays on
    the CPU when a device is tested: its elements are arguments.
    """

    stored: np.ndarray
    dtype: str
    on_host: bool = False

    @property
    def values(self) -> np.ndarray:
        return from_bits(self.stored) if self.dtype == "bfloat16" else self.stored

    def tensor(self) -> aten.Tensor:
        """Returns a tensor over a copy of the elements that has the same strides."""
        fresh = same_strides(self.stored)
        t = aten.from_numpy(fresh)
        t = t.view(aten.bfloat16) if self.dtype == "bfloat16" else t
        return t if self.on_host else on_device(t)


def on_host(o: Operand) -> Operand:
    return replace(o, on_host=True)


def operand(values: np.ndarray, dtype: str, layout: str = "contiguous") -> Operand:
    stored = (
        to_bits(np.asarray(values, np.float32)) if dtype == "bfloat16" else np.asarray(values).astype(dtype)
    )
    return Operand(LAYOUTS[layout](np.ascontiguousarray(stored).reshape(np.shape(values))), dtype)


def same_strides(a: np.ndarray) -> np.ndarray:
    """Returns a copy in new memory with the same strides, including gaps."""
    if a.ndim == 0:
        return a.copy()
    if a.size == 0:
        return np.lib.stride_tricks.as_strided(np.empty(1, a.dtype), a.shape, a.strides)
    extent = sum((n - 1) * s for n, s in zip(a.shape, a.strides, strict=True)) // a.itemsize + 1
    flat = np.lib.stride_tricks.as_strided(a, (extent,), (a.itemsize,)).copy()
    return np.lib.stride_tricks.as_strided(flat, a.shape, a.strides)


# ---- layouts: the same shape with other strides; `expanded` repeats values


def transposed(a: np.ndarray) -> np.ndarray:
    return np.asfortranarray(a) if a.ndim > 1 else a


def sliced(a: np.ndarray) -> np.ndarray:
    """Returns every second element along the last dimension of a larger array, behind an offset."""
    if a.ndim == 0:
        return a
    larger = np.zeros((*a.shape[:-1], 2 * a.shape[-1] + 1), a.dtype)
    larger[..., 1::2] = a
    return larger[..., 1::2]


def expanded(a: np.ndarray) -> np.ndarray:
    if a.ndim == 0 or a.shape[0] < 2:
        return a
    first = np.array(a[0], order="C")
    return np.lib.stride_tricks.as_strided(first, a.shape, (0, *first.strides))


def channels_last(a: np.ndarray) -> np.ndarray:
    if a.ndim != 4:
        return a
    return np.ascontiguousarray(a.transpose(0, 2, 3, 1)).transpose(0, 3, 1, 2)


LAYOUTS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "contiguous": lambda a: a,
    "transposed": transposed,
    "sliced": sliced,
    "expanded": expanded,
    "channels_last": channels_last,
}
UNREPEATED = tuple(name for name in LAYOUTS if name != "expanded")

# 0-dim, empty, one element, odd sizes that leave vector tails, images, more than 5 dimensions, many elements
SHAPES: tuple[tuple[int, ...], ...] = (
    (),
    (0,),
    (1,),
    (7,),
    (3, 0, 2),
    (3, 5),
    (33, 17),
    (2, 3, 4, 5),
    (2, 1, 3, 2, 1, 2, 2),
    (257, 301),
)


def numbers(
    shape: tuple[int, ...], dtype: str, low: float = -5, high: float = 5, seed: int = 0
) -> np.ndarray:
    """Returns reproducible values of a dtype in [low, high], as the type that holds its values."""
    return drawn(tuple(shape), dtype, low, high, seed).copy()


@functools.lru_cache(maxsize=512)
def drawn(shape: tuple[int, ...], dtype: str, low: float, high: float, seed: int) -> np.ndarray:
    rng = np.random.default_rng([seed, *shape])
    if dtype == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    if dtype in INTEGERS:
        floor = max(0, low) if dtype == "uint8" else low
        return rng.integers(int(floor), int(high) + 1, shape).astype(dtype)
    values = rng.uniform(low, high, shape)
    if dtype in COMPLEX:
        values = values + 1j * rng.uniform(low, high, shape)
    return rounded(np.asarray(values), dtype)
