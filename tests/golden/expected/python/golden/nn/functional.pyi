# Generated from templates/python/package/module.pyi.mako; not to be edited.
from collections.abc import Sequence
from typing import NamedTuple, overload

from golden import Generator, Stream, Tensor, contiguous_format
from golden import _bool, _DeviceLike, _dtype, _float, _int, _IntOrInts, _Ints, _layout, _memory_format, _Number

def blend(input: Tensor, weight: Tensor | None = None, *, eps: _float = 1e-05, mode: str = 'mean') -> Tensor: ...
