"""torch.backends.cudnn and mkldnn, which this library doesn't use."""

from __future__ import annotations

from contextlib import contextmanager

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def flags(
    enabled: bool = False,
    benchmark: bool = False,
    benchmark_limit: int = 10,
    deterministic: bool = False,
    allow_tf32: bool = True,
) -> Iterator[None]:
    """A context, or a decorator, that changes nothing."""
    yield


@contextmanager
def mkldnn_flags(
    enabled: bool = False, deterministic: bool = False, allow_tf32: bool = True, fp32_precision: str = "none"
) -> Iterator[None]:
    """A context, or a decorator, that changes nothing."""
    yield
