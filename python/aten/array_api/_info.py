"""What the standard asks a namespace about itself."""

from __future__ import annotations

from ._arguments import aten
from ._shapes import KINDS

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any


class Info:
    """The answers of `__array_namespace_info__()`."""

    def capabilities(self) -> dict[str, Any]:
        """Which of the optional parts are there."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}

    def default_device(self) -> Any:
        """The device of arrays that are made without one."""
        return aten.get_default_device()

    def default_dtypes(self, *, device: Any = None) -> dict[str, Any]:
        """The dtypes of arrays that are made without one, by kind."""
        real = aten.get_default_dtype()
        return {
            "real floating": real,
            "complex floating": real.to_complex(),
            "integral": aten.int64,
            "indexing": aten.int64,
        }

    def dtypes(self, *, device: Any = None, kind: Any = None) -> dict[str, Any]:
        """The standard's dtypes by name, all or those of a kind."""
        kinds = ("bool", "numeric") if kind is None else kind if isinstance(kind, tuple) else (kind,)
        return {name: getattr(aten, name) for k in kinds for name in KINDS[k]}

    def devices(self) -> tuple[Any, ...]:
        """The devices whose arrays can be computed with."""
        found = [aten.device("cpu")]
        found += [aten.device("cuda", i) for i in range(aten.cuda.device_count())]
        return (*found, aten.device("meta"))


def __array_namespace_info__() -> Info:
    """What this namespace has: devices, dtypes and optional parts."""
    return Info()
