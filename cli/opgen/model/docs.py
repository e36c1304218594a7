"""The content of a docs file: a sentence for each operator, and a formula where there is one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from opgen.diagnostics import Span


@dataclass(frozen=True, slots=True)
class Doc:
    """What the operator `name` does, in all its forms and overloads. `span` is the place of the name. The
    sentence is empty where it could not be read.
    """

    name: str
    sentence: str
    formula: str | None
    span: Span = field(compare=False)

    def lines(self) -> list[str]:
        return [self.sentence, *([f"    {self.formula}"] if self.formula else [])]


@dataclass(frozen=True, slots=True)
class Docs:
    """A docs file, matched: `of` finds the entry of a function by its qualified name."""

    path: str = ""
    entries: tuple[Doc, ...] = ()
    of: Mapping[str, Doc] = field(default_factory=dict)
