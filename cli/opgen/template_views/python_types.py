"""Schema types in Python's argument parser: the parser's type, the accessor that converts it, its names in
messages and in stubs.
"""

from __future__ import annotations

import dataclasses

from opgen.model.types import Base, ListType, OptionalType, Type
from opgen.template_views.atoms import Cpp, c_literal

_PARAM_TYPES = {
    Base.Tensor: "Tensor", Base.Scalar: "Scalar", Base.int: "Int", Base.SymInt: "Int", Base.float: "Double",
    Base.bool: "Bool", Base.SymBool: "Bool", Base.str: "String", Base.ScalarType: "ScalarType",
    Base.Layout: "Layout", Base.Device: "Device", Base.DeviceIndex: "Int", Base.MemoryFormat: "MemoryFormat",
    Base.Generator: "Generator", Base.Storage: "Storage", Base.Stream: "Stream", Base.DimVector: "IntList",
}  # fmt: skip
_LIST_TYPES = {
    Base.Tensor: "TensorList", Base.int: "IntList", Base.SymInt: "IntList", Base.float: "DoubleList",
    Base.bool: "BoolList", Base.Scalar: "ScalarList", Base.str: "StringList",
}  # fmt: skip
_ACCESSORS = {
    Base.Tensor: "tensor", Base.Scalar: "scalar", Base.int: "integer", Base.SymInt: "integer", Base.float:
    "real",
    Base.bool: "boolean", Base.SymBool: "boolean", Base.str: "string", Base.ScalarType: "dtype",
    Base.Layout: "layout", Base.Device: "device", Base.DeviceIndex: "integer", Base.MemoryFormat:
    "memory_format",
    Base.Generator: "generator", Base.Stream: "stream", Base.DimVector: "ints",
}  # fmt: skip
_LIST_ACCESSORS = {
    Base.Tensor: "tensors", Base.int: "ints", Base.SymInt: "symints", Base.float: "reals", Base.Scalar:
    "scalars",
    Base.str: "strings",
}  # fmt: skip
_MESSAGE_NAMES = {
    Base.Tensor: "Tensor", Base.Scalar: "Number", Base.SymInt: "int", Base.DeviceIndex: "int",
    Base.SymBool: "bool", Base.ScalarType: "dtype", Base.Layout: "layout", Base.Device: "device",
    Base.MemoryFormat: "memory_format", Base.DimVector: "tuple of ints",
}  # fmt: skip
_STUB_NAMES = {
    Base.Tensor: "Tensor", Base.Scalar: "_Number", Base.int: "_int", Base.SymInt: "_int", Base.float:
    "_float",
    Base.bool: "_bool", Base.SymBool: "_bool", Base.str: "str", Base.ScalarType: "_dtype", Base.Layout:
    "_layout",
    Base.Device: "_DeviceLike", Base.DeviceIndex: "_int", Base.MemoryFormat: "_memory_format",
    Base.Generator: "Generator", Base.Stream: "Stream", Base.Storage: "object", Base.DimVector: "_Ints",
}  # fmt: skip
_WORDS = {
    "contiguous_format": "at::MemoryFormat::Contiguous",
    "Mean": "at::Reduction::Mean",
    "Sum": "at::Reduction::Sum",
    "strided": "at::kStrided",
    "True": "true",
    "False": "false",
    "long": "at::kLong",
    "int": "at::kInt",
    "float": "at::kFloat",
    "double": "at::kDouble",
    "bool": "at::kBool",
}


@dataclasses.dataclass(frozen=True, slots=True)
class Shape:
    """A type taken apart: optional?, list?, of what, of how many."""

    base: Base | None
    optional: bool = False
    list: bool = False
    elements_optional: bool = False
    size: int = 0


