"""Schema types to C++ types, as far as the calling conventions share them."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from opgen.api import ctype
from opgen.api.ctype import CType
from opgen.model import Base, BaseType, CustomClassType, ListType, OptionalType, Return, Type


class Style(NamedTuple):
    """What differs between the signatures of one convention.

    `symint`: SymInt is c10::SymInt, else int64_t. `const_writes`: tensors that are written to are passed as
    const. `list_refs`: lists of tensors are ITensorListRef (in structured groups).
    """

    symint: bool = False
    const_writes: bool = False
    list_refs: bool = False


class NoCppType(NotImplementedError):
    """The schema type has no C++ type in this place."""


_BY_NAME = {
    Base.int: ctype.INT64,
    Base.float: ctype.DOUBLE,
    Base.bool: ctype.BOOL,
    Base.str: ctype.STRING_VIEW,
    Base.SymBool: ctype.SYM_BOOL,
    Base.ScalarType: ctype.SCALAR_TYPE,
    Base.Layout: ctype.LAYOUT,
    Base.Device: ctype.DEVICE,
    Base.MemoryFormat: ctype.MEMORY_FORMAT,
    Base.DeviceIndex: ctype.Named("at::DeviceIndex"),
    Base.Generator: ctype.Named("at::Generator"),
    Base.Storage: ctype.Named("at::Storage"),
    Base.Stream: ctype.Named("at::Stream"),
    Base.QScheme: ctype.Named("at::QScheme"),
    Base.DimVector: ctype.Named("at::DimVector"),
    Base.Dimname: ctype.Named("at::Dimname"),
    Base.ConstQuantizerPtr: ctype.Named("at::ConstQuantizerPtr"),
}

_CONST_TENSOR = ctype.ConstRef(ctype.TENSOR)
_CONST_OPTIONAL_TENSOR = ctype.ConstRef(ctype.Optional(ctype.TENSOR))
_CONST_OPTIONAL_TENSORS = ctype.ConstRef(ctype.List(ctype.Optional(ctype.TENSOR)))


@cache
def value_type(type: Type, symint: bool) -> CType | None:
    """The type passed and returned by value; None for tensors, scalars and most lists."""
    if isinstance(type, BaseType):
        if type.base is Base.SymInt:
            return ctype.SYM_INT if symint else ctype.INT64
        if type.base is Base.GraphModule:
            raise NoCppType(f"type '{type}' has no C++ type")
        return _BY_NAME.get(type.base)
    if isinstance(type, OptionalType):
        elem = value_type(type.elem, symint)
        return None if elem is None else ctype.Optional(elem)
    if isinstance(type, CustomClassType):
        raise NoCppType(f"type '{type}': classes that are registered at run time have no C++ type here")
    if type.elem.is_like(Base.bool) and isinstance(type.elem, BaseType):
        if type.size is None:
            raise NoCppType(f"type '{type}': a list of bool needs a size, as in bool[3]")
        return ctype.Array(ctype.BOOL, type.size)
    return None


@cache
def argument_type(type: Type, write: bool, style: Style) -> CType:
    """The type of an argument; `write` is whether the argument is written to."""
    write = write and not style.const_writes
    value = value_type(type, style.symint)
    if value is not None:
        return value
    if isinstance(type, BaseType):
        if type.base is Base.Scalar:
            return ctype.ConstRef(ctype.SCALAR)
        return ctype.MutRef(ctype.TENSOR) if write else _CONST_TENSOR
    if isinstance(type, OptionalType):
        return _optional(type.elem, write, style)
    assert isinstance(type, ListType), "custom classes are values"
    return _list(type, write, style)


def _optional(elem: Type, write: bool, style: Style) -> CType:
    if isinstance(elem, BaseType):
        if elem.base is Base.Scalar:
            return ctype.ConstRef(ctype.Optional(ctype.SCALAR))
        # PyTorch passes an optional tensor that is written to as a plain one, undefined when it is absent.
        return ctype.MutRef(ctype.TENSOR) if write else _CONST_OPTIONAL_TENSOR
    if isinstance(elem, ListType) and elem.elem == BaseType(Base.int):
        return ctype.OPTIONAL_INT_ARRAY
    if isinstance(elem, ListType) and elem.elem == BaseType(Base.SymInt):
        return ctype.OPTIONAL_SYM_INT_ARRAY if style.symint else ctype.OPTIONAL_INT_ARRAY
    return ctype.Optional(argument_type(elem, write, style))


def _list(type: ListType, write: bool, style: Style) -> CType:
    elem = type.elem
    if isinstance(elem, BaseType):
        if elem.base is Base.int or (elem.base is Base.SymInt and not style.symint):
            return ctype.INT_ARRAY
        if elem.base is Base.SymInt:
            return ctype.SYM_INT_ARRAY
        if elem.base is Base.Tensor:
            return ctype.ConstRef(ctype.TENSOR_LIST_REF) if style.list_refs else ctype.TENSOR_LIST
        if elem.base is Base.Scalar:
            return ctype.ArrayRef(ctype.SCALAR)
        if elem.base is Base.Dimname:
            return ctype.Named("at::DimnameList")
    if elem.is_tensor_like() and isinstance(elem, OptionalType):
        return _CONST_OPTIONAL_TENSORS
    return ctype.ArrayRef(argument_type(elem, write, style))


@cache
def return_type(type: Type, write: bool, const_writes: bool) -> CType:
    """The type of one return; arguments that were written to are returned by reference. SymInts are kept."""
    value = value_type(type, True)
    if value is not None:
        return value
    if isinstance(type, BaseType):
        if type.base is Base.Scalar:
            return ctype.SCALAR
        if not write:
            return ctype.TENSOR
        return _CONST_TENSOR if const_writes else ctype.MutRef(ctype.TENSOR)
    if isinstance(type, OptionalType):
        return ctype.Optional(return_type(type.elem, write, const_writes))
    assert isinstance(type, ListType), "custom classes are values"
    return ctype.Vector(return_type(type.elem, False, const_writes))


def returns_type(returns: tuple[Return, ...], const_writes: bool) -> CType:
    """void, the only type, or a tuple of all."""
    if not returns:
        return ctype.VOID
    types = [return_type(r.type, r.is_write, const_writes) for r in returns]
    return types[0] if len(types) == 1 else ctype.Tuple(tuple(types))
