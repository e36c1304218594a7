"""Defaults: whether a literal is of its type. The set is closed, so that no other text ever reaches C++."""

from __future__ import annotations

import re

from opgen.model import Base, BaseType, ListType, OptionalType, Type

_INT = re.compile(r"-?(?:0|[1-9][0-9]{0,18})\Z")
_FLOAT = re.compile(r"-?(?:(?:0|[1-9][0-9]{0,30})(?:\.[0-9]{0,40})?|\.[0-9]{1,40})(?:e[+-]?[0-9]{1,3})?\Z")
_STRING = re.compile(r"""'(?:[^'\\]|\\[\\'"nt])*'\Z|"(?:[^"\\]|\\[\\'"nt])*"\Z""")

# Enumerators that are valid defaults of their type.
ENUMERATORS = {
    Base.int: ("Mean",),
    Base.ScalarType: ("long",),
    Base.MemoryFormat: ("contiguous_format",),
}


def expected(type: Type) -> str:
    """Describes the possible defaults of `type`."""
    if isinstance(type, OptionalType):
        return f"None or {expected(type.elem)}"
    if isinstance(type, ListType):
        one = f", or one of the list's elements for all {type.size}" if type.size else ""
        return f"a list such as [0,1]{one}" if not type.is_tensor_like() else "[]"
    if not isinstance(type, BaseType):
        return "nothing (the type takes no default)"
    enumerators = "".join(f" or {e}" for e in ENUMERATORS.get(type.base, ()))
    words = {
        Base.int: "an integer",
        Base.SymInt: "an integer",
        Base.float: "a number",
        Base.Scalar: "a number, True or False",
        Base.bool: "True or False",
        Base.SymBool: "True or False",
        Base.str: "a quoted string",
        Base.Tensor: "[]",
    }
    return (words.get(type.base, "") + enumerators).removeprefix(
        " or "
    ) or "nothing (the type takes no default)"


def fits(text: str, type: Type) -> bool:
    """Whether `text` is a default of `type`. None is a default of optionals only."""
    if isinstance(type, OptionalType):
        return text == "None" or fits(text, type.elem)
    if isinstance(type, ListType):
        return _fits_list(text, type)
    if not isinstance(type, BaseType):
        return False
    base = type.base
    if text in ENUMERATORS.get(base, ()):
        return True
    if base is Base.int or base is Base.SymInt:
        return _INT.match(text) is not None and -(2**63) <= int(text) < 2**63
    if base is Base.float or base is Base.Scalar:
        number = _FLOAT.match(text) is not None or text in ("inf", "-inf", "nan")
        return number or (base is Base.Scalar and text in ("True", "False"))
    if base is Base.bool or base is Base.SymBool:
        return text in ("True", "False")
    if base is Base.str:
        return _STRING.match(text) is not None and text.isprintable()
    return base is Base.Tensor and text == "[]"


def _fits_list(text: str, type: ListType) -> bool:
    if not (text.startswith("[") and text.endswith("]")):
        return type.size is not None and fits(text, type.elem) and not type.is_tensor_like()
    inner = text[1:-1]
    if not inner:
        return True
    elements = inner.split(", ") if ", " in inner else inner.split(",")
    # Size 1 only means that a single element is accepted, too; PyTorch's `int[1] dim=[-2,-1]` relies on it.
    if type.size is not None and type.size > 1 and len(elements) != type.size:
        return False
    return all(fits(e, type.elem) for e in elements) and not type.is_tensor_like()
