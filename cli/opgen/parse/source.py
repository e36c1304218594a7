"""The text of an input file: reading untrusted files, and finding places in them."""

from __future__ import annotations

import bisect
import os
import re
import stat
from array import array
from dataclasses import dataclass
from itertools import islice

from opgen.diagnostics import UNSEEN, Diagnostic, InputError, Report, Span, shown
from opgen.parse import yaml_rules as rules
from opgen.parse.nodes import Node, Scalar

MAX_BYTES = 8 << 20  # PyTorch's own file has 0.6 MB
MAX_REFUSED = 100

_REFUSED = re.compile(f"[{UNSEEN}]")
# Those that the YAML reader does not take, or takes for a line's end.
_UNREADABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff]")
# What bytes that are not UTF-8 are decoded to; read on, they are Latin-1.
_BYTES = re.compile("[\udc80-\udcff]+")
_AS_LATIN_1 = {0xDC00 + byte: byte for byte in range(0x80, 0x100)}

_CHARACTER = re.compile(r"[\s\S]")
# The source of one character of a quoted scalar.
_UNITS = {
    '"': re.compile(r"\\(?:x[\s\S]{2}|u[\s\S]{4}|U[\s\S]{8}|\r\n|[\s\S])|[\s\S]"),
    "'": re.compile(r"''|[\s\S]"),
}


def _is_blank(unit: str) -> bool:
    """Whether it is white space, the escape of white space, or an escaped line end, which means nothing."""
    if unit[0] != "\\" or len(unit) == 1:
        return unit.isspace()
    if unit[1] in "xuU":
        return chr(int(unit[2:], 16)).isspace()
    return unit[1] in " \t\r\nntvfrNLP_"


def split_lines(text: str) -> list[str]:
    """Splits text at the line ends of YAML. Three plain passes take a tenth of the time of a regular
    expression.
    """
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


class Source:
    """The text of one file with its path; makes spans of offsets and marks."""

    def __init__(self, path: str, text: str, first_line: int = 0):
        self.path = path
        self.text = text
        self.first_line = first_line
        self._lines: list[str] | None = None
        self._starts: array[int] | None = None

    def lines(self) -> list[str]:
        if self._lines is None:
            self._lines = split_lines(self.text)
        return self._lines

    def span(self, node: Node) -> Span:
        start = node.start_mark
        if not isinstance(node, Scalar):
            return self._marks(start.line, start.column, start.line, start.column + 1)
        end = node.end_mark
        if start.line == end.line:
            return self._marks(start.line, start.column, end.line, max(end.column, start.column + 1))
        return self.at(start.index, end.index)

    def at(self, start: int, end: int) -> Span:
        """Returns the place of the characters [start, end) of the text, without trailing blanks and line
        ends.
        """
        while end > start + 1 and self.text[end - 1 : end].isspace():
            end -= 1
        (line, column), (end_line, end_column) = self._position(start), self._position(max(end, start))
        return self._marks(
            line, column, end_line, max(end_column, column + 1) if line == end_line else end_column
        )

    def inside(self, scalar: Scalar, start: int, end: int) -> Span:
        """Returns the place of the characters [start, end) of a scalar's value, mapped back through folding
        and quotes.
        """
        first_mark, last_mark = scalar.start_mark, scalar.end_mark
        plain = not scalar.style and last_mark.index - first_mark.index == len(scalar.value)
        if plain and first_mark.line == last_mark.line and start < end:
            line, column = first_mark.line, first_mark.column
            return self._marks(line, column + start, line, column + end)
        first = self._raw_offset(scalar, start)
        last = self._raw_offset(scalar, end - 1) + 1 if end > start else first + 1
        return self.at(first, max(last, first + 1))

    def _marks(self, line: int, column: int, end_line: int, end_column: int) -> Span:
        base = self.first_line + 1
        return Span(self.path, line + base, column + 1, end_line + base, end_column + 1)

    def _position(self, offset: int) -> tuple[int, int]:
        if self._starts is None:
            self._starts = array("L", [0])  # a list would take ten times the memory of the text
            self._starts.extend(m.end() for m in re.finditer("\r\n|\r|\n", self.text))
        line = bisect.bisect_right(self._starts, offset) - 1
        return line, offset - self._starts[line]

    def _raw_offset(self, scalar: Scalar, offset: int) -> int:
        begin, end = scalar.start_mark.index, scalar.end_mark.index
        raw = self.text[begin:end]
        line = raw.find("\n") + 1
        skipped = {"|": line, ">": line, "'": 1, '"': 1}.get(scalar.style or "", 0)
        if raw[skipped : skipped + len(scalar.value)] == scalar.value:
            return begin + skipped + min(offset, len(scalar.value))
        # Folding changes white space only: count the other characters, an escape as the character it means.
        wanted = sum(not c.isspace() for c in scalar.value[:offset])
        for unit in _UNITS.get(scalar.style or "", _CHARACTER).finditer(raw, skipped):
            if not _is_blank(unit[0]):
                if wanted == 0:
                    return begin + unit.start()
                wanted -= 1
        return max(begin, end - 1)


