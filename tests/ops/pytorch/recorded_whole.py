"""Calls of composite operators, recorded by a mode above autograd, which PyTorch doesn't have."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator
from typing import Any

import aten
import torch
from aten.utils._python_dispatch import TorchDispatchMode
from opinfo import copied, full_name, function, samples, short
from oracle import DTYPES, FORMATS, CannotConvert, to_aten
from recorded import Recorded

PLAIN = {ours: theirs for theirs, ours in (*DTYPES.items(), *FORMATS.items())}


@functools.cache
def composite(name: str) -> Any:
    """Returns PyTorch's overload of that name if it decomposes above autograd; else None."""
    if not torch._C._dispatch_has_kernel_for_dispatch_key(f"aten::{name}", "CompositeImplicitAutograd"):
        return None
    packet, _, overload = name.partition(".")
    return getattr(getattr(torch.ops.aten, packet), overload or "default")


def to_torch(value: Any) -> Any:
    """Returns an argument as PyTorch's."""
    if isinstance(value, aten.Tensor):
        return torch.from_dlpack(value.detach())
    if isinstance(value, (list, tuple)):
        return type(value)(to_torch(v) for v in value)
    if isinstance(value, aten.dtype | aten.memory_format):
        return PLAIN[value]
    if isinstance(value, aten.layout):
        return torch.strided
    if isinstance(value, aten.device):
        return torch.device(str(value))
    if isinstance(value, aten.Generator):
        return torch.Generator()
    return value


class WholeRecorder(TorchDispatchMode):
    """Records one call of each composite overload and kind of arguments."""

    def __init__(self) -> None:
        super().__init__(pre_dispatch=True)
        self._seen: set[str] = set()
        self.calls: list[Recorded] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        theirs = composite(overload_name(func))
        if theirs is not None:
            self._keep(theirs, to_torch(args), {k: to_torch(v) for k, v in kwargs.items()})
        return func(*args, **kwargs)

    def _keep(self, func: Any, args: Any, kwargs: Any) -> None:
        signature = f"{func.name()} {short(args)} {short(kwargs)}"
        if signature not in self._seen:
            self._seen.add(signature)
            self.calls.append(Recorded(func, *copied((args, kwargs))))


def overload_name(func: Any) -> str:
    schema = func._schema
    name = schema.name.removeprefix("aten::")
    return f"{name}.{schema.overload_name}" if schema.overload_name else name


def whole_calls_of(op: Any, dtype: torch.dtype) -> Iterator[Recorded]:
    """Yields the composite calls that our function of an entry makes for all its samples."""
    ours, recorder = function(op), WholeRecorder()
    if ours is None or full_name(op).startswith("_refs"):
        return
    for sample in samples(op, dtype):
        with contextlib.suppress(CannotConvert):
            args, kwargs = to_aten(((sample.input, *sample.args), sample.kwargs))
            with recorder, contextlib.suppress(Exception):
                ours(*args, **kwargs)
    yield from recorder.calls
