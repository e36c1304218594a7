"""An operator's entry as written: the text of its schema, the places of its parts, and excerpts.

Computed only for operators that changed.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Mapping as MappingOf
from dataclasses import dataclass
from functools import cached_property

from opgen.breaking.finding import Shown
from opgen.diagnostics import Span
from opgen.model import DispatchKey, Function
from opgen.parse import schema_text
from opgen.parse.cursor import Layout, Part, Range
from opgen.parse.nodes import Mapping, Sequence


@dataclass(frozen=True, eq=False)
class Written:
    function: Function

    @cached_property
    def text(self) -> str:
        """Returns the schema as written, or for a generated operator as it would be written."""
        func = None if self.function.is_generated else getattr(self.function.places, "fields", {}).get("func")
        if func is not None:
            return str(func.value)
        prefix = "" if self.function.namespace == "aten" else f"{self.function.namespace}::"
        return f"{prefix}{self.function.schema}"

    @cached_property
    def layout(self) -> Layout:
        return schema_text.layout(self.text)

    def name(self) -> Range:
        return self.layout.name

    def overload(self) -> Range:
        """Returns the range of the overload's name; of the operator's name where there is no overload."""
        start, end = self.layout.overload
        return (start, end) if start != end else self.layout.name

    def argument(self, name: str, piece: str = "whole") -> Range:
        """Returns the range of a part of an argument; `piece` is a field of Part: whole, type, alias, name,
        default.
        """
        part = self.layout.arguments.get(name)
        return self.layout.name if part is None else _piece(part, piece)

    def returned(self, index: int, piece: str = "whole") -> Range:
        found = self.layout.returns
        return _piece(found[index], piece) if index < len(found) else self.returns()

    def returns(self) -> Range:
        return self.layout.all_returns

    def shown(self, ranges: Iterable[Range]) -> Shown:
        return Shown(self.text, tuple(sorted({r for r in ranges if r[0] != r[1]})))

    def span(self, ranges: Iterable[Range]) -> Span:
        """Returns the place in the file of the first of `ranges`; the schema's where that is unknown."""
        first = next((r for r in ranges if r[0] != r[1]), self.layout.name)
        if self.function.places is None or self.function.is_generated or first[0] == first[1]:
            return self.function.span
        if self.text != getattr(getattr(self.function.places, "fields", {}).get("func"), "value", self.text):
            return self.function.span
        return self.function.places.inside(*first, "func")

    def field(self, name: str, item: str = "") -> Span:
        """Returns the place of a field's value or of one item of a list; of the schema where the entry lacks
        the field. Mappings and other lists are found by their keys.
        """
        places = self.function.places
        if places is None or not places.has(name):
            return self.function.span
        node = getattr(places, "fields", {}).get(name)
        if isinstance(node, Mapping | Sequence):
            items = [getattr(i, "value", None) for i in getattr(node, "items", ())]
            return places.value(name, items.index(item)) if item in items else places.key(name)
        return places.value(name)

    def kernel(self, keys: Iterable[DispatchKey]) -> Span:
        """Returns the place of the kernel of the first of `keys` that has one."""
        dispatch = self.function.dispatch or {}
        span = next((dispatch[key].span for key in keys if key in dispatch), None)
        return span or self.field("dispatch")


def _piece(part: Part, piece: str) -> Range:
    start, end = getattr(part, piece)
    return (start, end) if start != end else part.whole


def field_shown(name: str, value: str) -> Shown:
    """Returns `name: value` with the value marked."""
    return list_shown(name, {value: True} if value else {})


def list_shown(name: str, items: MappingOf[str, bool], brackets: str = "") -> Shown:
    """Returns `name: [a, b]` with those items marked that are mapped to True."""
    text = f"{name}: {brackets[:1]}"
    marks = []
    for i, (item, marked) in enumerate(items.items()):
        text += ", " if i else ""
        if marked:
            marks.append((len(text), len(text) + len(item)))
        text += item
    return Shown(text + brackets[1:], tuple(marks)) if items else Shown(f"{name}:")
