"""C++ types as trees. `str(type)` is the spelling in generated code, computed when the type is made."""

from __future__ import annotations

import abc
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class CType(abc.ABC):
    """A C++ type; equal trees are equal types."""

    text: str = field(init=False, repr=False, compare=False, default="")

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", self._spell())

    @abc.abstractmethod
    def _spell(self) -> str:
        """Returns the type as C++ writes it."""

    def __str__(self) -> str:
        return self.text

    @property
    def value(self) -> CType:
        """The type without `const` and reference."""
        return self


@dataclass(frozen=True, slots=True)
class Named(CType):
    """A type that is spelled by its name alone."""

    name: str = ""

    def _spell(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class _Wrapper(CType):
    elem: CType = field(default_factory=lambda: VOID)


class ConstRef(_Wrapper):
    __slots__ = ()

    def _spell(self) -> str:
        return f"const {self.elem} &"

    @property
    def value(self) -> CType:
        return self.elem


class MutRef(_Wrapper):
    __slots__ = ()

    def _spell(self) -> str:
        return f"{self.elem} &"

    @property
    def value(self) -> CType:
        return self.elem


class Optional(_Wrapper):
    __slots__ = ()

    def _spell(self) -> str:
        return f"::std::optional<{self.elem}>"


class ArrayRef(_Wrapper):
    __slots__ = ()

    def _spell(self) -> str:
        return f"at::ArrayRef<{self.elem}>"


class Vector(_Wrapper):
    __slots__ = ()

    def _spell(self) -> str:
        return f"::std::vector<{self.elem}>"


class List(_Wrapper):
    """c10's reference-counted list."""

    __slots__ = ()

    def _spell(self) -> str:
        return f"c10::List<{self.elem}>"


@dataclass(frozen=True, slots=True)
class Array(CType):
    """An array whose length is part of the type."""

    elem: CType = field(default_factory=lambda: VOID)
    size: int = 0

    def _spell(self) -> str:
        return f"::std::array<{self.elem},{self.size}>"


@dataclass(frozen=True, slots=True)
class Tuple(CType):
    elems: tuple[CType, ...] = ()

    def _spell(self) -> str:
        return f"::std::tuple<{','.join(map(str, self.elems))}>"


VOID: CType = Named("void")
BOOL = Named("bool")
INT64 = Named("int64_t")
DOUBLE = Named("double")
STRING_VIEW = Named("c10::string_view")
SYM_INT = Named("c10::SymInt")
SYM_BOOL = Named("c10::SymBool")
TENSOR = Named("at::Tensor")
SCALAR = Named("at::Scalar")
SCALAR_TYPE = Named("at::ScalarType")
LAYOUT = Named("at::Layout")
DEVICE = Named("at::Device")
MEMORY_FORMAT = Named("at::MemoryFormat")
TENSOR_OPTIONS = Named("at::TensorOptions")

TENSOR_LIST = Named("at::TensorList")
TENSOR_LIST_REF = Named("at::ITensorListRef")
OPTIONAL_TENSOR_LIST_REF = Named("at::IOptTensorListRef")
OPTIONAL_TENSOR_REF = Named("at::OptionalTensorRef")
OPTIONAL_SCALAR_REF = Named("at::OptionalScalarRef")
INT_ARRAY = Named("at::IntArrayRef")
SYM_INT_ARRAY = Named("c10::SymIntArrayRef")
OPTIONAL_INT_ARRAY = Named("at::OptionalIntArrayRef")
OPTIONAL_SYM_INT_ARRAY = Named("at::OptionalSymIntArrayRef")
