"""Running `opgen breaking`: read the versions, compare, judge."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import click
from click.core import ParameterSource

from opgen import baseline, config
from opgen.baseline import Unreadable, Version
from opgen.baseline.place import InCommit, OnDisk, parted
from opgen.breaking import allow, verdict
from opgen.breaking.finding import Audience
from opgen.breaking.registry import RULES
from opgen.breaking.version import Version as Number
from opgen.commands import options
from opgen.diagnostics import shown
from opgen.report import streams, text_format
from opgen.report.breaking_report import Comparison

__all__ = ["Unreadable", "compared", "why"]


def compared(
    file: str | None,
    against: str,
    *,
    since: str | None,
    audiences: tuple[Audience, ...],
    strict: bool,
    check_bump: tuple[Number, Number] | None,
    notes: bool,
    write_allow: str | None,
    expires: str | None,
    **named: Path | None,
) -> Comparison:
    """Compares and judges two versions. Raises Unreadable and InputError where one can't be read."""
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
        from opgen.edit import allow as accepting

        written = accepting.write(judged, write_allow, expires, found)
        accepted = (*allow.of_configuration(written, RULES), *commented)
        judged = verdict.judge(findings, replace(question, accepted=accepted), faults)
    return Comparison(base, new, judged, notes, check_bump)


def _versions(
    file: str | None, against: str, since: str | None, named: Mapping[str, Path]
) -> tuple[Version, Version, Version | None]:
    both = parted(against)
    if both is not None and both[1] != "HEAD" and (file is None or not _is_given("file")):
        at = baseline.locate(both[1], named, OnDisk(Path(file or _default(named))), exact=True)
    elif file is None:
        here = _default(named)
        named = {k: v for k, v in named.items() if k != "aten" or options.schemas_elsewhere(here, v)}
        at = OnDisk(here, named)
    else:
        at = baseline.locate(file, named)
    place = baseline.locate(against, named, at)
    if isinstance(place, InCommit) and place.left:
        streams.say(f"opgen: '{shown(place.left)}' was left at {place.ref}, which is compared")
    new, base = baseline.read(at), baseline.read(place)
    second = None if since is None else baseline.read(baseline.locate(since, named, at))
    return base, new, second


def _default(named: Mapping[str, Path]) -> Path:
    """Returns the default of FILE. Where A...B replaces NEW and BASE, the configuration's `schemas` is not
    among the arguments.
    """
    found: config.Config = click.get_current_context().meta["opgen.config"]
    if "schemas" in found.values and "aten" not in named:
        return Path(str(found.values["schemas"]))
    return options.functions_file(None, named.get("aten"))


def _is_given(parameter: str) -> bool:
    """Whether the parameter comes from the command line rather than from the configuration."""
    source = click.get_current_context().get_parameter_source(parameter)
    return source is ParameterSource.COMMANDLINE


def why(error: Unreadable) -> str:
    """Returns what cannot be read, and so cannot be compared."""
    return text_format.text(error.report, f"opgen: {error.path} cannot be compared")
