"""Fixing files: applies the edits of diagnostics to the texts they refer to."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from opgen.diagnostics import Diagnostic, InputError, Report, Span
from opgen.parse import yaml_rules
from opgen.parse.source import split_lines

MAX_ROUNDS = 20


def round_of(report: Report, edited: Mapping[str, bytes]) -> tuple[dict[str, tuple[bytes, bytes]], int]:
    """Returns (before, after) of each file that the diagnostics of one run can fix, and the number of faults
    fixed.

    The text is that of `edited`, else the file's.
    """
    changes: dict[str, tuple[bytes, bytes]] = {}
    fixed_count = 0
    broken = unreadable(report.diagnostics)
    fixable = [d for d in report.sorted() if d.fix and d.span.path not in broken]
    for path in dict.fromkeys(d.span.path for d in fixable):
        before = edited[path] if path in edited else _bytes(path, report)
        mark = codecs.BOM_UTF8 if before.startswith(codecs.BOM_UTF8) else b""
        text = before[len(mark) :].decode()
        new, count = apply(text, [d for d in fixable if d.span.path == path])
        if new != text:
            changes[path] = before, mark + new.encode()
            fixed_count += count
    return changes, fixed_count


def _bytes(path: str, report: Report) -> bytes:
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    if split_lines(data.decode("utf-8-sig", "replace")) != report.sources[path]():
        raise InputError(f"{path}: the file changed while it was being read; nothing is fixed")
    return data


def unreadable(diagnostics: Iterable[Diagnostic]) -> frozenset[str]:
    """Returns the files that could not be read as a whole: edits in them can't be trusted."""
    codes = {rule.code for rule in yaml_rules.RULES if rule is not yaml_rules.DUPLICATE_KEY}
    return frozenset(d.span.path for d in diagnostics if d.code in codes)


def apply(text: str, diagnostics: Iterable[Diagnostic]) -> tuple[str, int]:
    """Returns `text` with the fixes of `diagnostics`, and the number of fixes applied.

    An edit that touches another waits for the next round.
    """
    starts = [0, *(m.end() for m in re.finditer("\r\n|\r|\n", text))]
    taken: set[tuple[int, int, str]] = set()
    fixed_count = 0
    for d in diagnostics:
        edits = {(*_range(edit.span, starts, len(text)), edit.text) for edit in d.fix}
        if edits <= taken or not any(_touch(a, b) for a in edits for b in taken):
            taken |= edits
            fixed_count += 1
    for start, end, new in sorted(taken, reverse=True):
        text = text[:start] + new + text[end:]
    return text, fixed_count


def _range(span: Span, starts: list[int], size: int) -> tuple[int, int]:
    def offset(line: int, column: int) -> int:
        return starts[line - 1] + column - 1 if line <= len(starts) else size

    return offset(span.line, span.column), offset(span.end_line, span.end_column)


def _touch(a: tuple[int, int, str], b: tuple[int, int, str]) -> bool:
    return a[0] <= b[1] and b[0] <= a[1]
