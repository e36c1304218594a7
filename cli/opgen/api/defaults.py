"""Defaults of a schema as C++ expressions, from which Python's are made."""

from __future__ import annotations

from opgen.model import Base, BaseType, ListType, OptionalType, Type

NULLOPT = "::std::nullopt"

_WORDS = {
    "False": "false",
    "True": "true",
    "None": NULLOPT,
    "Mean": "at::Reduction::Mean",
    "[]": "{}",
    "contiguous_format": "c10::MemoryFormat::Contiguous",
    "long": "at::kLong",
}
_NUMBERS = {
    "inf": "::std::numeric_limits<double>::infinity()",
    "-inf": "-::std::numeric_limits<double>::infinity()",
    "nan": "::std::numeric_limits<double>::quiet_NaN()",
}


def cpp_expr(text: str, type: Type, symint: bool) -> str:
    """The default `text` of an argument of `type`; `symint` as in the signature that it is for."""
    if isinstance(type, OptionalType):
        if text == "None":
            return "{}" if isinstance(type.elem, BaseType) and type.elem.base is Base.Tensor else NULLOPT
        return cpp_expr(text, type.elem, symint)
    if isinstance(type, ListType):
        return _list(text, type, symint)
    if isinstance(type, BaseType):
        if type.base is Base.str:
            return c_string(text)
        if text in _NUMBERS:
            return _NUMBERS[text]
    return _WORDS.get(text, text)


def _list(text: str, type: ListType, symint: bool) -> str:
    if text.startswith("["):
        inner = text[1:-1]
        if type.elem == BaseType(Base.bool):
            inner = ",".join(_WORDS[e.strip()] for e in inner.split(",")) if inner else ""
        return f"{{{inner}}}"
    if type.elem == BaseType(Base.bool):
        # A single element stands for all: std::array has no such constructor.
        return "{" + ",".join([_WORDS[text]] * (type.size or 1)) + "}"
    if symint and text.isdigit() and type.elem == BaseType(Base.SymInt):
        return f"c10::SymInt({text})"
    return _WORDS.get(text, text)


def c_string(literal: str) -> str:
    """A schema's string literal, in either kind of quotes, with C++'s double quotes."""
    if not (len(literal) >= 2 and literal[0] == "'" == literal[-1]):
        return literal
    out, chars = [], iter(literal[1:-1])
    for char in chars:
        if char == "\\":
            escaped = next(chars, "")
            out.append("'" if escaped == "'" else char + escaped)
        else:
            out.append('\\"' if char == '"' else char)
    return f'"{"".join(out)}"'