def shape(t: Type) -> Shape:
    optional = isinstance(t, OptionalType)
    inner = t.elem if isinstance(t, OptionalType) else t
    if isinstance(inner, ListType):
        element = inner.elem
        elements_optional = isinstance(element, OptionalType)
        element = element.elem if isinstance(element, OptionalType) else element
        return Shape(getattr(element, "base", None), optional, True, elements_optional, inner.size or 0)
    return Shape(getattr(inner, "base", None), optional)


def param_type(t: Type) -> str:
    """Returns the enumerator of at::python::ParamType; `Unsupported` for types that Python cannot pass."""
    s = shape(t)
    if s.elements_optional:
        return "OptionalTensorList" if s.base is Base.Tensor else "Unsupported"
    known = _LIST_TYPES if s.list else _PARAM_TYPES
    return "Unsupported" if s.base is None else known.get(s.base, "Unsupported")


def accessor(t: Type, default: str | None, index: int) -> Cpp:
    """Returns the expression that converts parameter `index`; `default` is the schema's literal."""
    s = shape(t)
    if s.base is Base.Tensor:
        return _tensor_accessor(s, index)
    if s.list and s.base is Base.bool:
        return Cpp(f"_a.booleans<{s.size}>({index})")
    name = None if s.base is None else (_LIST_ACCESSORS if s.list else _ACCESSORS).get(s.base)
    if name is None:
        return Cpp(f"_a.unsupported({index})")
    has_value = default is not None and default != "None"
    if s.optional and not has_value:
        symint = s.base is Base.SymInt and not s.list
        return Cpp(f"_a.optional_{'symint' if symint else name}({index})")
    return Cpp(f"_a.{name}({index}, {cpp_default(t, default)})" if has_value else f"_a.{name}({index})")


def _tensor_accessor(s: Shape, index: int) -> Cpp:
    if s.elements_optional:
        return Cpp(f"_a.optional_tensors({index})")
    if s.list:
        return Cpp(f"at::TensorList(_a.tensors({index}))")
    return Cpp(f"_a.{'optional_tensor' if s.optional else 'tensor'}({index})")


def cpp_default(t: Type, text: str | None) -> Cpp:
    """Returns a schema's default literal as a C++ expression."""
    s = shape(t)
    text = text or ""
    if s.list:
        if text.startswith("["):
            values = [v.strip() for v in text[1:-1].split(",") if v.strip()]
        else:
            values = [text] * max(s.size, 1)
        return Cpp("{" + ", ".join(_WORDS.get(v, v) for v in values) + "}")
    if s.base is Base.str:
        return c_literal(unquoted(text))
    return Cpp(_WORDS.get(text, text))


def unquoted(text: str) -> str:
    return text[1:-1] if len(text) >= 2 and text[0] == text[-1] and text[0] in "'\"" else text


def message_name(t: Type) -> str:
    """Returns the type as signatures in error messages show it: what a parameter accepts."""
    s = shape(t)
    name = _MESSAGE_NAMES.get(s.base, s.base.value if s.base else str(t)) if s.base else str(t)
    return f"tuple of {name}s" if s.list else name


def stub_type(t: Type) -> str:
    """Returns the annotation of an argument in a .pyi file."""
    s = shape(t)
    if s.base is None:
        return "object"
    name = _STUB_NAMES.get(s.base, "object")
    if s.list:
        element = f"{name} | None" if s.elements_optional else name
        name = f"Sequence[{element}]" if s.base not in (Base.int, Base.SymInt) else "_Ints"
        if s.size and s.base in (Base.int, Base.SymInt):
            name = "_IntOrInts"
        if s.size and s.base is Base.float:
            name = f"{name} | _float"
    return f"{name} | None" if s.optional else name


def stub_return(t: Type) -> str:
    """Returns the annotation of a result."""
    s = shape(t)
    name = _STUB_NAMES.get(s.base, "object") if s.base else "object"
    if s.list:
        return f"tuple[{name}, ...]" if s.base is Base.Tensor else f"list[{name}]"
    return f"{name} | None" if s.optional else name
