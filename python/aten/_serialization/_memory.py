"""The memory of a CPU tensor as a buffer."""

from __future__ import annotations

import ctypes

from .._C import Tensor


def memory(tensor: Tensor) -> memoryview:
    """The bytes of a contiguous tensor. They are valid only as long as the tensor lives."""
    size = tensor.numel() * tensor.itemsize
    return memoryview((ctypes.c_char * size).from_address(tensor.data_ptr() or 1)).cast("B")
