"""The precision in which devices multiply float32 matrices."""

from __future__ import annotations

from . import _C

_PRECISIONS = ("highest", "high", "medium")


def set_float32_matmul_precision(precision: str) -> None:
    """ "highest": float32. "high" and "medium" allow CUDA to round operands to TF32, which has 10 bits of
    mantissa and is several times as fast. Sums are float32 in each. Products on the CPU stay float32.
    """
    if precision not in _PRECISIONS:
        expected = '"highest", "high" or "medium"'
        raise ValueError(f"set_float32_matmul_precision(): expected {expected}, got {precision!r}")
    _C._set_float32_matmul_precision(_PRECISIONS.index(precision))


def get_float32_matmul_precision() -> str:
    """The value of set_float32_matmul_precision(), "highest" at first."""
    return _PRECISIONS[_C._float32_matmul_precision()]
