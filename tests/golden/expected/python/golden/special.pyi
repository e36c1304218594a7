# Generated from templates/python/package/module.pyi.mako; not to be edited.
from collections.abc import Sequence
from typing import Any, NamedTuple, overload

from golden import Generator, Stream, Tensor, contiguous_format
from golden import _bool, _DeviceLike, _dtype, _float, _int, _IntOrInts, _Ints, _layout, _memory_format, _Number

def knots(n: _int, *, dtype: _dtype | None = None, layout: _layout | None = None, device: _DeviceLike | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor: ...
