"""Values in an archive's JSON: the inverse of what `_archived_values` reads."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ._archived_values import DTYPES, FORMATS, STRIDED
from ._errors import ProgramError
from ._graph import Ref, ScalarMeta, TensorMeta
from ._symbols import Expression

Metas = Mapping[str, Any]  # TensorMeta or ScalarMeta of each value

_DTYPE_CODES = {name: code for code, name in DTYPES.items()}
_FORMAT_CODES = {name: code for code, name in FORMATS.items()}
_PLAIN = {bool: "bool", int: "int", float: "float", str: "string"}
_EMPTY = {"bool": "as_bools", "float": "as_floats", "str": "as_strings", "Tensor": "as_tensors"}


def argument(value: Any, known: Metas, declared: str = "") -> dict[str, Any]:
    """An argument of the type that the operator's schema declares."""
    kind = type(value).__name__
    if value is None:
        return {"as_none": True}
    if isinstance(value, Ref):
        return reference(value.name, known)
    if type(value) in _PLAIN:
        return {f"as_{_PLAIN[type(value)]}": _real(value) if type(value) is float else value}
    if isinstance(value, complex):
        return {"as_complex": {"real": _real(value.real), "imag": _real(value.imag)}}
    if isinstance(value, (list, tuple)):
        return _several(list(value), known, declared)
    if kind == "dtype":
        return {"as_scalar_type": dtype_code(value)}
    if kind == "device":
        return {"as_device": device(value)}
    if kind == "layout" and _last(value) == "strided":
        return {"as_layout": STRIDED}
    if kind == "memory_format" and _last(value) in _FORMAT_CODES:
        return {"as_memory_format": _FORMAT_CODES[_last(value)]}
    raise ProgramError(f"an argument {value!r} of the type {kind} can't be written to an archive")


def reference(name: str, known: Metas) -> dict[str, Any]:
    """A value of the graph."""
    meta = known.get(name)
    if isinstance(meta, ScalarMeta):
        return {f"as_sym_{meta.kind}": {"as_name": name}}
    if not isinstance(meta, TensorMeta):
        raise ProgramError(f"the dtype and sizes of {name!r} are not known, which an archive needs")
    return {"as_tensor": {"name": name}}


def _several(values: list[Any], known: Metas, declared: str) -> dict[str, Any]:
    kinds = {_element(v, known) for v in values}
    if not values:
        return {_EMPTY.get(declared.partition("[")[0].rstrip("?"), "as_ints"): []}
    if kinds <= {"tensor", "none"}:
        written = [{"as_none": True} if v is None else {"as_tensor": {"name": v.name}} for v in values]
        is_plain = "none" not in kinds
        return (
            {"as_tensors": [{"name": v.name} for v in values]}
            if is_plain
            else {"as_optional_tensors": written}
        )
    if kinds == {"int", "float"}:
        return {"as_floats": [_real(float(v)) for v in values]}
    if len(kinds) == 1 and kinds <= {"bool", "int", "float", "string"}:
        (kind,) = kinds
        return {f"as_{kind}s": [_real(v) if kind == "float" else v for v in values]}
    for kind in ("int", "float", "bool"):
        if kinds <= {kind, f"sym_{kind}"}:
            return {f"as_sym_{kind}s": [_symbolic(v, kind) for v in values]}
    if kinds == {"list"}:
        inner = [_several(list(v), known, "Tensor" if declared.startswith("Tensor") else "") for v in values]
        for form, whole in (("as_tensors", "as_nested_tensors"), ("as_ints", "as_int_lists")):
            if all(set(i) == {form} for i in inner):
                return {whole: [i[form] for i in inner]}
    raise ProgramError(f"a list of {', '.join(sorted(kinds))} can't be written to an archive")


def _element(value: Any, known: Metas) -> str:
    if isinstance(value, Ref):
        ((form, _),) = reference(value.name, known).items()
        return form.removeprefix("as_")
    if isinstance(value, (list, tuple)):
        return "list"
    return "none" if value is None else _PLAIN.get(type(value), type(value).__name__)


def _symbolic(value: Any, kind: str) -> dict[str, Any]:
    if isinstance(value, Ref):
        return {"as_name": value.name}
    return {f"as_{kind}": _real(value) if kind == "float" else value}


def _real(value: float) -> float | str:
    """JSON has no infinities, so they are strings."""
    if math.isfinite(value):
        return value
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def number(value: Any, kind: str = "int") -> dict[str, Any]:
    """A size or another number, or the expression of one."""
    if not isinstance(value, Expression):
        return {f"as_{kind}": _real(value) if kind == "float" else value}
    hint = None if value.hint is None or kind == "bool" else {f"as_{kind}": value.hint}
    return {"as_expr": {"expr_str": value.written, "hint": hint}}


def tensor_meta(meta: TensorMeta) -> dict[str, Any]:
    """A tensor's dtype, sizes, strides and device."""
    return {
        "dtype": dtype_code(meta.dtype),
        "sizes": [number(s) for s in meta.sizes],
        "requires_grad": meta.requires_grad,
        "device": device(meta.device),
        "strides": [number(s) for s in meta.strides],
        "storage_offset": number(meta.offset),
        "layout": STRIDED,
    }


def dtype_code(dtype: Any) -> int:
    if _last(dtype) not in _DTYPE_CODES:
        raise ProgramError(f"the dtype {_last(dtype)} can't be written to an archive")
    return _DTYPE_CODES[_last(dtype)]


def device(value: Any) -> dict[str, Any]:
    kind, _, index = str(value).partition(":")
    return {"type": kind, "index": int(index) if index else None}


def _last(value: Any) -> str:
    """The name of a dtype, layout or memory format."""
    return str(value).rpartition(".")[2]
