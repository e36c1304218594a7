"""The output of `opgen dump`, read back as a program.

A dump leaves out derivatives, checks, `precomputed`, ufunc loops, references to const and the namespaces of
kernels: `comparable` removes them from the program of a file that is to be compared with one.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from opgen.diagnostics import InputError, Span
from opgen.expand import expand
from opgen.model import (
    DEFAULT_NAMESPACE,
    NATIVE_NAMESPACE,
    Declared,
    DeviceCheck,
    DispatchKey,
    Function,
    Generated,
    Kernel,
    OperatorName,
    Program,
    Tag,
    Unread,
    Variant,
)
from opgen.parse import schema_text

MAX_BYTES = 64 << 20  # PyTorch's file gives 6 MB

_BEGIN = re.compile(r"\s*\[\s*")
_BLANK = re.compile(r"[\s,]*")
_SCHEMA = re.compile(r'"schema"\s*:\s*"')


def begins(data: bytes) -> bool:
    """Whether the data is a dump, judged by its first bytes."""
    return re.match(rb"\s*\[\s*(\{\s*\"|\])", data) is not None


def read(path: str, data: bytes) -> Program:
    """Returns the program; records without a valid schema are unread entries. Raises InputError for what
    `opgen dump` cannot print.
    """
    try:
        found = [_function(record, place) for record, place in _records(path, data.decode("utf-8"))]
    except (UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"{path}: this is no dump: {str(error)[:200]}") from None
    functions = [f for f in found if isinstance(f, Function)]
    unread = tuple(f for f in found if isinstance(f, Unread))
    parents = {name: f.name for f in functions for name in f.autogen}
    known = {tag: Tag(tag, "") for f in functions for tag in f.tags}
    written = Program(path, tuple(_with_parent(f, parents) for f in functions), known, unread=unread)
    return expand(written, make_forms=False)


def comparable(whole: Program) -> Program:
    """`whole` without what a dump does not contain."""
    functions = tuple(map(_without_the_unsaid, whole.functions))
    by_name = {f.qualified_name: f for f in reversed(functions)}
    return dataclasses.replace(whole, functions=functions, by_name=by_name, derivatives=None, checks=None)


def _without_the_unsaid(function: Function) -> Function:
    dispatch = {
        key: dataclasses.replace(kernel, namespace=NATIVE_NAMESPACE)
        for key, kernel in (function.dispatch or {}).items()
    }
    return dataclasses.replace(
        function,
        dispatch=dispatch,
        precomputed=None,
        ufunc_inner_loop={},
        use_const_ref_for_mutable_tensors=False,
    )


@dataclasses.dataclass(frozen=True, slots=True)
class _Place:
    """The places of a record's parts, all of them in the schema's text. Implements `Places`."""

    span: Span

    def value(self, *path: str | int) -> Span:
        return self.span

    key = value

    def inside(self, start: int, end: int, *path: str | int) -> Span:
        column = self.span.column
        return self.span._replace(column=column + start, end_column=column + end)

    def has(self, *path: str | int) -> bool:
        return path == ("dispatch",)  # always present; empty if there is no kernel


def _records(path: str, text: str) -> Iterator[tuple[dict[str, Any], _Place]]:
    decode = json.JSONDecoder().raw_decode
    start = _BEGIN.match(text)
    if start is None:
        raise InputError(f"{path}:1: this is no dump, which begins with '['")
    at, line, counted = start.end(), 1, 0
    while at < len(text) and text[at] != "]":
        try:
            record, end = decode(text, at)
        except json.JSONDecodeError as error:
            raise InputError(f"{path}:{error.lineno}:{error.colno}: this is no dump: {error.msg}") from None
        schema = _SCHEMA.search(text, at, end)
        if not isinstance(record, dict) or schema is None or not isinstance(record.get("schema"), str):
            line = text.count("\n", 0, at) + 1
            raise InputError(f"{path}:{line}: this is no dump: here should be an object with a 'schema'")
        line, counted = line + text.count("\n", counted, schema.end()), schema.end()
        column = schema.end() - text.rfind("\n", 0, schema.end())
        yield record, _Place(Span(path, line, column, line, column + len(record["schema"])))
        at = _after_blanks(text, end)
    if at >= len(text):
        raise InputError(f"{path}: this is no whole dump: its end is missing")


def _after_blanks(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return at if found is None else found.end()


def _function(record: Mapping[str, Any], place: _Place) -> Function | Unread:
    parsed = schema_text.parse(record["schema"])
    if parsed.schema is None:
        first = parsed.faults[0]
        return Unread(record["schema"], first.rule.at(place.span, first.message, first.help))
    try:
        return Function(
            schema=parsed.schema,
            span=place.span,
            line=place.span.line,
            places=place,
            namespace=record.get("namespace", DEFAULT_NAMESPACE),
            origin=Generated(parsed.schema.name) if record.get("generated") else Declared(),
            **_attributes(record),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError(f"{place.span}: this is no dump: {type(error).__name__}: {error}") from None


def _attributes(record: Mapping[str, Any]) -> dict[str, Any]:
    structured = bool(record.get("structured"))
    delegate = record.get("structured_delegate")
    kernels = {DispatchKey[key]: name for key, name in (record.get("dispatch") or {}).items()}
    return {
        "variants": frozenset(Variant[v] for v in record.get("variants", ("function",))),
        "python_module": record.get("python_module"),
        "dispatch": {key: Kernel(key, str(name), structured=structured) for key, name in kernels.items()},
        "structured": structured,
        "structured_delegate": None if delegate is None else OperatorName.parse(delegate),
        "structured_inherits": record.get("structured_inherits"),
        "autogen": tuple(OperatorName.parse(name) for name in record.get("autogen", ())),
        "device_guard": bool(record.get("device_guard", True)),
        "device_check": DeviceCheck[record.get("device_check", "ExactSame")],
        "category_override": record.get("category_override"),
        "manual_cpp_binding": bool(record.get("manual_cpp_binding")),
        "manual_kernel_registration": bool(record.get("manual_kernel_registration")),
        "cpp_no_default_args": tuple(map(str, record.get("cpp_no_default_args", ()))),
        "tags": frozenset(map(str, record.get("tags", ()))),
    }


def _with_parent(function: Function, parents: Mapping[OperatorName, OperatorName]) -> Function:
    if not isinstance(function.origin, Generated) or function.name not in parents:
        return function
    return dataclasses.replace(function, origin=Generated(parents[function.name]))
