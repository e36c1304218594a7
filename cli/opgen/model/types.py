"""Types of arguments and returns: a base type, an optional of one, a list of one, or a custom class.

`str()` of a type is its spelling in a schema. Alias annotations belong to the argument, not to the type.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import ClassVar


class Base(enum.Enum):
    """The base types that the format knows; the value is the spelling."""

    Tensor = "Tensor"
    Scalar = "Scalar"
    int = "int"
    SymInt = "SymInt"
    float = "float"
    bool = "bool"
    SymBool = "SymBool"
    str = "str"
    ScalarType = "ScalarType"
    Layout = "Layout"
    Device = "Device"
    DeviceIndex = "DeviceIndex"
    MemoryFormat = "MemoryFormat"
    Generator = "Generator"
    Storage = "Storage"
    Stream = "Stream"
    QScheme = "QScheme"
    DimVector = "DimVector"
    GraphModule = "GraphModule"
    Dimname = "Dimname"
    ConstQuantizerPtr = "ConstQuantizerPtr"

    __hash__ = object.__hash__  # members are unique, so identity is enough; types are hashed very often


# Types of older releases: read in every file, but no longer part of the format.
DROPPED = frozenset({Base.Dimname, Base.ConstQuantizerPtr})


@dataclass(frozen=True, slots=True)
class BaseType:
    base: Base

    def __str__(self) -> str:
        return self.base.value

    def is_like(self, base: Base) -> bool:
        """Whether it is `base`, or an optional or list of it."""
        return self.base is base

    def is_tensor_like(self) -> bool:
        return self.base is Base.Tensor

    def is_symint_like(self) -> bool:
        return self.base is Base.SymInt

    def is_nullable(self) -> bool:
        return False

    def as_list(self) -> ListType | None:
        """Returns the list type, when this is a list or an optional list."""
        return None


@dataclass(frozen=True, slots=True)
class OptionalType:
    elem: Type

    def __str__(self) -> str:
        return f"{self.elem}?"

    def is_like(self, base: Base) -> bool:
        return self.elem.is_like(base)

    def is_tensor_like(self) -> bool:
        return self.elem.is_tensor_like()

    def is_symint_like(self) -> bool:
        return self.elem.is_symint_like()

    def is_nullable(self) -> bool:
        return True

    def as_list(self) -> ListType | None:
        return self.elem.as_list()


@dataclass(frozen=True, slots=True)
class ListType:
    elem: Type
    size: int | None = None

    def __str__(self) -> str:
        return f"{self.elem}[{'' if self.size is None else self.size}]"

    def is_like(self, base: Base) -> bool:
        return self.elem.is_like(base)

    def is_tensor_like(self) -> bool:
        return self.elem.is_tensor_like()

    def is_symint_like(self) -> bool:
        return self.elem.is_symint_like()

    def is_nullable(self) -> bool:
        """Whether the elements may be None. The list itself cannot be left out."""
        return self.elem.is_nullable()

    def as_list(self) -> ListType | None:
        return self


@dataclass(frozen=True, slots=True)
class CustomClassType:
    """A class registered at run time, spelled `__torch__.torch.classes.<name>`."""

    name: str

    PREFIX: ClassVar[str] = "__torch__.torch.classes."

    def __str__(self) -> str:
        return self.PREFIX + self.name

    def is_like(self, base: Base) -> bool:
        return False

    def is_tensor_like(self) -> bool:
        return False

    def is_symint_like(self) -> bool:
        return False

    def is_nullable(self) -> bool:
        return False

    def as_list(self) -> ListType | None:
        return None


Type = BaseType | OptionalType | ListType | CustomClassType

TENSOR = BaseType(Base.Tensor)
