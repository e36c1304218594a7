"""The expanded model and its signatures as plain data: what `opgen dump` prints, one object per function."""

from __future__ import annotations

import json
from collections.abc import Iterator

from opgen.api import cpp, native, python, python_bound
from opgen.api.cpp_types import NoCppType
from opgen.api.signature import Signature
from opgen.model import DEFAULT_NAMESPACE, Alias, Argument, Function, Program, Return, Variant

# PyTorch 2.1 did not bind these to Python, and spelled one enumerator differently.
_BOUND_SINCE_2_2 = ("_nested_view_from_buffer", "_nested_view_from_buffer_copy")
_CONTIGUOUS = "MemoryFormat::Contiguous"


def text(program: Program) -> str:
    """Returns a JSON array with a function on each line. For PyTorch's old files it is what their release
    printed.
    """
    encode = json.JSONEncoder(ensure_ascii=True, check_circular=False).encode
    records = map(record, program.functions)
    lines = map(encode, map(_old, records) if program.before_2_2 else records)
    return "[\n" + ",\n".join(lines) + "\n]\n"


def _old(record: dict[str, object]) -> dict[str, object]:
    if record["name"] in _BOUND_SINCE_2_2:
        return {**record, "python": None}
    spelled = {field: _old_spelling(record[field]) for field in ("cpp", "native", "python")}
    return {**record, **spelled}


def _old_spelling(value: object) -> object:
    if isinstance(value, dict):
        return {key: _old_spelling(signature) for key, signature in value.items()}
    return value.replace(f"c10::{_CONTIGUOUS}", _CONTIGUOUS) if isinstance(value, str) else value


def record(function: Function) -> dict[str, object]:
    """Returns the record of one function. A signature is null where the function has no such form, or an
    argument has no C++ type.
    """
    schema, name = function.schema, function.schema.name
    dispatch = function.dispatch or {}
    own = {} if function.namespace == DEFAULT_NAMESPACE else {"namespace": function.namespace}
    return {
        **own,
        "name": str(name.name),
        "overload": name.overload,
        "schema": str(schema),
        "kind": schema.kind().value,
        "arguments": list(_arguments(function)),
        "returns": [_return(r) for r in schema.returns],
        "variants": sorted([v.value for v in function.variants]),
        "python_module": function.python_module,
        "dispatch": {str(key): kernel.name for key, kernel in dispatch.items()},
        "structured": function.structured,
        "structured_delegate": _text(function.structured_delegate),
        "structured_inherits": function.structured_inherits,
        "autogen": [str(a) for a in function.autogen],
        "tags": sorted(function.tags),
        "device_guard": function.device_guard,
        "device_check": function.device_check.value,
        "category_override": function.category_override,
        "manual_cpp_binding": function.manual_cpp_binding,
        "manual_kernel_registration": function.manual_kernel_registration,
        "cpp_no_default_args": sorted(function.cpp_no_default_args),
        "generated": function.is_generated,
        "line": None if function.is_generated else function.line,
        "cpp": cpp_signatures(function),
        "native": native_signatures(function),
        "python": python_text(function),
    }


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _arguments(function: Function) -> Iterator[dict[str, object]]:
    args = function.schema.arguments
    for a in args.positional:
        yield _argument(a, False, False)
    for a in args.kwarg_only:
        yield _argument(a, True, False)
    for a in args.out:
        yield _argument(a, True, True)


def _argument(a: Argument, kwarg_only: bool, out: bool) -> dict[str, object]:
    return {
        "name": a.name,
        "type": str(a.type),
        "default": a.default,
        "kwarg_only": kwarg_only,
        "out": out,
        "alias": _alias(a.alias),
    }


def _return(r: Return) -> dict[str, object]:
    return {"name": r.name, "type": str(r.type), "alias": _alias(r.alias)}


def _alias(alias: Alias | None) -> dict[str, object] | None:
    if alias is None:
        return None
    return {"set": list(alias.set), "write": alias.write, "after": list(alias.after)}


def cpp_signatures(function: Function) -> dict[str, str | None]:
    """Returns the forms without SymInts, each null where the function lacks it."""
    forms: dict[str, str | None] = {"function": None, "faithful": None, "method": None}
    try:
        if Variant.function in function.variants:
            forms["function"] = cpp.function(function).decl()
            faithful = cpp.faithful(function)
            forms["faithful"] = None if faithful is None else faithful.decl()
        if Variant.method in function.variants:
            forms["method"] = cpp.method(function).decl()
    except NoCppType:
        return dict.fromkeys(forms)
    return forms


def native_signatures(function: Function) -> dict[str, str | None]:
    """Returns the kernel's declaration by dispatch key. Kernels differ by name, and by whether they take
    SymInts.
    """
    made: dict[bool, Signature] = {}
    declared: dict[str, str | None] = {}
    for key, kernel in (function.dispatch or {}).items():
        try:
            if kernel.takes_symint not in made:
                made[kernel.takes_symint] = native.signature(function, kernel)
            declared[str(key)] = made[kernel.takes_symint].decl(kernel.name)
        except NoCppType:
            declared[str(key)] = None
    return declared


def python_text(function: Function) -> str | None:
    """Returns the argument parser's string of this function alone: as a function if it is one, else as a
    method.
    """
    if not python_bound.is_bound(function):
        return None
    return python.signature(function, method=Variant.function not in function.variants).text()
