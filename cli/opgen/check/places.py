"""The places of the parts of a function's schema in the file. Computed only for functions with a fault."""

from __future__ import annotations

from opgen.diagnostics import Span
from opgen.model import Function
from opgen.parse import schema_text
from opgen.parse.cursor import Layout, Range


def layout(function: Function) -> Layout:
    """Returns the ranges of the schema's parts in the text of `func`."""
    prefix = "" if function.namespace == "aten" else f"{function.namespace}::"
    text = f"{prefix}{function.schema}"
    written = getattr(function.places, "fields", {}).get("func")
    return schema_text.layout(text if written is None else written.value)


def inside(function: Function, where: Range, field: str) -> Span:
    """Returns the place of a range of characters of a field that the entry has."""
    return function.span if function.places is None else function.places.inside(*where, field)


def _span(function: Function, where: Range) -> Span:
    return function.span if where[0] == where[1] else inside(function, where, "func")


def name(function: Function) -> Span:
    return _span(function, layout(function).name)


def namespace(function: Function) -> Span:
    return _span(function, layout(function).namespace)


def overload(function: Function) -> Span:
    return _span(function, layout(function).overload)


def argument(function: Function, name: str, piece: str = "whole") -> Span:
    """Returns the place of an argument's part; `piece` is whole, type, alias, name or default."""
    part = layout(function).arguments.get(name)
    if part is None:
        return function.span
    where = getattr(part, piece)
    return _span(function, where if where[0] != where[1] else part.whole)


def returned(function: Function, index: int, piece: str = "whole") -> Span:
    found = layout(function).returns
    if index >= len(found):
        return returns(function)
    where = getattr(found[index], piece)
    return _span(function, where if where[0] != where[1] else found[index].whole)


def returns(function: Function) -> Span:
    return _span(function, layout(function).all_returns)


def field(function: Function, *path: str | int) -> Span:
    """Returns the place of a field's value; of the schema when the entry lacks the field."""
    if function.places is None or not function.places.has(path[0]):
        return function.span
    return function.places.value(*path)


def key(function: Function, *path: str | int) -> Span:
    if function.places is None or not function.places.has(path[0]):
        return function.span
    return function.places.key(*path)
