"""A YAML file as a tree in which every key and value knows its place. For untrusted input.

Built from libyaml's events by a loop (its own composer recurses and dies on deep nesting), with limits on size, depth
and nodes. Scalars stay text: nothing is turned into numbers or booleans here. Anchors, aliases and tags are refused.
When the file as a whole is no YAML, its top-level items are read one by one, so that one bad item hides no other.
"""

from __future__ import annotations

import bisect
import re
from dataclasses import dataclass, field

from yaml import YAMLError
from yaml._yaml import CParser
from yaml.events import (
    AliasEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from opgen.diagnostics import Related, Report, Rule, Span
from opgen.parse import yaml_rules as rules

MAX_BYTES = 64 << 20
MAX_DEPTH = 32
MAX_NODES = 2_000_000
MAX_SYNTAX_FAULTS = 100

# Control and formatting characters, and line separators that editors do not show as such.
_REFUSED = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]"
)

Scalar = ScalarEvent  # the event holds all that a node needs: value, style, marks


@dataclass(slots=True)
class Sequence:
    start_mark: object
    items: list[Node] = field(default_factory=list)
    end_mark: object = None


@dataclass(slots=True)
class Mapping:
    start_mark: object
    pairs: list[tuple[Scalar, Node]] = field(default_factory=list)
    end_mark: object = None

    def get(self, key: str) -> Node | None:
        return next((value for k, value in self.pairs if k.value == key), None)

    def key(self, key: str) -> Scalar | None:
        return next((k for k, _ in self.pairs if k.value == key), None)


Node = Scalar | Sequence | Mapping


class Source:
    """The text of one file with its path; makes spans of offsets and marks."""

    def __init__(self, path: str, text: str, first_line: int = 0, whole: Source | None = None):
        self.path = path
        self.text = text
        self.first_line = first_line
        self._whole = whole
        self._starts: list[int] | None = None

    def lines(self) -> list[str]:
        return re.split("\r\n|\r|\n", self._whole.text if self._whole else self.text)

    def span(self, node: Node) -> Span:
        start, end = node.start_mark, node.end_mark
        if isinstance(node, Scalar) and start.line == end.line:
            return self._marks(start.line, start.column, end.line, max(end.column, start.column + 1))
        if isinstance(node, Scalar):
            return self.at(start.index, end.index)
        return self._marks(start.line, start.column, start.line, start.column + 1)

    def at(self, start: int, end: int) -> Span:
        """The characters [start, end) of the text; trailing blanks and line ends are not part of the range."""
        while end > start + 1 and self.text[end - 1 : end].isspace():
            end -= 1
        (line, column), (end_line, end_column) = self._position(start), self._position(max(end, start))
        return self._marks(
            line, column, end_line, max(end_column, column + 1) if line == end_line else end_column
        )

    def inside(self, scalar: Scalar, start: int, end: int) -> Span:
        """The characters [start, end) of a scalar's value, wherever folding and quotes put them."""
        first = self._raw_offset(scalar, start)
        last = self._raw_offset(scalar, end - 1) + 1 if end > start else first + 1
        return self.at(first, max(last, first + 1))

    def _marks(self, line: int, column: int, end_line: int, end_column: int) -> Span:
        base = self.first_line + 1
        return Span(self.path, line + base, column + 1, end_line + base, end_column + 1)

    def _position(self, offset: int) -> tuple[int, int]:
        if self._starts is None:
            self._starts = [0, *(m.end() for m in re.finditer("\r\n|\r|\n", self.text))]
        line = bisect.bisect_right(self._starts, offset) - 1
        return line, offset - self._starts[line]

    def _raw_offset(self, scalar: Scalar, offset: int) -> int:
        begin, end = scalar.start_mark.index, scalar.end_mark.index
        raw = self.text[begin:end]
        if scalar.style in ("|", ">"):
            skipped = raw.find("\n") + 1
        else:
            skipped = 1 if scalar.style in ("'", '"') else 0
        if raw[skipped : skipped + len(scalar.value)] == scalar.value:
            return begin + skipped + min(offset, len(scalar.value))
        # Folding changes white space only: count the other characters.
        wanted = sum(not c.isspace() for c in scalar.value[:offset])
        for i in range(skipped, len(raw)):
            if not raw[i].isspace():
                if wanted == 0:
                    return begin + i
                wanted -= 1
        return max(begin, end - 1)


@dataclass(slots=True)
class Item:
    """One top-level item of the file, with the text that its marks count in; no node where it is no YAML."""

    source: Source
    node: Node | None


class InputError(Exception):
    """A file that cannot be read at all; the command ends with the usage code."""