@dataclass(slots=True)
class Item:
    """One top-level item of the file, with the text that its marks refer to. Where it isn't YAML it has a
    fault, but no node.
    """

    source: Source
    node: Node | None
    fault: Diagnostic | None = None

    @property
    def text(self) -> str:
        """Returns the item's text without blank and comment lines, which don't change it."""
        text = self.source.text
        if self.node is not None and self.node.end_mark is not None:
            text = f"- {text[self.node.start_mark.index : self.node.end_mark.index]}"
        lines = (line.strip() for line in split_lines(text))
        return "\n".join(line for line in lines if line and not line.startswith("#"))

    @property
    def lines(self) -> range:
        """Returns the numbers of the item's lines."""
        first, count = self.source.first_line + 1, len(self.source.lines())
        if self.node is None or self.node.end_mark is None:
            return range(first, first + count)
        return range(first + self.node.start_mark.line, first + self.node.end_mark.line + 1)


def read(path: str, report: Report) -> Source | None:
    """Returns the file's text; None (with a diagnostic) when it isn't acceptable text."""
    if path in report.edited:
        return decode(path, report.edited[path], report)
    return decode(shown(path), contents(path, MAX_BYTES), report)


def contents(path: str, limit: int) -> bytes:
    """Returns the first bytes of a file or pipe, one more than `limit` at most."""
    try:
        with open(path, "rb", opener=_without_waiting) as file:
            data = _begin_pipe(file.fileno()) if stat.S_ISFIFO(os.fstat(file.fileno()).st_mode) else b""
            return data + file.read(limit + 1)
    except OSError as error:
        raise InputError(f"{shown(path)}: {error.strerror or error}") from None
    except ValueError as error:  # there is a NUL in the name
        raise InputError(f"{shown(path)}: {error}") from None


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)


def _begin_pipe(pipe: int) -> bytes:
    # Opened normally, a pipe without a writer would block for ever.
    try:
        data = os.read(pipe, MAX_BYTES)
    except BlockingIOError:
        data = None  # there is a writer that has not written anything yet
    if data == b"":
        raise OSError("this is a pipe that nobody writes to; name a file")
    os.set_blocking(pipe, True)
    return data or b""


def decode(path: str, data: bytes, report: Report) -> Source | None:
    if len(data) > MAX_BYTES:
        span = Span(path, 1, 1, 1, 2)
        report.give_up(rules.TOO_LARGE.at(span, f"the file is larger than {MAX_BYTES >> 20} MiB"))
        return None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        source = _latin_1(path, data.decode("utf-8-sig", "surrogateescape"), report)
        if not report.lenient:
            return None
    else:
        source = Source(path, text)
    report.sources[path] = source.lines
    refused = list(islice(_REFUSED.finditer(source.text), MAX_REFUSED))
    for match in refused:
        span = source.at(match.start(), match.end())
        report.add(rules.REFUSED_CHARACTER.at(span, f"the character U+{ord(match[0]):04X} is not allowed"))
    if not refused:
        return source
    return Source(path, _UNREADABLE.sub("\ufffd", source.text)) if report.lenient else None


def _latin_1(path: str, text: str, report: Report) -> Source:
    """Returns the text with the bytes that are not UTF-8 taken for Latin-1, and reports them."""
    source = Source(path, text.translate(_AS_LATIN_1))
    report.sources[path] = source.lines
    for match in islice(_BYTES.finditer(text), MAX_REFUSED):
        span = source.at(match.start(), match.end())
        report.add(rules.NOT_UTF8.at(span, f"byte 0x{ord(match[0][0]) - 0xDC00:02x} is not UTF-8 here"))
    return source
