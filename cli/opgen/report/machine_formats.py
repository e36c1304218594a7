"""Diagnostics for tools: our own JSON, GitHub's and GitLab's annotations, JUnit, SARIF."""

from __future__ import annotations

import functools
import hashlib
import json
import os
from collections.abc import Callable
from xml.sax.saxutils import escape, quoteattr

from opgen.diagnostics import Diagnostic, Report, Severity, Span
from opgen.report.text_format import printable

Json = dict[str, object]


def _place(span: Span) -> Json:
    return {
        "path": span.path,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }


def _relative(path: str) -> str:
    """Returns a path as platforms look files up: relative to the repository's root, or to the working folder
    where there is none; with '/', without './'.
    """
    root = _repository(os.path.dirname(os.path.abspath(path))) if os.path.lexists(path) else None
    inside = os.path.relpath(path, root)
    return (path if inside.startswith(os.pardir) else inside).replace(os.sep, "/")


@functools.lru_cache(64)
def _repository(folder: str) -> str | None:
    while not os.path.lexists(os.path.join(folder, ".git")):
        folder, below = os.path.dirname(folder), folder
        if folder == below:
            return None
    return folder


def _fingerprints(found: list[Diagnostic]) -> list[str]:
    """Returns identifiers of diagnostics that stay the same from run to run. They don't depend on line
    numbers, so that they stay the same when text above changes; repetitions of the same fault are numbered.
    """
    seen: dict[str, int] = {}
    made = []
    for d in found:
        identity = d.fingerprint or f"{d.code}\0{_relative(d.span.path)}\0{d.message}"
        seen[identity] = seen.get(identity, 0) + 1
        if d.fingerprint and seen[identity] == 1:
            made.append(d.fingerprint)
            continue
        made.append(hashlib.sha256(f"{identity}\0{seen[identity]}".encode("utf-8", "replace")).hexdigest())
    return made


def as_record(d: Diagnostic) -> Json:
    return {
        "code": d.code,
        "name": d.name,
        "severity": d.severity.name,
        **_place(d.span),
        "message": d.message,
        "help": d.help,
        "related": [{**_place(r.span), "message": r.message} for r in d.related],
        **dict(d.facts),
    }


def as_json(report: Report, subject: str, **more: object) -> str:
    """Returns the report as JSON; `more` are further fields of the summary."""
    record = {
        "version": 1,
        "diagnostics": [as_record(d) for d in report.sorted()],
        "summary": {
            "errors": report.count(Severity.error),
            "warnings": report.count(Severity.warning),
            **({"not_compared": report.unclear} if report.unclear else {}),
            **more,
        },
    }
    return json.dumps(record, indent=1) + "\n"


def github(report: Report, subject: str) -> str:
    """Returns workflow commands, one a line; `%`, line ends and, in properties, `:` and `,` are escaped."""

    def data(text: str) -> str:
        return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")

    def prop(text: str) -> str:
        return data(text).replace(":", "%3A").replace(",", "%2C")

    kinds = {Severity.error: "error", Severity.warning: "warning", Severity.note: "notice"}
    lines = []
    for d in report.sorted():
        s = d.span
        columns = f",col={s.column},endColumn={s.end_column}" if s.line == s.end_line else ""
        where = f"file={prop(_relative(s.path))},line={s.line},endLine={s.end_line}{columns}"
        message = d.message if d.help is None else f"{d.message}\n{d.help}"
        lines.append(f"::{kinds[d.severity]} {where},title={prop(f'{d.code} {d.name}')}::{data(message)}\n")
    return "".join(lines)


def gitlab(report: Report, subject: str) -> str:
    """Returns a Code Quality report."""
    kinds = {Severity.error: "major", Severity.warning: "minor", Severity.note: "info"}
    issues = []
    found = report.sorted()
    for d, fingerprint in zip(found, _fingerprints(found), strict=True):
        issues.append(
            {
                "description": d.message if d.help is None else f"{d.message} ({d.help})",
                "check_name": f"{d.code} {d.name}",
                "fingerprint": fingerprint,
                "severity": kinds[d.severity],
                "location": {
                    "path": _relative(d.span.path),
                    "lines": {"begin": d.span.line, "end": d.span.end_line},
                },
            }
        )
    return json.dumps(issues, indent=1) + "\n"


def junit(report: Report, subject: str, command: str = "validate") -> str:
    """Returns JUnit XML: one test case for each diagnostic; notes and warnings pass. Without any, one case
    that passes.
    """

    def xml(text: str) -> str:
        return "".join(
            c if c in "\t\n\r" or " " <= c <= "\ud7ff" or "\ue000" <= c <= "\ufffd" else "?" for c in text
        )

    cases = []
    for d in report.sorted():
        name, message = xml(f"{d.code} {d.name} {d.span}"), xml(printable(d.message))
        head = f" <testcase classname={quoteattr(xml(d.span.path))} name={quoteattr(name)}"
        if d.severity is Severity.error:
            attributes = f"message={quoteattr(message)} type={quoteattr(d.name)}"
            body = f"  <failure {attributes}>{escape(message)}</failure>\n"
        else:
            body = f"  <system-out>{escape(d.severity.name + ': ' + message)}</system-out>\n"
        cases.append(f"{head}>\n{body} </testcase>\n")
    if not cases:
        cases.append(f' <testcase classname="opgen" name="{command}"></testcase>\n')
    counts = f'tests="{len(cases)}" failures="{report.count(Severity.error)}" errors="0"'
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<testsuites name="opgen" {counts}>\n<testsuite name="opgen {command}" {counts} skipped="0">\n'
        f"{''.join(cases)}</testsuite>\n</testsuites>\n"
    )


def as_sarif(report: Report, subject: str) -> str:
    from opgen.report import sarif

    found = report.sorted()
    record = sarif.log(found, _fingerprints(found), _relative)
    return json.dumps(record, indent=1) + "\n"


WRITERS: dict[str, Callable[[Report, str], str]] = {
    "json": as_json,
    "github": github,
    "gitlab": gitlab,
    "junit": junit,
    "sarif": as_sarif,
}
