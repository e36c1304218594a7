"""Comments `# opgen: ignore[CODE, CODE] reason`: which rules they silence, and on which lines. In the same
form `# opgen: allow[OPB###] reason` accepts findings of `opgen breaking` (breaking/allow.py).

A comment at the end of a line is for that line (and for the rest of a value that begins or ends there). One
on a line of its own is for what follows it: a whole entry, or a line inside one. YAML has no events for
comments, so they are looked for in the text, but only in a text that contains `opgen:`.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Sequence

from opgen.diagnostics import Ignore, Report, Rule, Severity, Span
from opgen.parse.nodes import Mapping, Node, Scalar
from opgen.parse.nodes import Sequence as NodeSequence
from opgen.parse.source import Item, Source

MARK = "opgen:"
MAX_COMMENTS = 1000

_VIEW = "- func: f(Tensor(a) self) -> Tensor(a)\n"
_IN_PLACE = "- func: f_(Tensor(a!) self) -> Tensor(a!)"
_GOOD = f"{_VIEW}{_IN_PLACE} # opgen: ignore[OPG812] it changes no size\n"


def _rule(code: str, name: str, severity: Severity, summary: str, bad: str, fixable: bool = False) -> Rule:
    # Faults of these rules are errors where a comment does not do what it was written for.
    return Rule(code, name, severity, summary, bad, _GOOD, fixable, severity is not Severity.error)


MALFORMED = _rule(
    "OPG020",
    "ignore-malformed",
    Severity.error,
    "A comment to opgen reads '# opgen: ignore[CODE] reason', with several codes separated by commas.",
    f"{_VIEW}{_IN_PLACE} # opgen: ignore OPG812 it changes no size\n",
)
UNKNOWN = _rule(
    "OPG021",
    "ignore-unknown-code",
    Severity.error,
    "An ignore comment names rules by their codes.",
    f"{_VIEW}{_IN_PLACE} # opgen: ignore[OPG8120] it changes no size\n",
)
NO_REASON = _rule(
    "OPG022",
    "ignore-without-reason",
    Severity.warning,
    "An ignore comment says why, after the bracket.",
    f"{_VIEW}{_IN_PLACE} # opgen: ignore[OPG812]\n",
)
UNUSED = _rule(
    "OPG023",
    "ignore-unused",
    Severity.warning,
    "An ignore comment stands where its rule finds something.",
    _GOOD.replace("f_(", "g_("),
    fixable=True,
)
NOT_POSSIBLE = _rule(
    "OPG024",
    "ignore-not-possible",
    Severity.error,
    "Faults that leave something of the file unread, or that no library can be made of, cannot be ignored.",
    "- func: f(Tensr self) -> Tensor # opgen: ignore[OPG108] a type of ours\n",
)
RULES = (MALFORMED, UNKNOWN, NO_REASON, UNUSED, NOT_POSSIBLE)

# Compiled only when needed.
_COMMENT = rf"(?:^|(?<=[ \t]))#[ \t]*{MARK}([^\r\n]*)"
_IGNORE = r"[ \t]*(ignore|allow)[ \t]*\[([^\]]*)\](.*)"
_BREAKING = "OPB"


def find(source: Source, items: Sequence[Item], report: Report) -> None:
    """Adds the comments of a file to `report.ignores`, and reports malformed ones."""
    if MARK not in source.text:
        return
    places = _Places(source, items)
    for match in re.finditer(_COMMENT, source.text, re.MULTILINE):
        lines = places.covered(match.start())
        if lines is None:
            continue
        span = source.at(match.start(), match.end())
        parsed = re.match(_IGNORE, match[1])
        codes = () if parsed is None else tuple(_codes(source, match.start(1), parsed))
        if len(report.ignores) >= MAX_COMMENTS:
            help = "set the rule's level in the configuration"
            report.add(MALFORMED.at(span, f"more than {MAX_COMMENTS} comments that ignore something", help))
            return
        if parsed is None or not all(code for code, _ in codes):
            report.add(MALFORMED.at(span, "expected '# opgen: ignore[CODE] reason'"))
            continue
        if any(code.startswith(_BREAKING) != (parsed[1] == "allow") for code, _ in codes):
            report.add(MALFORMED.at(span, "'ignore' is for rules OPG###, 'allow' for rules OPB###"))
            continue
        reason = parsed[3].strip()
        if not reason:
            report.add(NO_REASON.at(span, "this comment does not say why", "write the reason after ']'"))
        report.ignores.append(Ignore(span, codes, lines, places.entry(lines), reason))


def _codes(source: Source, offset: int, parsed: re.Match[str]) -> Iterator[tuple[str, Span]]:
    start = offset + parsed.start(2)
    for part in parsed[2].split(","):
        word = part.strip()
        begin = start + len(part) - len(part.lstrip())
        yield word, source.at(begin, begin + len(word))
        start += len(part) + 1


class _Places:
    """Where the items of a file begin, and where its scalars are; lines count from 1."""

    def __init__(self, source: Source, items: Sequence[Item]):
        self.source = source
        self.items = items
        self.lines = source.lines()
        self._extents: dict[int, list[_Extent]] = {}
        self._content: list[int] | None = None
        self.starts = [
            item.source.first_line + (0 if item.node is None else item.node.start_mark.line) + 1
            for item in items
        ]

    def entry(self, lines: range) -> range:
        """Returns the lines of the item in which `lines` begin."""
        index = bisect.bisect_right(self.starts, lines.start) - 1
        if index < 0:
            return range(0)
        last = index + 1 == len(self.starts)
        return range(self.starts[index], len(self.lines) + 1 if last else self.starts[index + 1])

    def covered(self, offset: int) -> range | None:
        """Returns the lines that a comment at `offset` is for; None if it is no comment, and in items that
        could not be read.
        """
        line, column = self.source._position(offset)
        line += 1
        if self._in_text_or_unread(line, column):
            return None
        if self.lines[line - 1][:column].strip():
            return self._with_values(line)
        following = self._next_content(line + 1)
        if following is None:
            return range(line, line + 1)
        start = bisect.bisect_left(self.starts, following)
        if start < len(self.starts) and self.starts[start] == following:
            return self.entry(range(following, following + 1))
        return self._with_values(following)

    def _next_content(self, line: int) -> int | None:
        """Returns the first line from `line` on that is neither blank nor a comment."""
        if self._content is None:
            self._content = [n for n, text in enumerate(self.lines, 1) if _is_content(text)]
        at = bisect.bisect_left(self._content, line)
        return self._content[at] if at < len(self._content) else None

    def _in_text_or_unread(self, line: int, column: int) -> bool:
        index = bisect.bisect_right(self.starts, line) - 1
        if index >= 0 and self.items[index].node is None:
            return True
        for scalar, first, last in self._scalars(line):
            begins = (first, scalar.start_mark.column) <= (line, column)
            block = scalar.style in ("|", ">")
            ends = line <= last if block else (line, column) < (last, scalar.end_mark.column)
            if begins and ends and not (block and line == first):
                return True
        return False

    def _with_values(self, line: int) -> range:
        """Returns `line`, and all lines of the values that begin or end on it."""
        ranges = [(first, last) for _, first, last in self._scalars(line)]
        first = min((first for first, _ in ranges), default=line)
        return range(first, max((last for _, last in ranges), default=line) + 1)

    def _scalars(self, line: int) -> Iterator[_Extent]:
        """Yields the scalars on `line`, even if only in part."""
        index = bisect.bisect_right(self.starts, line) - 1
        if index < 0 or self.items[index].node is None:
            return
        if index not in self._extents:
            self._extents[index] = _extents(self.items[index])
        extents = self._extents[index]
        for i in range(bisect.bisect_left(extents, line, key=lambda e: e[2]), len(extents)):
            if extents[i][1] > line:
                return
            yield extents[i]


_Extent = tuple[Scalar, int, int]  # with its first and last line


def _extents(item: Item) -> list[_Extent]:
    """Returns the scalars of an item in order; no two overlap."""
    base = item.source.first_line + 1
    found = []
    open_nodes: list[Node] = [] if item.node is None else [item.node]
    while open_nodes:
        node = open_nodes.pop()
        if isinstance(node, Mapping):
            for key, value in node.pairs:
                open_nodes += [key, value]
        elif isinstance(node, NodeSequence):
            open_nodes += node.items
        else:
            end = node.end_mark
            # A block scalar ends at the beginning of the line after it.
            last = end.line - (end.column == 0 and end.line > node.start_mark.line)
            found.append((node, base + node.start_mark.line, base + last))
    found.sort(key=lambda extent: extent[0].start_mark.index)
    return found


def _is_content(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")
