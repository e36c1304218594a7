"""The array API standard 2025.12: its functions with its names, arguments and results, for Tensor.

Where the package's own functions are PyTorch's and so differ (in promotion of 0-dim arrays, names of
arguments, tuples as results), these do what the standard says. `Tensor.__array_namespace__()` returns this
module."""

from __future__ import annotations

from . import _creation, _elementwise, _reductions, _shapes
from . import fft as fft
from . import linalg as linalg
from ._arguments import aten as _aten
from ._info import __array_namespace_info__ as __array_namespace_info__

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

    def __getattr__(name: str) -> Any:
        """For checkers: the functions of the modules beside this one."""


__array_api_version__ = "2025.12"
VERSIONS = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12")

for _module in (_creation, _elementwise, _reductions, _shapes):
    for _name in _module.NAMES:
        _function = getattr(_module, _name)
        _function.__name__ = _function.__qualname__ = _name
        _function.__module__ = __name__
        globals()[_name] = _function

_DTYPES = (
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 complex128"
).split()
_CONSTANTS = "e inf nan newaxis pi".split()
for _name in (*_DTYPES, *_CONSTANTS):
    globals()[_name] = getattr(_aten, _name)

__all__ = sorted(
    [
        *(n for m in (_creation, _elementwise, _reductions, _shapes) for n in m.NAMES),
        *_DTYPES,
        *_CONSTANTS,
        "__array_api_version__",
        "__array_namespace_info__",
        "fft",
        "linalg",
    ]
)
