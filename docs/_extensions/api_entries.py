"""What the API's pages are made of: entries, and their docstrings as Markdown."""

from __future__ import annotations

import dataclasses
import re
import textwrap
from collections.abc import Iterable, Sequence

_ITEM = re.compile(r"    (\S.*)")
_SENTENCE = re.compile(r"(.+?[.:])(?=\s|$)", re.DOTALL)


def first_sentence(text: str) -> str:
    """In one line."""
    first = text.strip().partition("\n\n")[0]
    found = _SENTENCE.match(first)
    return " ".join((found[1] if found else first).split())


@dataclasses.dataclass(frozen=True)
class Entry:
    """A documented object; `kind` is an object type of Sphinx's Python domain."""

    kind: str
    module: str
    name: str  # in the module; of a method with its class
    signatures: Sequence[str]
    text: str
    cpp: Sequence[str] = ()  # declarations of the same operators in C++
    header: str = ""  # which has these
    file: str = ""  # of a hand-written one: the module it is imported from

    @property
    def full_name(self) -> str:
        return f"{self.module}.{self.name}"

    @property
    def summary(self) -> str:
        return first_sentence(self.text)

    def markdown(self) -> list[str]:
        lines = markdown(self.text)
        if self.cpp:
            lines += ["", "```cpp", *([f"#include <{self.header}>"] if self.header else []), *self.cpp, "```"]
        return lines


def markdown(docstring: str) -> list[str]:
    """Converts sections such as `Args:` to lists, and examples to code blocks."""
    lines: list[str] = []
    in_section = in_example = False
    text, found, session = docstring.expandtabs().partition("\nExample:\n")
    if found:
        text += f"\n**Example**\n\n{textwrap.dedent(session)}"
    for line in text.splitlines():
        starts = line.startswith(">>>")
        if starts and not in_example:
            lines += ["```pycon"]
        elif in_example and not line:
            lines += ["```"]
        in_example = bool(line) and (starts or in_example)
        if re.fullmatch(r"(Args|Raises|Returns):", line):
            in_section = True
            lines += [f"**{line[:-1]}**", ""]
        elif in_section and (item := _ITEM.fullmatch(line)):
            lines += [f"- {item[1]}"]
        else:
            in_section = in_section and not line
            lines += [line]
    return [*lines, "```"] if in_example else lines


def table(heading: str, rows: Iterable[tuple[str, str]]) -> list[str]:
    """A table of names with what is said of each."""
    texts = (f"| {name} | {text.replace('|', chr(92) + '|')} |" for name, text in rows)
    return [f"| {heading} | |", "|---|---|", *texts]


def contents(entries: Iterable[Entry]) -> list[str]:
    """A row for each name, with its first sentence; names are those after `aten.`."""
    shown = ((e.full_name.removeprefix("aten."), e) for e in entries)
    return table("name", ((f"{{py:obj}}`{name} <{e.full_name}>`", e.summary) for name, e in shown))
