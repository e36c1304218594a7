"""The nodes of a YAML tree. A scalar is libyaml's own event: it has the value, the style and both marks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from yaml.events import ScalarEvent

if TYPE_CHECKING:
    from yaml._yaml import Mark

    class Scalar(ScalarEvent):
        """A scalar event of libyaml: attributes that a hand-made event may lack are always there."""

        start_mark: Mark
        end_mark: Mark
        value: str
        style: str | None

else:
    Scalar = ScalarEvent  # the event holds all that a node needs: value, style, marks


@dataclass(slots=True)
class Sequence:
    start_mark: Mark
    items: list[Node] = field(default_factory=list)
    end_mark: Mark | None = None


class Mapping:
    """A mapping with its pairs in order; `keys` and `values` find one by the key's text."""

    __slots__ = ("end_mark", "keys", "start_mark", "values")

    def __init__(self, start_mark: Mark):
        self.start_mark = start_mark
        self.end_mark: Mark | None = None
        self.keys: dict[str, Scalar] = {}
        self.values: dict[str, Node] = {}

    @property
    def pairs(self) -> Iterable[tuple[Scalar, Node]]:
        return zip(self.keys.values(), self.values.values(), strict=True)


Node = Scalar | Sequence | Mapping


def describe(node: Node) -> str:
    """Describes `node` for messages."""
    if isinstance(node, Mapping):
        return "a mapping"
    if isinstance(node, Sequence):
        return "a list"
    return f"the text '{node.value}'" if node.value else "empty"
