"""Arguments in an archive's JSON: objects with one key, the kind of the value."""

from __future__ import annotations

import reprlib
from typing import Any

from .. import _C, strided
from ._errors import ProgramError
from ._graph import Ref, ScalarMeta, TensorMeta
from ._symbols import parsed

# The format's codes of dtypes, layouts and memory formats.
DTYPES = dict(
    enumerate(
        "uint8 int8 int16 int32 int64 float16 float32 float64 complex32 complex64 complex128".split(), 1
    )
) | {12: "bool", 13: "bfloat16", 28: "uint16", 34: "uint32", 35: "uint64"}
STRIDED = 7
FORMATS = {1: "contiguous_format", 2: "channels_last", 3: "channels_last_3d", 4: "preserve_format"}
_PLAIN = ("as_int", "as_ints", "as_string", "as_strings", "as_bool", "as_bools", "as_int_lists")


def argument(value: dict[str, Any]) -> Any:
    """The argument, with references to values of the program."""
    ((kind, given),) = value.items()
    if kind in _PLAIN:
        return given
    if kind not in _READERS:
        raise ProgramError(f"load(): an argument of the kind {kind} is not supported")
    return _READERS[kind](given)


def dtype_name(number: int) -> str:
    name = DTYPES.get(number)
    if name is None or not hasattr(_C, name):
        raise ProgramError(
            f"load(): the program uses dtype {name or number}, which this library doesn't have"
        )
    return name


def layout_of(number: int) -> Any:
    if number != STRIDED:
        raise ProgramError(
            f"load(): the program uses layout {number} of PyTorch's format; only strided is supported"
        )
    return strided


def integer(value: dict[str, Any]) -> int:
    if type(value["as_int"]) is not int:
        raise ProgramError(f"load(): expected an integer, got {value['as_int']!r}")
    return value["as_int"]


def number(value: dict[str, Any]) -> Any:
    """A number, or the Expression of a dynamic one."""
    ((kind, given),) = value.items()
    if kind != "as_expr":
        return integer(value) if kind == "as_int" else _real(given) if kind == "as_float" else bool(given)
    ((_, hint),) = (given.get("hint") or {"": None}).items()
    if hint is not None and type(hint) not in (int, float, bool):
        raise ProgramError(f"load(): expected a number, got {reprlib.repr(hint)}")
    return parsed(given["expr_str"], hint)


def tensor_meta(described: dict[str, Any]) -> TensorMeta:
    layout_of(described["layout"])
    return TensorMeta(
        getattr(_C, dtype_name(described["dtype"])),
        tuple(number(s) for s in described["sizes"]),
        tuple(number(s) for s in described["strides"]),
        _device(described["device"]),
        described["requires_grad"] is True,
        number(described["storage_offset"]),
    )


def metas(graph: dict[str, Any]) -> dict[str, TensorMeta | ScalarMeta]:
    """What the graph says of its values, by name."""
    found: dict[str, TensorMeta | ScalarMeta] = {}
    for name, described in graph["tensor_values"].items():
        found[name] = tensor_meta(described)
    for kind in ("int", "float", "bool"):
        for name, value in (graph.get(f"sym_{kind}_values") or {}).items():
            found[name] = ScalarMeta(kind, number(value))
    return found


def _reference(value: dict[str, Any]) -> Ref:
    return Ref(value["name"])


def _symbolic(value: dict[str, Any]) -> Any:
    ((kind, given),) = value.items()
    return Ref(given) if kind == "as_name" else _real(given) if kind == "as_float" else given


def _optional(value: dict[str, Any]) -> Any:
    return _reference(value["as_tensor"]) if "as_tensor" in value else None


def _real(value: float | str) -> float:
    """JSON has no infinities, so they are strings."""
    return float(value)


def _device(value: dict[str, Any]) -> Any:
    return _C.device(value["type"] if value.get("index") is None else f"{value['type']}:{value['index']}")


_READERS: dict[str, Any] = {
    "as_none": lambda _: None,
    "as_tensor": _reference,
    "as_tensors": lambda values: [_reference(v) for v in values],
    "as_nested_tensors": lambda values: [[_reference(v) for v in inner] for inner in values],
    "as_optional_tensor": _optional,
    "as_optional_tensors": lambda values: [_optional(v) for v in values],
    "as_float": _real,
    "as_floats": lambda values: [_real(v) for v in values],
    "as_complex": lambda value: complex(_real(value["real"]), _real(value["imag"])),
    "as_sym_int": _symbolic,
    "as_sym_float": _symbolic,
    "as_sym_bool": _symbolic,
    "as_sym_ints": lambda values: [_symbolic(v) for v in values],
    "as_sym_floats": lambda values: [_symbolic(v) for v in values],
    "as_sym_bools": lambda values: [_symbolic(v) for v in values],
    "as_scalar_type": lambda number: getattr(_C, dtype_name(number)),
    "as_memory_format": lambda number: getattr(_C, FORMATS[number]),
    "as_layout": layout_of,
    "as_device": _device,
}
