"""A YAML file as a tree in which every key and value knows its place. For untrusted input.

Built from libyaml's events by a loop (its own composer recurses and crashes on deep nesting), with limits on
size, depth and nodes. Scalars stay text: nothing is converted to numbers or booleans. Anchors, aliases and
tags are refused; for a lenient report, anchors and tags are passed over. When the file as a whole isn't YAML,
its top-level items are read one by one, so that one bad item hides no other.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from yaml import YAMLError
from yaml._yaml import CParser, Mark
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from opgen.diagnostics import Diagnostic, Related, Report, Rule
from opgen.parse import conflicts, ignores, schema_text
from opgen.parse import yaml_rules as rules
from opgen.parse.nodes import Mapping, Node, Scalar, Sequence, describe
from opgen.parse.source import Item, Source

MAX_DEPTH = 32
MAX_NODES = 200_000  # in one file; PyTorch's own has 28,000
MAX_KEYS = 64
MAX_ITEMS = 256  # of a list inside an entry
MAX_TEXT = 16_384  # characters of a value; a schema has a limit of its own
MAX_SYNTAX_FAULTS = 100


def items(source: Source, report: Report) -> list[Item]:
    """Returns the items of the top-level sequence, each with what it needs for its places.

    Comments that silence rules go into `report.ignores`.
    """
    found = _items(source, report)
    ignores.find(source, found, report)
    return found


def _items(source: Source, report: Report) -> list[Item]:
    try:
        root = _compose(source, report, _Budget(MAX_NODES))
    except _TooLarge as error:
        report.give_up(_syntax_fault(source, error))
        return []
    except (YAMLError, _Refused) as error:
        resolved = conflicts.without(source, report)
        return _items_one_by_one(source, report, error) if resolved is None else _items(resolved, report)
    if root is None or (isinstance(root, Scalar) and root.value == ""):
        return []
    if not isinstance(root, Sequence):
        message = f"the file must be a list of entries, but it is {describe(root)}"
        report.give_up(rules.NOT_A_LIST.at(source.span(root), message, "begin each entry with '- '"))
        return []
    return [Item(source, node) for node in root.items]


def _items_one_by_one(source: Source, report: Report, whole_error: Exception) -> list[Item]:
    found: list[Item] = []
    budget = _Budget(MAX_NODES)
    faults = 0
    for begin, end in itertools.pairwise(_item_starts(source.text)):
        if faults >= MAX_SYNTAX_FAULTS and not report.lenient:
            break
        if begin == end:
            continue
        chunk = _chunk(source, begin, end)
        try:
            root = _compose(chunk, report, budget)
        except _TooLarge as error:
            report.give_up(_syntax_fault(chunk, error))
            return []
        except (YAMLError, _Refused) as error:
            faults += 1
            fault = _syntax_fault(chunk, error)
            report.add(fault)
            found.append(Item(chunk, None, fault))
            continue
        if isinstance(root, Sequence):
            found += [Item(chunk, node) for node in root.items]
    if not faults:
        report.add(_syntax_fault(source, whole_error))
    elif faults == len(found):
        report.given_up += [item.fault for item in found if item.fault is not None]
    return found


def _item_starts(text: str) -> Iterator[int]:
    """Yields the offsets where top-level items seem to begin, between the text's start and its end."""
    first = re.search(r"^( *)-(?=[ \r\n]|\Z)", text, re.MULTILINE)
    yield 0
    if first is not None:
        for match in re.finditer(rf"^{first[1]}-(?=[ \r\n]|\Z)", text, re.MULTILINE):
            yield match.start()
    yield len(text)


def _chunk(source: Source, begin: int, end: int) -> Source:
    """Returns the text of one item, without the marks between documents that follow it."""
    text = source.text[begin:end]
    if text.lstrip(" ").startswith("-") and ("\n---" in text or "\n..." in text):
        text = re.sub(r"^(?:---|\.\.\.)(?=\s|\Z)", "   ", text, flags=re.MULTILINE)
    return Source(source.path, text, source._position(begin)[0])


@dataclass(slots=True)
class _Budget:
    """The number of nodes that the file may still have."""

    nodes: int


class _Refused(Exception):
    def __init__(self, rule: Rule, mark: Mark, message: str):
        self.rule, self.mark, self.message = rule, mark, message


class _TooLarge(_Refused):
    """The file as a whole is too large: to read it item by item would take as long."""


def _syntax_fault(source: Source, error: Exception) -> Diagnostic:
    mark: Mark | None
    if isinstance(error, _Refused):
        mark, rule, message = error.mark, error.rule, error.message
    else:
        rule, mark = rules.SYNTAX, getattr(error, "problem_mark", None)
        message = getattr(error, "problem", None) or str(error).partition("\n")[0]
        context, context_mark = getattr(error, "context", None), getattr(error, "context_mark", None)
        # "unexpected end" is found far from its cause: point at the opening quote or bracket.
        if context_mark is not None and ("end of stream" in message or "quoted" in (context or "")):
            mark = context_mark
        message = f"{context}: {message}" if context else message
    line, column = _place(source, mark)
    help = _annotation(source.lines()[line], column) if "mapping values" in message else None
    related: tuple[Related, ...] = ()
    opened = _place(source, getattr(error, "context_mark", None) or mark)
    if opened != (line, column):
        related = (Related(source._marks(*opened, opened[0], opened[1] + 1), "begun here"),)
    return rule.at(source._marks(line, column, line, column + 1), message, help, related)


