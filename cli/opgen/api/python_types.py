"""Schema types and defaults as Python's argument parser spells them."""

from __future__ import annotations

from functools import cache

from opgen.api import defaults
from opgen.model import Base, BaseType, CustomClassType, OptionalType, Type

_PARSER = {Base.int: "int64_t", Base.float: "double", Base.str: "c10::string_view"}
_PARSER_LISTS = {
    Base.int: "IntArrayRef",
    Base.SymInt: "SymIntArrayRef",
    Base.Tensor: "TensorList",
    Base.Scalar: "ScalarList",
    Base.Dimname: "DimnameList",
}
_DEFAULTS = {"true": "True", "false": "False", defaults.NULLOPT: "None"}
_NUMBERS = ("inf", "-inf", "nan")


@cache
def parser_type(type: Type) -> str:
    """Returns the argument parser's spelling of a type: `Tensor`, `IntArrayRef[2]`, `Scalar?`."""
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
    """Returns the default in Python: C++'s, except for booleans, scalars and None. An empty list is `{}`."""
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
