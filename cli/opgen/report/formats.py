"""The formats of `--format`: writes a report in the selected one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from opgen.diagnostics import Report
from opgen.report import streams, text_format

NAMES = ("text", "concise", "json", "github", "gitlab", "junit", "sarif")


def write(report: Report, format: str, output: Path | None = None, subject: str = "") -> None:
    """Prints the report, or writes it to `output`. `subject` is a short description of the input."""
    streams.emit(_writer(format)(report, subject), output)


def _writer(format: str) -> Callable[[Report, str], str]:
    if format in _FOR_PEOPLE:
        return _FOR_PEOPLE[format]
    from opgen.report import machine_formats

    return machine_formats.WRITERS[format]


_FOR_PEOPLE = {"text": text_format.text, "concise": text_format.concise}