def read(path: str, report: Report) -> Source | None:
    """The file's text; None (with a diagnostic) when it is no text that we take."""
    try:
        with open(path, "rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    return decode(path, data, report)


def decode(path: str, data: bytes, report: Report) -> Source | None:
    if len(data) > MAX_BYTES:
        span = Span(path, 1, 1, 1, 2)
        report.add(rules.TOO_LARGE.at(span, f"the file is larger than {MAX_BYTES >> 20} MiB"))
        return None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8", "replace")
        source = Source(path, before + "\ufffd")
        span = source.at(len(before), len(before) + 1)
        report.add(rules.NOT_UTF8.at(span, f"byte 0x{data[error.start]:02x} is not UTF-8 here"))
        return None
    source = Source(path, text)
    report.sources[path] = source.lines
    for found, match in enumerate(_REFUSED.finditer(text)):
        if found == MAX_SYNTAX_FAULTS:
            break
        span = source.at(match.start(), match.end())
        report.add(rules.REFUSED_CHARACTER.at(span, f"the character U+{ord(match[0]):04X} is not allowed"))
    return source if not _REFUSED.search(text) else None


def items(source: Source, report: Report) -> list[Item]:
    """The items of the top-level sequence, each with what it needs to tell places."""
    try:
        root = _compose(source, report)
    except (YAMLError, _Refused) as error:
        return _items_one_by_one(source, report, error)
    if root is None or (isinstance(root, Scalar) and root.value == ""):
        return []
    if not isinstance(root, Sequence):
        message = f"the file must be a list of entries, but it is {describe(root)}"
        report.add(rules.NOT_A_LIST.at(source.span(root), message, "begin each entry with '- '"))
        return []
    return [Item(source, node) for node in root.items]


def _items_one_by_one(source: Source, report: Report, whole_error: Exception) -> list[Item]:
    found: list[Item] = []
    starts = [m.start() for m in re.finditer(r"^-(?=[ \r\n]|\Z)", source.text, re.MULTILINE)]
    faults = 0
    for begin, end in zip([0, *starts], [*starts, len(source.text)], strict=True):
        if begin == end or faults >= MAX_SYNTAX_FAULTS:
            continue
        chunk = Source(source.path, source.text[begin:end], source._position(begin)[0], source)
        try:
            root = _compose(chunk, report)
        except (YAMLError, _Refused) as error:
            faults += 1
            _report_syntax(chunk, error, report)
            found.append(Item(chunk, None))
            continue
        if isinstance(root, Sequence):
            found += [Item(chunk, node) for node in root.items]
    if not faults:
        _report_syntax(source, whole_error, report)
    return found


class _Refused(Exception):
    def __init__(self, rule: Rule, mark: object, message: str):
        self.rule, self.mark, self.message = rule, mark, message


def _report_syntax(source: Source, error: Exception, report: Report) -> None:
    if isinstance(error, _Refused):
        mark, rule, message = error.mark, error.rule, error.message
    else:
        rule, mark = rules.SYNTAX, getattr(error, "problem_mark", None)
        message = getattr(error, "problem", None) or str(error).partition("\n")[0]
        context, context_mark = getattr(error, "context", None), getattr(error, "context_mark", None)
        # "unexpected end" is seen far from its cause: the opening quote or bracket is what to look at.
        if context_mark is not None and ("end of stream" in message or "quoted" in (context or "")):
            mark = context_mark
        message = f"{context}: {message}" if context else message
    line, column = (mark.line, mark.column) if mark is not None else (0, 0)
    related: tuple[Related, ...] = ()
    opened = getattr(error, "context_mark", None)
    if opened is not None and (opened.line, opened.column) != (line, column):
        related = (Related(source._marks(opened.line, opened.column, opened.line, opened.column + 1), "begun here"),)
    report.add(rule.at(source._marks(line, column, line, column + 1), message, related=related))


def _compose(source: Source, report: Report) -> Node | None:
    """The first document's tree. Raises YAMLError or _Refused; duplicate keys are reported and dropped."""
    parser = CParser(source.text)
    stack: list[Sequence | Mapping] = []
    pending: list[Scalar | None] = []  # per open mapping: the key that waits for its value
    root: Node | None = None
    nodes = 0
    while True:
        event = parser.get_event()
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
        else:
            continue
        nodes += 1
        _refuse_extras(event, nodes)
        if not stack:
            if root is not None:
                raise _Refused(rules.SYNTAX, event.start_mark, "a second document begins here")
            root = node
        elif type(top := stack[-1]) is Sequence:
            top.items.append(node)
        elif (key := pending[-1]) is None:
            if kind is not ScalarEvent:
                raise _Refused(rules.SYNTAX, event.start_mark, "a key must be a plain word")
            pending[-1] = node
        else:
            pending[-1] = None
            _add_pair(top, key, node, source, report)
        if kind is not ScalarEvent:
            stack.append(node)
            if kind is MappingStartEvent:
                pending.append(None)


def _refuse_extras(event: object, nodes: int) -> None:
    if event.anchor is not None:
        raise _Refused(rules.ALIAS, event.start_mark, f"the anchor '&{event.anchor}' is not allowed")
    if event.tag is not None:
        raise _Refused(rules.TAG, event.start_mark, f"the YAML tag '{event.tag}' is not allowed")
    if nodes > MAX_NODES:
        raise _Refused(rules.TOO_LARGE, event.start_mark, f"more than {MAX_NODES} values")


def _add_pair(mapping: Mapping, key: Scalar, node: Node, source: Source, report: Report) -> None:
    if len(mapping.pairs) > 64:
        report.add(rules.TOO_MANY_KEYS.at(source.span(key), "more than 64 keys in one mapping"))
        raise _Refused(rules.SYNTAX, key.start_mark, "giving up on this item")
    first = mapping.key(key.value)
    if first is None:
        mapping.pairs.append((key, node))
        return
    related = (Related(source.span(first), "first given here"),)
    message = f"the key '{key.value}' is given twice"
    report.add(rules.DUPLICATE_KEY.at(source.span(key), message, related=related))


def describe(node: Node) -> str:
    """`node` in words, for messages."""
    if isinstance(node, Mapping):
        return "a mapping"
    if isinstance(node, Sequence):
        return "a list"
    return f"the text '{node.value}'" if node.value else "empty"
