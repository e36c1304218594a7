"""Which backend scaled_dot_product_attention may choose."""

from __future__ import annotations

from contextlib import contextmanager
from enum import IntEnum
from typing import TYPE_CHECKING

from .. import _C

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["SDPBackend", "sdpa_kernel"]


class SDPBackend(IntEnum):
    """The backends. CUDNN_ATTENTION and OVERRIDEABLE can be enabled, but nothing here is of these; ERROR says
    that none of the enabled ones takes a call's arguments."""

    ERROR = -1
    MATH = 0
    FLASH_ATTENTION = 1
    EFFICIENT_ATTENTION = 2
    CUDNN_ATTENTION = 3
    OVERRIDEABLE = 4


@contextmanager
def sdpa_kernel(backends: SDPBackend | Sequence[SDPBackend], set_priority: bool = False) -> Iterator[None]:
    """In its scope, scaled_dot_product_attention chooses among these backends, in all threads. A call that
    none of them takes is a RuntimeError.

    set_priority: whether CUDA tries them in the given order. The CPU always tries FLASH_ATTENTION first.
    """
    if not isinstance(backends, (list, SDPBackend)):
        raise AssertionError(
            "Backend must be an instance of SDPBackend or a list of SDPBackend instances, got "
            f"{type(backends).__name__}"
        )
    wanted = [backends] if isinstance(backends, SDPBackend) else list(dict.fromkeys(backends))
    enabled, order = _C._sdp_settings()
    bits = 0
    for backend in wanted:
        bits |= 1 << backend if backend >= 0 else 0
    _C._set_sdp_settings(bits, _ordered(wanted, order) if set_priority else order)
    try:
        yield
    finally:
        _C._set_sdp_settings(enabled, order)


def _ordered(first: Sequence[SDPBackend], order: int) -> int:
    """The order with these first: the numbers of backends in four bits each."""
    numbers = [int(backend) for backend in first if backend >= 0]
    numbers += [n for n in (order >> 4 * place & 15 for place in range(5)) if n not in numbers]
    return sum(number << 4 * place for place, number in enumerate(numbers))
