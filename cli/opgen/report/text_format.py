"""Diagnostics as text for people: blocks with excerpts, or a line each as compilers write them."""

from __future__ import annotations

from collections.abc import Iterable

from opgen.diagnostics import Diagnostic, Report, Severity, Span

_WIDTH = 140


def number(n: int, what: str, several: str | None = None) -> str:
    """Returns '1 operator', '2 operators'; `several` where the plural takes more than an s."""
    return f"{n} {what if n == 1 else several or what + 's'}"


def counts(report: Report) -> str:
    """Returns '2 errors, 1 warning', 'no errors'."""
    parts = []
    for severity in Severity:
        n = report.count(severity)
        if n:
            parts.append(number(n, severity.name))
    return ", ".join(parts) if parts else "no errors"


def text(report: Report, subject: str) -> str:
    blocks = [block(report, d) for d in report.sorted()]
    fixable = sum(bool(d.fix) for d in report.sorted())
    summary = counts(report) + (f"; `opgen validate --fix` fixes {fixable}" if fixable else "")
    blocks.append(f"{subject}: {summary}\n" if subject else f"{summary}\n")
    return "\n".join(blocks)


def concise(report: Report, subject: str) -> str:
    return "".join(
        f"{d.span}: {d.severity.name}: {printable(d.message)} [{d.code} {d.name}]\n" for d in report.sorted()
    )


def printable(text: str) -> str:
    """Returns `text` with escapes for all characters that a terminal would not print as they are."""
    return "".join(c if c.isprintable() else f"\\u{{{ord(c):x}}}" for c in text)


def block(report: Report, d: Diagnostic) -> str:
    lines = [f"{d.severity.name}[{d.code} {d.name}]: {printable(d.message)}", f"  --> {d.span}"]
    lines += excerpt(report, d.span)
    margin = " " * (len(str(d.span.line)) + 1)
    if d.help:
        lines.append(f"{margin}= help: {printable(d.help)}")
    lines += [f"{margin}= {printable(r.message)}: {r.span}" for r in d.related]
    return "\n".join(lines) + "\n"


def excerpt(report: Report, span: Span) -> list[str]:
    """Returns the line with a caret under the range; of a long line the part around it, in at most _WIDTH
    columns.
    """
    line = report.line(span.path, span.line)
    if line is None:
        return []
    start = span.column - 1
    end = max(start, span.end_column - 1 if span.end_line == span.line else len(line))
    before, marked, after = _around(line, start, end)
    gutter = " " * len(str(span.line))
    return [
        f"{gutter} |",
        f"{span.line} | {before}{marked}{after}",
        f"{gutter} | {' ' * len(before)}{'^' * max(1, len(marked))}",
    ]


def _around(line: str, start: int, end: int) -> tuple[str, str, str]:
    """Returns what is shown of the characters before, in and after the range; "..." marks cuts."""
    marked = _fitting(map(flat, line[start:end][:_WIDTH]), _WIDTH)
    if start + len(marked) < end:
        return ("..." if start else ""), "".join(marked), "..."
    available = _WIDTH - sum(map(len, marked))
    left, right = line[max(0, start - _WIDTH) : start][::-1], line[end : end + _WIDTH]
    after = _fitting(map(flat, right), available - min(available // 2, sum(map(len, map(flat, left)))))
    before = _fitting(map(flat, left), available - sum(map(len, after)))
    return (
        ("..." if len(before) < start else "") + "".join(reversed(before)),
        "".join(marked),
        "".join(after) + ("..." if end + len(after) < len(line) else ""),
    )


def _fitting(pieces: Iterable[str], width: int) -> list[str]:
    """Returns as many of the first characters as fit."""
    fitting = []
    for piece in pieces:
        width -= len(piece)
        if width < 0:
            break
        fitting.append(piece)
    return fitting


def flat(text: str) -> str:
    return printable(text.replace("\t", " "))
