"""Fourier transforms, with the standard's names of arguments."""

from __future__ import annotations

from ._arguments import aten

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any


def _one(name: str) -> Any:
    def function(x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
        return getattr(aten.fft, name)(x, n=n, dim=axis, norm=norm)

    return function


def _several(name: str) -> Any:
    def function(x: Any, /, *, s: Any = None, axes: Any = None, norm: str = "backward") -> Any:
        return getattr(aten.fft, name)(x, s=s, dim=axes, norm=norm)

    return function


def _shift(name: str) -> Any:
    def function(x: Any, /, *, axes: Any = None) -> Any:
        return getattr(aten.fft, name)(x, dim=axes)

    return function


def _frequencies(name: str) -> Any:
    def function(n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None) -> Any:
        return getattr(aten.fft, name)(n, d, dtype=dtype, device=device)

    return function


_MADE = {
    _one: "fft ifft rfft irfft hfft ihfft",
    _several: "fftn ifftn rfftn irfftn",
    _shift: "fftshift ifftshift",
    _frequencies: "fftfreq rfftfreq",
}
__all__ = []
for _make, _names in _MADE.items():
    for _name in _names.split():
        _function = _make(_name)
        _function.__name__ = _function.__qualname__ = _name
        _function.__doc__ = f"The standard's fft.{_name}."
        globals()[_name] = _function
        __all__.append(_name)
