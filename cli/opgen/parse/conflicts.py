"""Conflict markers that git left in a file: reported, and the file is read as it was on our side."""

from __future__ import annotations

import re
from collections.abc import Iterator

from opgen.diagnostics import Diagnostic, Related, Report
from opgen.parse import yaml_rules as rules
from opgen.parse.source import Source

_MARKER = re.compile(r"^(?:<{7}|\|{7}|={7}|>{7})(?= |\r?$)[^\r\n]*", re.MULTILINE)
_HELP = "keep what is meant of the two sides, and delete the lines with <<<<<<<, ======= and >>>>>>>"


def without(source: Source, report: Report) -> Source | None:
    """Returns the text with blanks for the markers and for the other side, and reports each conflict; None
    where there is no marker.
    """
    markers = list(_MARKER.finditer(source.text))
    if not markers:
        return None
    text, end = [], 0
    for conflict in _conflicts(markers):
        report.add(_fault(source, conflict))
        for begin, until in _dropped(conflict):
            text += [source.text[end:begin], re.sub(r"[^\r\n]", " ", source.text[begin:until])]
            end = until
    return Source(source.path, "".join((*text, source.text[end:])), source.first_line)


def _conflicts(markers: list[re.Match[str]]) -> Iterator[list[re.Match[str]]]:
    """Yields the markers of each whole conflict; one that belongs to none alone."""
    kinds = "".join(marker[0][0] for marker in markers)
    for found in re.finditer(r"<\|?=>|.", kinds):
        yield markers[found.start() : found.end()]


def _dropped(conflict: list[re.Match[str]]) -> Iterator[tuple[int, int]]:
    """Yields the ranges that are not read: the first marker, and all from the second to the last."""
    yield conflict[0].span()
    if len(conflict) > 1:
        yield conflict[1].start(), conflict[-1].end()


def _fault(source: Source, conflict: list[re.Match[str]]) -> Diagnostic:
    first, *rest = (source.at(*marker.span()) for marker in conflict)
    message = "a merge conflict begins here" if rest else "this is a marker of a merge conflict"
    words = {"|": "the common ancestor", "=": "the other side", ">": "its end"}
    related = tuple(Related(s, words[m[0][0]]) for s, m in zip(rest, conflict[1:], strict=True))
    return rules.CONFLICT.at(first, message, _HELP, related)
