"""The syntax of examples in a docs file, which is doctest's.

It is read here because importing doctest takes longer than checking all examples, and because doctest reports
faults without columns. An example has no prose: what stands after a blank line is a statement.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from typing import NamedTuple

PROMPT, FURTHER = ">>>", "..."
_HELP = (
    f"write '{PROMPT} ' before a statement, '{FURTHER} ' before its further lines, below it what it prints"
)


class Fault(NamedTuple):
    """`start` and `end` are offsets in the example."""

    start: int
    end: int
    message: str
    help: str | None


class _Line(NamedTuple):
    start: int
    text: str

    def fault(self, message: str, help: str | None, column: int = 0, width: int = 0) -> Fault:
        """Returns a fault at a column, by default the first one that isn't blank, to the line's end."""
        last = max(len(self.text) - 1, 0)
        column = min(max(column, len(self.text) - len(self.text.lstrip())), last)
        end = column + width if width else len(self.text)
        return Fault(self.start + column, self.start + max(end, column + 1), message, help)


def faults(example: str) -> Iterator[Fault]:
    statement: list[_Line] = []
    printed = False  # whether lines may be what a statement prints
    for line in _lines(example):
        mark, text = line.text[: len(PROMPT)], line.text[len(PROMPT) :]
        if mark == PROMPT or (mark == FURTHER and statement):
            if mark == PROMPT:
                yield from _parsed(statement)
                statement, printed = [], True
            if text and text[0] != " ":
                yield line.fault(f"there is no blank after '{mark}'", f"write '{mark} {text}'")
                line = _Line(line.start - 1, f"{mark} {text}")  # the text keeps its place
            statement.append(line)
            continue
        yield from _parsed(statement)
        statement = []
        if not line.text.strip():
            printed = False
        elif line.text.lstrip().startswith(PROMPT):
            yield line.fault(f"'{PROMPT}' is indented further than the example", "indent all lines alike")
        elif not printed:
            yield line.fault(f"expected '{PROMPT} ' and a statement, but got '{line.text.strip()}'", _HELP)
    yield from _parsed(statement)


def _lines(example: str) -> Iterator[_Line]:
    start = 0
    for text in example.rstrip().split("\n"):
        yield _Line(start, text.rstrip())
        start += len(text) + 1


def _parsed(statement: list[_Line]) -> Iterator[Fault]:
    """Yields the fault of a statement that is not Python."""
    skipped = len(PROMPT) + 1
    source = "".join(f"{line.text[skipped:]}\n" for line in statement)
    if not source.strip():
        if statement:
            yield statement[0].fault("there is no statement after the prompt", _HELP)
        return
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # they are about style, and have no place in the file
            ast.parse(source, mode="single")
    except SyntaxError as error:
        line = statement[min(max(error.lineno or 1, 1), len(statement)) - 1]
        yield line.fault(f"this is not Python: {error.msg}", None, skipped + (error.offset or 1) - 1, 1)
    except (ValueError, RecursionError, MemoryError) as error:
        yield statement[0].fault(f"this is not Python: {error or 'it is nested too deeply'}", None, skipped)
