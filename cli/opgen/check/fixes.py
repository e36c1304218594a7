"""The edits of a function's entry that the checks propose; none for functions that are in no file."""

from __future__ import annotations

from opgen.check import places
from opgen.diagnostics import Edit
from opgen.model import Function
from opgen.parse import edits
from opgen.parse.cursor import Range
from opgen.parse.entry import Entry
from opgen.parse.nodes import Scalar, Sequence

Edits = tuple[Edit, ...]


def schema(function: Function, where: Range, text: str) -> Edits:
    """Returns the edit that replaces a range of the schema with `text`."""
    entry = function.places
    if not isinstance(entry, Entry):
        return ()
    func = entry.fields.get("func")
    return edits.inside(entry.source, func, *where, text) if isinstance(func, Scalar) else ()


def returned(function: Function, index: int, text: str) -> Edits:
    returns = places.layout(function).returns
    return schema(function, returns[index].whole, text) if index < len(returns) else ()


def annotation(function: Function, argument: str, text: str) -> Edits:
    """Returns the edit of an annotation that the argument has."""
    part = places.layout(function).arguments.get(argument)
    return () if part is None else schema(function, part.alias, text)


def without_default(function: Function, argument: str) -> Edits:
    part = places.layout(function).arguments.get(argument)
    return () if part is None else schema(function, (part.default[0] - 1, part.default[1]), "")


def field(function: Function, name: str, text: str) -> Edits:
    """Returns the edit that sets the value of a field, or adds the field."""
    entry = function.places
    if not isinstance(entry, Entry):
        return ()
    if name in entry.fields:
        return edits.value(entry.source, entry.fields[name], text)
    return edits.with_field(entry.source, entry.mapping, f"{name}: {text}")


def without_field(function: Function, name: str) -> Edits:
    entry = function.places
    if not isinstance(entry, Entry) or name not in entry.fields:
        return ()
    return edits.without_pair(entry.source, entry.mapping, name)


def with_tag(function: Function, tag: str) -> Edits:
    entry = function.places
    if not isinstance(entry, Entry):
        return ()
    tags = entry.fields.get("tags")
    if isinstance(tags, Sequence):
        return edits.with_item(entry.source, tags, tag)
    present = tags.value if isinstance(tags, Scalar) else ""
    return field(function, "tags", f"[{present}, {tag}]" if present else tag)


def without_tag(function: Function, tag: str) -> Edits:
    entry = function.places
    if not isinstance(entry, Entry):
        return ()
    tags = entry.fields.get("tags")
    if isinstance(tags, Sequence) and len(tags.items) > 1:
        index = next((i for i, item in enumerate(tags.items) if getattr(item, "value", None) == tag), -1)
        return edits.without_item(entry.source, tags, index)
    return without_field(function, "tags")
