"""Schema types as Python's two readers of them spell them: the argument parser, and type checkers (.pyi)."""

from __future__ import annotations

from functools import cache

from opgen.api import defaults
from opgen.model import Base, BaseType, CustomClassType, ListType, OptionalType, Type

_PARSER = {Base.int: "int64_t", Base.float: "double", Base.str: "c10::string_view"}
_PARSER_LISTS = {
    Base.int: "IntArrayRef",
    Base.SymInt: "SymIntArrayRef",
    Base.Tensor: "TensorList",
    Base.Scalar: "ScalarList",
    Base.Dimname: "DimnameList",
}

_STUB = {
    Base.int: "_int",
    Base.DeviceIndex: "_int",
    Base.SymInt: "_int | SymInt",
    Base.SymBool: "_bool | SymBool",
    Base.float: "_float",
    Base.str: "str",
    Base.Scalar: "Number | _complex",
    Base.ScalarType: "_dtype",
    Base.bool: "_bool",
    Base.QScheme: "_qscheme",
    Base.Layout: "_layout",
    Base.Device: "DeviceLikeType | None",
    Base.MemoryFormat: "memory_format",
    Base.Storage: "Storage | UntypedStorage",
    Base.Dimname: "str | EllipsisType | None",
}

_DEFAULTS = {"true": "True", "false": "False", defaults.NULLOPT: "None"}
_NUMBERS = ("inf", "-inf", "nan")


@cache
def parser_type(type: Type) -> str:
    """`Tensor`, `IntArrayRef[2]`, `Scalar?`: the parser's own names."""
    if isinstance(type, BaseType):
        return _PARSER.get(type.base, type.base.value)
    if isinstance(type, OptionalType):
        return f"{parser_type(type.elem)}?"
    if isinstance(type, CustomClassType):
        return type.name
    if isinstance(type.elem, BaseType):
        if type.elem.base is Base.bool:
            return f"::std::array<bool,{type.size}>"
        if type.elem.base in _PARSER_LISTS:
            size = "" if type.size is None else f"[{type.size}]"
            return _PARSER_LISTS[type.elem.base] + size
    if type.elem.is_tensor_like():
        return "c10::List<::std::optional<Tensor>>"
    return f"ArrayRef<{parser_type(type.elem)}>"


@cache
def python_default(text: str, type: Type) -> str:
    """A default in Python's words: C++'s, but for truth values, numbers and None. An empty list is `{}`."""
    if text in _NUMBERS:
        return text
    expr = defaults.cpp_expr(text, type, symint=False)
    if expr in _DEFAULTS:
        return _DEFAULTS[expr]
    for number in (int, float):
        try:
            return str(number(expr))
        except ValueError:
            pass
    return expr


def optional(type: str) -> str:
    return type if type.endswith(" | None") else f"{type} | None"


@cache
def stub_type(type: Type) -> str:
    """The type of an argument for type checkers: all that is taken for it."""
    if isinstance(type, OptionalType):
        return optional(stub_type(type.elem))
    if isinstance(type, BaseType):
        return _STUB.get(type.base, type.base.value)
    if isinstance(type, CustomClassType):
        return type.name
    return _stub_list(type)


def _stub_list(type: ListType) -> str:
    elem = stub_type(type.elem)
    if type.elem == BaseType(Base.int):
        return "_int | _size" if type.size is not None else "_size"
    if type.elem.is_tensor_like():
        many = f"tuple[{elem}, ...] | list[{elem}]"
        if type.size is not None:
            many = f"Tensor | {many}"
        return optional(many) if type.elem.is_nullable() else many
    if type.elem == BaseType(Base.SymInt) and type.size is not None:
        return f"{elem} | Sequence[{elem}]"
    return f"Sequence[{elem}]"


@cache
def stub_return(type: Type) -> str:
    """The type of a return for type checkers: exactly what comes."""
    if isinstance(type, OptionalType):
        return optional(stub_return(type.elem))
    if isinstance(type, ListType):
        return f"tuple[{stub_return(type.elem)}, ...]"
    if type == BaseType(Base.Device):
        return "_device"
    return stub_type(type)
