"""The edits of an entry's text that fixes consist of. Each is empty where the layout is one that the edit
might not preserve: comments in between, folded or escaped values, flow mappings.
"""

from __future__ import annotations

from opgen.diagnostics import Edit
from opgen.parse.nodes import Mapping, Node, Scalar, Sequence
from opgen.parse.source import Source

Edits = tuple[Edit, ...]


def inside(source: Source, scalar: Scalar, start: int, end: int, text: str) -> Edits:
    """Replaces the characters [start, end) of a scalar's value with `text`."""
    begin = scalar.start_mark.index + (scalar.style in ("'", '"'))
    raw = source.text[begin : begin + len(scalar.value)]
    if scalar.style in ("|", ">") or raw != scalar.value or "\n" in raw:
        return ()
    new = raw[:start] + text + raw[end:]
    if not scalar.style and (" #" in new or ": " in new or new != new.strip()):
        return ()  # without quotes YAML would read the text as something else
    return (_edit(source, begin + start, begin + end, text),)


def value(source: Source, node: Node, text: str) -> Edits:
    """Replaces a whole one-line value, with its quotes, with `text`."""
    if not isinstance(node, Scalar) or node.start_mark.line != node.end_mark.line:
        return ()
    return (_edit(source, node.start_mark.index, node.end_mark.index, text),)


def without_pair(source: Source, mapping: Mapping, key: str) -> Edits:
    """Removes the lines of `key` and its value."""
    first = source._position(mapping.keys[key].start_mark.index)[0]
    last = source._position(_end(source, mapping.values[key]))[0]
    lines = source.lines()[first : last + 1]
    before = lines[0][: mapping.keys[key].start_mark.column]
    after = lines[-1][source._position(_end(source, mapping.values[key]))[1] :]
    if before.strip() or after.strip() or any("#" in line for line in lines):
        return ()
    return (Edit(source._marks(first, 0, last + 1, 0), ""),)


def without_item(source: Source, sequence: Sequence, index: int) -> Edits:
    """Removes an item from a list of several."""
    items = sequence.items
    if not 0 <= index < len(items) or len(items) < 2:
        return ()
    if index:
        start, end = _end(source, items[index - 1]), _end(source, items[index])
        between = source.text[start : items[index].start_mark.index]
    else:
        start, end = items[0].start_mark.index, items[1].start_mark.index
        between = source.text[_end(source, items[0]) : end]
    return (_edit(source, start, end, ""),) if not between.strip(" \t\r\n,-") else ()


def with_item(source: Source, sequence: Sequence, text: str) -> Edits:
    """Adds an item at the end of a list."""
    if not sequence.items:
        return ()
    last = sequence.items[-1]
    if source.text[sequence.start_mark.index] == "[":
        end = _end(source, last)
        return (_edit(source, end, end, f", {text}"),)
    line, column = source._position(last.start_mark.index)
    return (_new_line(source, last, source.lines()[line][:column] + text),)


def with_field(source: Source, mapping: Mapping, text: str) -> Edits:
    """Adds a line `text` at the end of an entry."""
    if source.text[mapping.start_mark.index] == "{" or not mapping.values:
        return ()
    last = list(mapping.values.values())[-1]
    if isinstance(last, Scalar) and last.style in ("|", ">"):
        return ()
    return (_new_line(source, last, " " * mapping.start_mark.column + text),)


def _new_line(source: Source, after: Node, text: str) -> Edit:
    line = source._position(_end(source, after))[0]
    column = len(source.lines()[line])
    line_end = "\r\n" if "\r\n" in source.text else "\n"
    return Edit(source._marks(line, column, line, column), line_end + text)


def _end(source: Source, node: Node) -> int:
    """Returns where the text of `node` ends. (A block collection's own end mark is where the next node
    begins.)
    """
    while not isinstance(node, Scalar) and source.text[node.start_mark.index] not in "[{":
        inner = node.items if isinstance(node, Sequence) else list(node.values.values())
        if not inner:
            break
        node = inner[-1]
    assert node.end_mark is not None
    end = node.end_mark.index
    while end > node.start_mark.index and source.text[end - 1].isspace():
        end -= 1
    return end


def _edit(source: Source, start: int, end: int, text: str) -> Edit:
    (line, column), (end_line, end_column) = source._position(start), source._position(end)
    return Edit(source._marks(line, column, end_line, end_column), text)
