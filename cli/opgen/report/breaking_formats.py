"""The formats of `opgen breaking`: writing a comparison in the one that was asked for."""

from __future__ import annotations

from pathlib import Path

from opgen.report import breaking_report as report
from opgen.report import breaking_text, streams
from opgen.report.breaking_report import Comparison


def write(compared: Comparison, format: str, output: Path | None) -> None:
    """Prints what was found, or writes it to `output`."""
    subject = f"{compared.new.program.path} against {compared.base.program.path}"
    streams.emit(_text(compared, format, subject), output)


def _text(compared: Comparison, format: str, subject: str) -> str:
    if format in _FOR_PEOPLE:
        return _FOR_PEOPLE[format](compared, subject)
    from opgen.report import machine_formats as machine

    if format == "json":
        return machine.as_json(report.records(compared), subject, bump=compared.verdict.needs.name)
    annotated = report.for_tools(compared)
    if format == "junit":
        return machine.junit(annotated, subject, "breaking")
    return machine.WRITERS[format](annotated, subject)


_FOR_PEOPLE = {
    "text": breaking_text.text,
    "concise": breaking_text.concise,
    "markdown": breaking_text.markdown,
}
