"""The schema as it is at run time: PyTorch's parser reads defaults as values and prints those.

They differ from declarations: `SymInt[2] stride=1` is `SymInt[2] stride=[1, 1]` (but a list of int with equal
elements stays one element), `float eps=1e-05` has 17 digits, enumerators are their values, a DeviceIndex is
an int, and `Tensor!` is `Tensor(a!)`.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from opgen.model import Alias, Argument, Base, BaseType, Function, ListType, OptionalType, Return, Type
from opgen.model.schema import typed

_INT = BaseType(Base.int)
_ENUMERATORS = {"Mean": "1", "long": "4", "contiguous_format": "0"}
_UNESCAPED = {"n": "\n", "t": "\t"}
_ESCAPED = {"\\": "\\\\", "'": "\\'", '"': '\\"', "\n": "\\n", "\t": "\\t"}
# From here on, PyTorch prints integral floats with an exponent, too.
_WHOLE = 2.0**63


def text(function: Function) -> str:
    """Returns the schema as in `aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor`."""
    args = function.schema.arguments
    parts = [argument(a) for a in args.positional]
    keyword = [argument(a) for a in args.kwarg_only + args.out]
    if keyword:
        parts += ["*", *keyword]
    returns = ", ".join(map(_return, function.schema.returns))
    if len(function.schema.returns) != 1:
        returns = f"({returns})"
    return f"{function.namespace}::{function.schema.name}({', '.join(parts)}) -> {returns}"


def argument(a: Argument) -> str:
    declared = _typed(a.type, a.alias)
    return f"{declared} {a.name}" if a.default is None else f"{declared} {a.name}={value(a.default, a.type)}"


def _return(r: Return) -> str:
    declared = _typed(r.type, r.alias)
    return declared if r.name is None else f"{declared} {r.name}"


def _typed(type: Type, alias: Alias | None) -> str:
    """Returns the type with its annotation; `Tensor!` is written out, as its letter tells which arguments
    share memory.
    """
    return typed(runtime_type(type), alias and replace(alias, shorthand=False))


@cache
def runtime_type(type: Type) -> Type:
    if isinstance(type, BaseType):
        return _INT if type.base is Base.DeviceIndex else type
    if isinstance(type, OptionalType):
        return OptionalType(runtime_type(type.elem))
    if isinstance(type, ListType):
        return ListType(runtime_type(type.elem), type.size)
    return type


@cache
def value(default: str, type: Type) -> str:
    """Returns the default of an argument of `type`, printed as a value."""
    if isinstance(type, OptionalType):
        return "None" if default == "None" else value(default, type.elem)
    if isinstance(type, ListType):
        if default.startswith("["):
            elements = [e.strip() for e in default[1:-1].split(",")] if default != "[]" else []
        else:
            elements = [default] * (type.size or 1)
        if type.elem == _INT and len(elements) > 1 and len(set(elements)) == 1:
            return elements[0]
        return f"[{', '.join([value(e, type.elem) for e in elements])}]"
    if isinstance(type, BaseType):
        if type.base is Base.str:
            return quoted(default)
        if type.base is Base.float or (type.base is Base.Scalar and not _is_word(default)):
            return number(default, type.base is Base.float)
    return _ENUMERATORS.get(default, default)


def _is_word(default: str) -> bool:
    return default in ("True", "False")


def number(default: str, is_float: bool) -> str:
    """Returns a scalar as PyTorch prints it: an integer unless it is written as a float, which gets a dot or
    an exponent.
    """
    if not is_float and default.lstrip("-").isdigit():
        return default
    x = float(default)
    if abs(x) < _WHOLE and x == int(x):
        return f"{int(x)}."
    return f"{x:.17g}"


def quoted(literal: str) -> str:
    """Returns a string literal in double quotes, both kinds of quotes escaped."""
    out, chars = [], iter(literal[1:-1])
    for char in chars:
        if char == "\\":
            escaped = next(chars, "")
            char = _UNESCAPED.get(escaped, escaped)
        out.append(_ESCAPED.get(char, char))
    return f'"{"".join(out)}"'
