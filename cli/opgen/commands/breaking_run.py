"""Running `opgen breaking`: read the versions, compare, judge, print."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import click

from opgen import baseline, config, locate
from opgen.baseline import Unreadable, Version
from opgen.baseline.place import OnDisk
from opgen.breaking import allow, verdict
from opgen.breaking.finding import Audience
from opgen.breaking.registry import RULES
from opgen.commands import breaking_report as report
from opgen.commands import breaking_text, formats
from opgen.request import FUNCTIONS_FILE

__all__ = ["Unreadable", "compared", "why", "write"]


def compared(
    file: str | None,
    against: str,
    *,
    since: str | None,
    audiences: tuple[Audience, ...],
    strict: bool,
    check_bump: tuple | None,
    notes: bool,
    write_allow: str | None,
    expires: str | None,
    **named: Path | None,
) -> report.Comparison:
    """Raises Unreadable and InputError where there is nothing to compare."""
    base, new, second = _versions(file, against, since, {k: v for k, v in named.items() if v is not None})
    known = () if second is None else {f.fingerprint for f in baseline.findings(base, second)}
    findings = baseline.findings(base, new)
    found: config.Config = click.get_current_context().meta["opgen.config"]
    commented, faults = allow.of_comments(new.report, RULES)
    question = verdict.Question(
        tuple(Audience) if strict else audiences,
        config.levels(found, RULES, "breaking.rules"),
        (*allow.of_configuration(found, RULES), *commented),
        known,
        check_bump,
    )
    judged = verdict.judge(findings, question, faults)
    if write_allow is not None:
        from opgen.commands import breaking_allow

        written = breaking_allow.write(judged, write_allow, expires, found)
        accepted = (*allow.of_configuration(written, RULES), *commented)
        judged = verdict.judge(findings, replace(question, accepted=accepted), faults)
    return report.Comparison(base, new, judged, notes, check_bump)


def _versions(
    file: str | None, against: str, since: str | None, named: Mapping[str, Path]
) -> tuple[Version, Version, Version | None]:
    at = OnDisk(_default(), named) if file is None else baseline.locate(file, named)
    new, base = baseline.read(at), baseline.read(baseline.locate(against, named, at))
    second = None if since is None else baseline.read(baseline.locate(since, named, at))
    return base, new, second


def _default() -> Path:
    """`schemas/` of this folder, or of the checkout that it is in."""
    here = Path.cwd()
    for folder in (here, *here.parents):
        schemas = folder / "schemas"
        if (schemas / FUNCTIONS_FILE).is_file():
            return Path(os.path.relpath(locate.unnamed(schemas, "NEW"), here))
        if (folder / ".git").exists():
            break
    raise click.UsageError(f"there is no schemas/{FUNCTIONS_FILE} here: name NEW")


def why(error: Unreadable) -> str:
    """What cannot be read, and so cannot be compared."""
    return formats.text(error.report, f"opgen: {error.path} cannot be compared")


def write(compared: report.Comparison, format: str, output: Path | None) -> None:
    subject = f"{compared.new.program.path} against {compared.base.program.path}"
    formats.emit(_text(compared, format, subject), output)


def _text(compared: report.Comparison, format: str, subject: str) -> str:
    of_people = {
        "text": breaking_text.text,
        "concise": breaking_text.concise,
        "markdown": breaking_text.markdown,
    }
    if format in of_people:
        return of_people[format](compared, subject)
    from opgen.commands import machine_formats as machine

    if format == "json":
        return machine.as_json(report.records(compared), subject, bump=compared.verdict.needs.name)
    annotated = report.for_tools(compared)
    if format == "junit":
        return machine.junit(annotated, subject, "breaking")
    return machine.WRITERS[format](annotated, subject)
