"""Functions of each element, and of each pair of elements."""

from __future__ import annotations

from ._arguments import aten, is_array, promoted

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any


def _unary(name: str) -> Any:
    def function(x: Any, /) -> Any:
        return getattr(aten, name)(x)

    return function


def _binary(name: str) -> Any:
    def function(x1: Any, x2: Any, /) -> Any:
        return getattr(aten, name)(*promoted(x1, x2))

    return function


# The standard's name, and the package's.
UNARY = {
    **{
        n: n
        for n in (
            "abs acos acosh asin asinh atan atanh ceil conj cos cosh exp expm1 floor imag isfinite isinf "
            "isnan "
            "log log10 log1p log2 logical_not negative positive real reciprocal round signbit sin sinh sqrt "
            "square tan tanh trunc"
        ).split()
    },
    "bitwise_invert": "bitwise_not",
}
BINARY = {
    **{
        n: n
        for n in (
            "add atan2 bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor copysign "
            "divide "
            "greater greater_equal hypot less less_equal logaddexp logical_and logical_or "
            "logical_xor maximum minimum multiply nextafter not_equal pow subtract"
        ).split()
    },
    "equal": "eq",
}
for _tables, _make in ((UNARY, _unary), (BINARY, _binary)):
    for _name, _of in _tables.items():
        _function = _make(_of)
        _function.__name__ = _function.__qualname__ = _name
        _function.__doc__ = f"The standard's {_name}, by {_of}()."
        globals()[_name] = _function


def sign(x: Any, /) -> Any:
    """-1, 0 or 1 by the sign of each element; of complex ones x / abs(x)."""
    return aten.sgn(x) if x.is_complex() else aten.where(aten.isnan(x), x, aten.sign(x))


def floor_divide(x1: Any, x2: Any, /) -> Any:
    """The largest integer below each quotient; infinite elements are divided as numbers are."""
    x1, x2 = promoted(x1, x2)
    made = aten.floor_divide(x1, x2)
    if not x1.dtype.is_floating_point:
        return made
    return aten.where(aten.isinf(x1) | aten.isinf(x2), aten.floor(x1 / x2), made)


def remainder(x1: Any, x2: Any, /) -> Any:
    """What is left of each division, with the sign of x2, zeros included."""
    x1, x2 = promoted(x1, x2)
    made = aten.remainder(x1, x2)
    return aten.where(made == 0, aten.copysign(made, x2), made) if x1.dtype.is_floating_point else made


def clip(x: Any, /, min: Any = None, max: Any = None) -> Any:
    """Each element, but at least `min` and at most `max`, which broadcast. The dtype is x's."""
    if min is None and max is None:
        return x.clone()
    bounds = [b.to(x.dtype) if is_array(b) else b for b in (min, max)]
    shape = aten.broadcast_shapes(x.shape, *(b.shape for b in bounds if is_array(b)))
    low, high = (
        None if b is None else b if is_array(b) else _bound(b, x, lowest)
        for b, lowest in zip(bounds, (True, False), strict=True)
    )
    return aten.clamp(x.expand(shape), low, high)


def _bound(value: Any, x: Any, lowest: bool) -> Any:
    """A scalar bound as an array; None where no element can be beyond it."""
    if x.dtype.is_floating_point:
        return aten.full((), value, dtype=x.dtype, device=x.device)
    info = aten.iinfo(x.dtype)
    if value < info.min if lowest else value > info.max:
        return None
    return aten.full((), value, dtype=x.dtype, device=x.device)


NAMES = (*UNARY, *BINARY, "sign", "floor_divide", "remainder", "clip")
