"""Calls every operator of the library named on the command line with arguments generated from its schema.

Prints the outcomes as JSON: [operator, its schema, exception or "", message]. Run by test_scale.py.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator


def value(library, type: str):
    """Returns a value of a schema's type. Raises LookupError for types without values in Python."""
    if type.endswith("?"):
        return None
    plain = {
        "int": 1,
        "SymInt": 1,
        "DeviceIndex": 0,
        "float": 1.0,
        "Scalar": 1,
        "bool": True,
        "SymBool": True,
        "str": "sum",
        "ScalarType": library.float32,
        "Layout": library.strided,
        "Device": library.device("cpu"),
        "MemoryFormat": library.contiguous_format,
        "Generator": library.Generator(),
    }
    if type in plain:
        return plain[type]
    if type.endswith("]"):
        element, _, size = type[:-1].partition("[")
        return [value(library, element.rstrip("?"))] * (int(size) if size else 2)
    if type.startswith("Tensor"):
        return library.ones((2, 2))
    raise LookupError(type)


def arguments(library, schema) -> tuple[list, dict]:
    """Returns values for the arguments without defaults."""
    positional, keyword = [], {}
    for argument in schema.arguments:
        if argument.has_default_value():
            continue
        given = value(library, str(argument.type))
        if argument.kwarg_only:
            keyword[argument.name] = given
        else:
            positional.append(given)
    return positional, keyword


def operators(library) -> Iterator[tuple[str, object]]:
    for name in dir(library.ops.aten):
        packet = getattr(library.ops.aten, name)
        for overload in getattr(packet, "overloads", tuple)():
            operator = getattr(packet, overload)
            yield name if overload == "default" else f"{name}.{overload}", operator


def outcome(library, operator) -> tuple[str, str]:
    try:
        positional, keyword = arguments(library, operator._schema)
    except LookupError as error:
        return "no value", str(error)
    try:
        operator(*positional, **keyword)
    except Exception as error:
        return type(error).__name__, str(error)
    return "", ""


def main() -> None:
    library = importlib.import_module(sys.argv[1])
    found = [(name, str(op._schema), *outcome(library, op)) for name, op in operators(library)]
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
