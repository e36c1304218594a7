"""Objects that go through checkpoints between PyTorch and this library."""

from __future__ import annotations

from typing import Any

import aten
import pytest
from checkpoint_files import through

torch = pytest.importorskip("torch")


def from_pytorch(obj: Any, **options: Any) -> Any:
    return through(torch.save, aten.load, obj, **options)


def to_pytorch(obj: Any, **options: Any) -> Any:
    return through(aten.save, torch.load, obj, **options)


def described(value: Any) -> Any:
    """A value in terms that both libraries' objects have in common."""
    if hasattr(value, "storage_offset"):
        wide = value.to((torch if isinstance(value, torch.Tensor) else aten).complex64)
        content = value if value.dtype.itemsize > 2 or not value.is_complex() else wide
        return (
            *(
                str(value.dtype).rpartition(".")[2],
                tuple(value.shape),
                value.stride(),
                value.storage_offset(),
            ),
            *(value.requires_grad, value.is_leaf, "meta" if value.is_meta else content.tolist()),
        )
    if type(value).__name__ in ("dtype", "layout", "memory_format", "device"):
        return type(value).__name__, str(value).rpartition(".")[2]
    if isinstance(value, dict):
        return type(value), [(k, described(v)) for k, v in value.items()]
    if isinstance(value, (list, tuple)):
        return type(value).__name__, [described(v) for v in value]
    return type(value), value


def both_ways(obj: Any) -> None:
    """Checks an object of PyTorch's after loading it here, and after saving it here and loading it there."""
    here = from_pytorch(obj)
    assert described(here) == described(obj)
    assert described(to_pytorch(here)) == described(obj)
