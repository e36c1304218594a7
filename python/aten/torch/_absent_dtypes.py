"""Dtypes of PyTorch's without tensors here: programs name them in tables, and compare others with them."""

from __future__ import annotations

from .. import _dtype_info

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any


class AbsentDtype:
    """A dtype that no tensor has. It equals only itself; functions don't take it as a dtype."""

    is_complex = False
    is_floating_point = True
    is_signed = True
    itemsize = 1

    def __init__(self, name: str, eps: float, max: float, tiny: float) -> None:
        self._name = name
        self._limits = {"eps": eps, "max": max, "tiny": tiny, "smallest_normal": tiny}

    def __repr__(self) -> str:
        return f"torch.{self._name}"


class finfo(_dtype_info.finfo):
    """The limits of a floating-point dtype, also of those without tensors here."""

    def __init__(self, type: Any = None) -> None:
        if not isinstance(type, AbsentDtype):
            super().__init__(type)
            return
        self.dtype, self.bits, self.resolution = type._name, 8, 1.0
        vars(self).update(type._limits)
        self.min = -self.max


float8_e4m3fn = AbsentDtype("float8_e4m3fn", 2.0**-3, 448.0, 2.0**-6)
float8_e4m3fnuz = AbsentDtype("float8_e4m3fnuz", 2.0**-3, 240.0, 2.0**-7)
float8_e5m2 = AbsentDtype("float8_e5m2", 2.0**-2, 57344.0, 2.0**-14)
float8_e5m2fnuz = AbsentDtype("float8_e5m2fnuz", 2.0**-3, 57344.0, 2.0**-15)
