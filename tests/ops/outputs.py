"""Tensors that out= gets: of the right shape, with gaps, of size 0, of a wider dtype."""

from __future__ import annotations

import aten
import numpy as np
import promotion
from tensors import DEVICE, dtype_of


def exact(values: np.ndarray, name: str) -> aten.Tensor:
    return aten.empty(values.shape, dtype=dtype_of(name), device=DEVICE)


def resized(values: np.ndarray, name: str) -> aten.Tensor:
    return aten.empty((0,), dtype=dtype_of(name), device=DEVICE)


def strided(values: np.ndarray, name: str) -> aten.Tensor:
    if values.ndim == 0:
        return exact(values, name)
    strides = list(np.cumprod([1, *(max(n, 1) for n in values.shape[:-1])]) * 2)
    return aten.empty_strided(values.shape, [int(s) for s in strides], dtype=dtype_of(name), device=DEVICE)


def wider(values: np.ndarray, name: str) -> aten.Tensor:
    wide = "complex128" if promotion.CATEGORIES[name] == 3 else "float64"
    return aten.empty(values.shape, dtype=dtype_of(wide), device=DEVICE)
