"""The fast path for well-formed schemas, by looking up their pieces; schema_text.py parses the others."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from opgen.model import Argument, BaseName, OperatorName, Return, Schema
from opgen.parse.argument_text import ArgumentCursor
from opgen.parse.cursor import is_identifier
from opgen.parse.grouping import group

T = TypeVar("T", Argument, Return)
# Caches of the full parser's results by text, None for what it refuses: nearly all arguments of a file occur
# many times.
_known_arguments: dict[str, Argument | None] = {}
_known_returns: dict[str, Return | None] = {}
_MAX_KNOWN = 100_000


def schema(text: str) -> Schema | None:
    """Returns the schema; None when unsure."""
    head, opened, rest = text.partition("(")
    arguments_text, arrow, returns_text = rest.rpartition(") -> ")
    if not opened or not arrow:
        # An annotation in a tuple of returns may contain ") -> ", which rpartition would find.
        return None
    if "(" in head or not returns_text or text.count(") -> ") != 1:
        return None
    name = _parse_name(head)
    if name is None:
        return None
    pieces = arguments_text.split(", ") if arguments_text else []
    star = pieces.index("*") if "*" in pieces else len(pieces)
    if pieces and pieces[-1] == "*":
        return None
    arguments: list[Argument | None] = [
        _known(p, _known_arguments, ArgumentCursor.one_argument) for p in pieces[:star] + pieces[star + 1 :]
    ]
    if returns_text.startswith("("):
        if not returns_text.endswith(")"):
            return None
        returns_pieces = returns_text[1:-1].split(", ") if returns_text != "()" else []
        if len(returns_pieces) == 1:
            return None
    else:
        returns_pieces = [returns_text]
    returns: list[Return | None] = [
        _known(p, _known_returns, ArgumentCursor.one_return) for p in returns_pieces
    ]
    taken, given = [a for a in arguments if a is not None], [r for r in returns if r is not None]
    if len(taken) < len(arguments) or len(given) < len(returns):
        return None
    grouped = group(taken[:star], taken[star:])
    return None if grouped is None else Schema(name, grouped, tuple(given))


def _parse_name(head: str) -> OperatorName | None:
    name, dot, overload = head.partition(".")
    if not is_identifier(name) or name.endswith("_out") or (dot and not is_identifier(overload)):
        return None
    return OperatorName(BaseName.parse(name), overload)


def _known(text: str, known: dict[str, T | None], reader: Callable[[ArgumentCursor], T | None]) -> T | None:
    if text in known:
        return known[text]
    cursor = ArgumentCursor(text)
    found = reader(cursor)
    if cursor.faults or (found is not None and found.alias is not None and found.alias.shorthand):
        found = None
    if len(known) < _MAX_KNOWN:
        known[text] = found
    return found
