"""Numerical limits of dtypes: finfo for floating-point and complex ones, iinfo for integers."""

from __future__ import annotations

from . import _C
from ._C import dtype as _dtype


class finfo:
    """`finfo(type=None)`: bits, eps, max, min, tiny (smallest normal) and resolution of a floating-point
    dtype, or of the components of a complex dtype. TypeError for other dtypes."""

    # name: bits, explicit significand bits, largest exponent, decimal digits
    _FORMATS = {
        "float16": (16, 10, 15, 3),
        "bfloat16": (16, 7, 127, 2),
        "float32": (32, 23, 127, 6),
        "float64": (64, 52, 1023, 15),
    }

    def __init__(self, type: _dtype | None = None) -> None:
        type = _C.get_default_dtype() if type is None else type
        if not isinstance(type, _dtype) or not (type.is_floating_point or type.is_complex):
            raise TypeError(f"finfo(): expected a floating point dtype, got {type}; use iinfo for integers")
        self.dtype = str(type.to_real()).rpartition(".")[2]
        self.bits, fraction, exponent, digits = self._FORMATS[self.dtype]
        self.eps = 2.0**-fraction
        self.max = (2.0 - self.eps) * 2.0**exponent
        self.min = -self.max
        self.smallest_normal = self.tiny = 2.0 ** (1 - exponent)
        self.resolution = float(f"1e-{digits}")

    def __repr__(self) -> str:
        return (
            f"finfo(resolution={self.resolution:g}, min={self.min:g}, max={self.max:g}, eps={self.eps:g}, "
            f"smallest_normal={self.smallest_normal:g}, tiny={self.tiny:g}, dtype={self.dtype})"
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, finfo) and other.dtype == self.dtype

    def __hash__(self) -> int:
        return hash((finfo, self.dtype))


class iinfo:
    """`iinfo(type)`: bits, min and max of an integer dtype. TypeError for other dtypes."""

    def __init__(self, type: _dtype) -> None:
        integral = isinstance(type, _dtype) and not (type.is_floating_point or type.is_complex)
        if not integral or type is _C.bool:
            raise TypeError(
                f"iinfo(): expected an integer dtype, got {type}; use finfo for floating point types"
            )
        self.dtype = str(type).rpartition(".")[2]
        self.bits = 8 * type.itemsize
        self.max = 2 ** (self.bits - 1) - 1 if type.is_signed else 2**self.bits - 1
        self.min = -(2 ** (self.bits - 1)) if type.is_signed else 0

    def __repr__(self) -> str:
        return f"iinfo(min={self.min}, max={self.max}, dtype={self.dtype})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, iinfo) and other.dtype == self.dtype

    def __hash__(self) -> int:
        return hash((iinfo, self.dtype))
