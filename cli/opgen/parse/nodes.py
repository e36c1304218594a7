"""The nodes of a YAML tree. A scalar is libyaml's own event: it holds the value, the style and both marks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from yaml.events import ScalarEvent

Scalar = ScalarEvent  # the event holds all that a node needs: value, style, marks


@dataclass(slots=True)
class Sequence:
    start_mark: object
    items: list[Node] = field(default_factory=list)
    end_mark: object = None


class Mapping:
    """Its pairs in order; `keys` and `values` find one by the key's text."""

    __slots__ = ("end_mark", "keys", "start_mark", "values")

    def __init__(self, start_mark: object):
        self.start_mark = start_mark
        self.end_mark: object = None
        self.keys: dict[str, Scalar] = {}
        self.values: dict[str, Node] = {}

    @property
    def pairs(self) -> Iterable[tuple[Scalar, Node]]:
        return zip(self.keys.values(), self.values.values(), strict=True)


Node = Scalar | Sequence | Mapping


def describe(node: Node) -> str:
    """`node` in words, for messages."""
    if isinstance(node, Mapping):
        return "a mapping"
    if isinstance(node, Sequence):
        return "a list"
    return f"the text '{node.value}'" if node.value else "empty"
