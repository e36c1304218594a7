"""Diagnostics as text, or as what tools read. `write` picks the format by its name."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from opgen.diagnostics import Diagnostic, InputError, Report, Severity, Span

NAMES = ("text", "concise", "json", "github", "gitlab", "junit", "sarif")
_WIDTH = 140


def write(report: Report, format: str, output: Path | None = None, subject: str = "") -> None:
    """Prints the report, or writes it to `output`. `subject` says in a few words what was looked at."""
    writer = _WRITERS.get(format)
    if writer is None:
        from opgen.commands import machine_formats

        writer = machine_formats.WRITERS[format]
    emit(writer(report, subject), output)


def emit(text: str, output: Path | None = None) -> None:
    if output is None:
        # The terminal may not be able to show what the file holds.
        encoding = sys.stdout.encoding or "utf-8"
        sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))
        return
    try:
        output.write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise InputError(f"{output}: {error.strerror or error}") from None


def number(n: int, what: str, several: str | None = None) -> str:
    """'1 operator', '2 operators'; `several` where the plural takes more than an s."""
    return f"{n} {what if n == 1 else several or what + 's'}"


def counts(report: Report) -> str:
    """'2 errors, 1 warning', 'no errors'."""
    parts = []
    for severity in Severity:
        n = report.count(severity)
        if n:
            parts.append(number(n, severity.name))
    return ", ".join(parts) if parts else "no errors"


def text(report: Report, subject: str) -> str:
    blocks = [block(report, d) for d in report.sorted()]
    mendable = sum(bool(d.fix) for d in report.sorted())
    summary = counts(report) + (f"; `opgen validate --fix` mends {mendable}" if mendable else "")
    blocks.append(f"{subject}: {summary}\n" if subject else f"{summary}\n")
    return "\n".join(blocks)


def concise(report: Report, subject: str) -> str:
    return "".join(
        f"{d.span}: {d.severity.name}: {printable(d.message)} [{d.code} {d.name}]\n" for d in report.sorted()
    )


def printable(text: str) -> str:
    """`text` with everything that a terminal would not simply show written as an escape."""
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
    """The line with a caret under the range; a long line is cut to what is around it."""
    line = report.line(span.path, span.line)
    if line is None:
        return []
    start = span.column - 1
    end = span.end_column - 1 if span.end_line == span.line else len(line)
    first = max(0, start - _WIDTH // 2) if len(line) > _WIDTH else 0
    before, marked, after = line[first:start], line[start:end], line[end : first + _WIDTH]
    shown_before, shown_marked = flat(before), flat(marked[:_WIDTH])
    if first:
        shown_before = "..." + shown_before[3:]
    tail = "..." if first + _WIDTH < len(line) else ""
    number = str(span.line)
    gutter = " " * len(number)
    carets = "^" * max(1, len(shown_marked))
    return [
        f"{gutter} |",
        f"{number} | {shown_before}{shown_marked}{flat(after)}{tail}",
        f"{gutter} | {' ' * len(shown_before)}{carets}",
    ]


def flat(text: str) -> str:
    return printable(text.replace("\t", " "))


_WRITERS: dict[str, Callable[[Report, str], str]] = {"text": text, "concise": concise}
