"""The content of a docs file: a sentence for each operator, and what its users need to know beyond that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from opgen.diagnostics import Span


@dataclass(frozen=True, slots=True)
class Said:
    """A text about an argument or an error. `span` is the place of its name, `place` that of the text. The
    text is empty where it could not be read.
    """

    name: str
    text: str
    span: Span = field(compare=False)
    place: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Returns:
    """A text about all results, or with `each` one about each of them."""

    texts: tuple[str, ...]
    each: bool
    span: Span = field(compare=False)

    def lines(self, names: Sequence[str | None] = ()) -> list[str]:
        """Returns a line for each text; those about single results begin with these results' names."""
        if not self.each or len(names) != len(self.texts):
            return [f"{text}." for text in self.texts]
        return [f"{n}: {text}." if n else f"{text}." for n, text in zip(names, self.texts, strict=True)]


@dataclass(frozen=True, slots=True)
class Example:
    """A session of Python. `line` is the number of its first line in the docs file."""

    lines: tuple[str, ...]
    line: int = field(compare=False)


@dataclass(frozen=True, slots=True)
class Doc:
    """What the operator `name` does, in all its forms and overloads. `span` is the place of the name. The
    sentence is empty where it could not be read. Arguments have Python's names: `input` is `self`.
    """

    name: str
    sentence: str
    formula: str | None
    span: Span = field(compare=False)
    arguments: tuple[Said, ...] = ()
    returns: Returns | None = None
    errors: tuple[Said, ...] = ()
    example: Example | None = None

    def lines(self) -> list[str]:
        return [self.sentence, *([f"    {self.formula}"] if self.formula else [])]

    @property
    def has_details(self) -> bool:
        return bool(self.arguments or self.returns or self.errors or self.example)

    def sections(self, names: Sequence[str | None] = (), left_out: str = "") -> list[str]:
        """Returns the lines after the sentence and the formula: a heading and indented lines for each field.
        `names` are those of the results, `left_out` an argument that the reader doesn't pass.
        """
        arguments = [f"{a.name}: {a.text}." for a in self.arguments if a.text and a.name != left_out]
        found = {
            "Args:": arguments,
            "Returns:": self.returns.lines(names) if self.returns else [],
            "Raises:": [f"{e.name}: if {e.text}." for e in self.errors if e.text],
            "Example:": self.example.lines if self.example else (),
        }
        return [line for heading, rows in found.items() if rows for line in ("", heading, *indented(rows))]


def indented(rows: Sequence[str]) -> list[str]:
    return [f"    {row}" if row else "" for row in rows]


@dataclass(frozen=True, slots=True)
class Docs:
    """A docs file, matched: `of` finds the entry of a function by its qualified name."""

    path: str = ""
    entries: tuple[Doc, ...] = ()
    of: Mapping[str, Doc] = field(default_factory=dict)
