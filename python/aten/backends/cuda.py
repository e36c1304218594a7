"""Settings of CUDA, `matmul.allow_tf32`, and of the backends of scaled_dot_product_attention on all
devices."""

from __future__ import annotations

from .. import _C
from .._precision import get_float32_matmul_precision

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager


class _MatrixProducts:
    """Settings of cuBLAS. Those of sums in half precision are kept, and change nothing: sums are in
    float32."""

    __slots__ = ("allow_bf16_reduced_precision_reduction", "allow_fp16_reduced_precision_reduction")

    def __init__(self) -> None:
        self.allow_bf16_reduced_precision_reduction = self.allow_fp16_reduced_precision_reduction = True

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


def _switch(name: str, number: int) -> tuple[Callable[[], bool], Callable[[bool], None]]:
    """The functions that ask and set whether scaled_dot_product_attention may choose a backend."""

    def is_enabled() -> bool:
        return bool(_C._sdp_settings()[0] >> number & 1)

    def enable(enabled: bool) -> None:
        bits, order = _C._sdp_settings()
        _C._set_sdp_settings(bits | 1 << number if enabled else bits & ~(1 << number), order)

    is_enabled.__name__ = is_enabled.__qualname__ = f"{name}_sdp_enabled"
    is_enabled.__doc__ = f"Whether scaled_dot_product_attention may choose its {name} backend."
    enable.__name__ = enable.__qualname__ = f"enable_{name}_sdp"
    enable.__doc__ = f"Sets whether scaled_dot_product_attention may choose its {name} backend."
    return is_enabled, enable


math_sdp_enabled, enable_math_sdp = _switch("math", 0)
flash_sdp_enabled, enable_flash_sdp = _switch("flash", 1)
mem_efficient_sdp_enabled, enable_mem_efficient_sdp = _switch("mem_efficient", 2)
cudnn_sdp_enabled, enable_cudnn_sdp = _switch("cudnn", 3)


def sdp_kernel(
    enable_flash: bool = True,
    enable_math: bool = True,
    enable_mem_efficient: bool = True,
    enable_cudnn: bool = True,
) -> AbstractContextManager[None]:
    """In its scope, scaled_dot_product_attention chooses among the enabled backends. The former name of
    nn.attention.sdpa_kernel."""
    from ..nn.attention import SDPBackend, sdpa_kernel

    enabled = (enable_math, enable_flash, enable_mem_efficient, enable_cudnn)
    return sdpa_kernel([SDPBackend(number) for number, is_wanted in enumerate(enabled) if is_wanted])