def _annotation(line: str, colon: int) -> str | None:
    """Returns what to write for `f(x: int)`, Python's annotation, which YAML takes for a key."""
    name = re.search(r"[(,] *(\w+) *\Z", line[:colon])
    if name is None:
        return None
    _, faults = schema_text.parse_argument(line[name.start(1) :])
    return faults[0].help


def _place(source: Source, mark: Mark | None) -> tuple[int, int]:
    if mark is None:
        return 0, 0
    lines = source.lines()
    if mark.line >= len(lines):  # libyaml ends the last line, whether the file does or not
        return len(lines) - 1, len(lines[-1])
    return mark.line, mark.column


def _compose(source: Source, report: Report, budget: _Budget) -> Node | None:
    """Returns the first document's tree. Raises YAMLError or _Refused; duplicate keys are reported and
    dropped.
    """
    parser = CParser(source.text)
    stack: list[Sequence | Mapping] = []
    pending: list[Scalar | None] = []  # per open mapping: the key that waits for its value
    root: Node | None = None
    while True:
        event: Any = parser.get_event()
        kind = type(event)
        if kind is ScalarEvent:
            node: Node = event
        elif kind is MappingStartEvent or kind is SequenceStartEvent:
            node = Mapping(event.start_mark) if kind is MappingStartEvent else Sequence(event.start_mark)
            if len(stack) >= MAX_DEPTH:
                raise _Refused(rules.TOO_DEEP, event.start_mark, f"nested deeper than {MAX_DEPTH} levels")
        elif kind is MappingEndEvent or kind is SequenceEndEvent:
            if kind is MappingEndEvent:
                pending.pop()
            stack.pop().end_mark = event.end_mark
            continue
        elif kind is AliasEvent:
            raise _Refused(rules.ALIAS, event.start_mark, f"the alias '*{event.anchor}' is not allowed")
        elif kind is StreamEndEvent:
            return root
        elif kind is DocumentStartEvent and root is not None:
            raise _Refused(rules.SYNTAX, event.start_mark, "a second document begins here")
        else:
            continue
        budget.nodes -= 1
        if budget.nodes < 0:
            message = f"more than {MAX_NODES} values; nothing was read"
            raise _TooLarge(rules.TOO_LARGE, event.start_mark, message)
        if event.anchor is not None or event.tag is not None:
            _refuse_extras(event, source, report)
        if kind is ScalarEvent and len(event.value) > MAX_TEXT:
            _refuse_long_text(event, pending)
        if not stack:
            root = node
        elif isinstance(top := stack[-1], Sequence):
            top.items.append(node)
            if len(top.items) > MAX_ITEMS and len(stack) > 1:
                raise _Refused(rules.TOO_LARGE, event.start_mark, f"a list of more than {MAX_ITEMS} values")
        elif (key := pending[-1]) is None:
            if not isinstance(node, Scalar):
                raise _Refused(rules.SYNTAX, event.start_mark, "a key must be a plain word")
            pending[-1] = node
        else:
            pending[-1] = None
            word = key.value
            if word in top.keys or len(top.keys) >= MAX_KEYS:
                _report_key(top, key, source, report)
            else:
                top.keys[word] = key
                top.values[word] = node
        if not isinstance(node, Scalar):
            stack.append(node)
            if kind is MappingStartEvent:
                pending.append(None)


def _refuse_extras(event: Any, source: Source, report: Report) -> None:
    if event.anchor is not None:
        rule, message = rules.ALIAS, f"the anchor '&{event.anchor}' is not allowed"
    else:
        rule, message = rules.TAG, f"the YAML tag '{event.tag}' is not allowed"
    refused = _Refused(rule, event.start_mark, message)
    if not report.lenient:
        raise refused
    report.add(_syntax_fault(source, refused))


def _refuse_long_text(scalar: Scalar, pending: list[Scalar | None]) -> None:
    if not pending or pending[-1] is None or pending[-1].value != "func":
        raise _Refused(rules.TOO_LARGE, scalar.start_mark, f"a text of more than {MAX_TEXT} characters")


def _report_key(mapping: Mapping, key: Scalar, source: Source, report: Report) -> None:
    first = mapping.keys.get(key.value)
    if first is None:
        message = f"more than {MAX_KEYS} keys in one mapping"
        raise _Refused(rules.TOO_MANY_KEYS, key.start_mark, message)
    related = (Related(source.span(first), "first given here"),)
    message = f"the key '{key.value}' is given twice"
    report.add(rules.DUPLICATE_KEY.at(source.span(key), message, related=related))
