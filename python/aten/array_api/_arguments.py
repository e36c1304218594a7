"""What the functions of this namespace share: the package, and dtypes of operands as the standard promotes
them."""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

# Looked up when it is called: this namespace is imported before the package is complete.
aten: Any = sys.modules[__name__.partition(".")[0]]


def record(name: str, doc: str, *fields: str) -> Any:
    """Makes a class of tuples with named elements: typing and collections take longer to import than this."""

    def new(cls: type, *values: Any) -> Any:
        return tuple.__new__(cls, values)

    def show(self: tuple[Any, ...]) -> str:
        return f"{name}({', '.join(f'{f}={v!r}' for f, v in zip(fields, self, strict=True))})"

    members = {"__slots__": (), "__doc__": doc, "_fields": fields, "__new__": new, "__repr__": show}
    return type(name, (tuple,), {**members, **{f: _element(i) for i, f in enumerate(fields)}})


def _element(index: int) -> property:
    def element(self: tuple[Any, ...]) -> Any:
        return self[index]

    return property(element)


def is_array(x: Any) -> bool:
    return isinstance(x, aten.Tensor)


def promote(a: Any, b: Any) -> Any:
    """The dtype of what is computed of two dtypes; of an unsigned integer and a signed one a wider signed
    one."""
    if a == b:
        return a
    if not (_is_integer(a) and _is_integer(b)) or a.is_signed == b.is_signed == True:  # noqa: E712
        return _promote_with_others(a, b)
    if a.is_signed == b.is_signed:
        return a if a.itemsize > b.itemsize else b
    signed, unsigned = (a, b) if a.is_signed else (b, a)
    for bits in (16, 32, 64):
        if bits >= 16 * unsigned.itemsize:
            wider = getattr(aten, f"int{bits}")
            return wider if wider.itemsize > signed.itemsize else signed
    raise TypeError(f"no dtype holds the values of both {a} and {b}")


def _is_integer(dtype: Any) -> bool:
    return not (dtype.is_floating_point or dtype.is_complex or dtype == aten.bool)


def _promote_with_others(a: Any, b: Any) -> Any:
    for one, other in ((a, b), (b, a)):
        if _is_integer(one) and (other.is_floating_point or other.is_complex):
            return other
        if one == aten.bool and _is_integer(other):
            return other
    return aten.promote_types(a, b)


def promoted(*operands: Any) -> tuple[Any, ...]:
    """The operands with the dtype of all arrays among them, 0-dim ones included; scalars become arrays of
    it."""
    dtypes = [x.dtype for x in operands if is_array(x)]
    wanted = dtypes[0]
    for dtype in dtypes[1:]:
        wanted = promote(wanted, dtype)
    for x in operands:
        if isinstance(x, complex) and not wanted.is_complex:
            wanted = wanted.to_complex()
    place = next(x.device for x in operands if is_array(x))
    return tuple(
        (x if x.dtype == wanted else x.to(wanted)) if is_array(x) else _scalar(x, wanted, place)
        for x in operands
    )


def _scalar(x: Any, dtype: Any, place: Any) -> Any:
    return aten.tensor(x, dtype=dtype, device=place)


def dims(x: Any, axis: int | tuple[int, ...] | None) -> tuple[int, ...]:
    """The dimensions that `axis` means; None is all. IndexError for one that isn't there."""
    if axis is None:
        return tuple(range(x.ndim))
    found = []
    for d in (axis,) if isinstance(axis, int) else axis:
        if not -x.ndim <= d < x.ndim:
            raise IndexError(f"axis {d} is out of bounds for an array of {x.ndim} dimensions")
        found.append(d % x.ndim)
    if len(set(found)) != len(found):
        raise ValueError(f"axis {axis} names a dimension twice")
    return tuple(found)


def accumulated(x: Any, dtype: Any, function: Any) -> Any:
    """function(x) as a sum or product is computed: in `dtype`, else for integers in the 64-bit one of their
    kind. Unsigned integers are computed as signed ones of 64 bits, which wrap alike."""
    if dtype is None:
        dtype = x.dtype
        if dtype == aten.bool or _is_integer(dtype):
            dtype = aten.int64 if dtype == aten.bool or dtype.is_signed else aten.uint64
    unsigned = _is_integer(dtype) and not dtype.is_signed
    made = function(x.to(aten.int64 if unsigned else dtype))
    return made.to(dtype)
