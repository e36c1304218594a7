"""Settings of CUDA: `matmul.allow_tf32`."""

from __future__ import annotations

from .. import _C
from .._precision import get_float32_matmul_precision


class _MatrixProducts:
    """Settings of cuBLAS."""

    __slots__ = ()

    @property
    def allow_tf32(self) -> bool:
        """Whether operands of float32 products may be rounded to TF32. The same switch as
        set_float32_matmul_precision("high").
        """
        return get_float32_matmul_precision() != "highest"

    @allow_tf32.setter
    def allow_tf32(self, allowed: bool) -> None:
        _C._set_float32_matmul_precision(1 if allowed else 0)


matmul = _MatrixProducts()
