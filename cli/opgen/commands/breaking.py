"""`opgen breaking`: what a change of the declarations breaks, and for whom."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from opgen.baseline.place import parted
from opgen.commands import breaking_options as own
from opgen.commands import exit_codes, options
from opgen.report import formats, streams

FORMATS = (*formats.NAMES, "markdown")


@click.command("breaking", cls=own.Configured)
@click.argument("file", required=False, metavar="[NEW]")
@click.option(
    "--against",
    metavar="BASE",
    help="What NEW is compared with: FILE, DIR, a dump, REF, REF:PATH or A...B.",
)
@click.option("--since", metavar="SECOND", help="Leave out what breaks in SECOND already.")
@click.option("--for", "audiences", metavar="LIST", callback=own.audiences, help=own.AUDIENCES_HELP)
@click.option("--strict", is_flag=True, help="For all of them.")
@click.option(
    "--check-bump",
    nargs=2,
    metavar="OLD NEW",
    callback=own.versions,
    help="Fail only where the step between these versions does not announce it.",
)
@options.tags_option
@options.derivatives_option
@options.checks_option
@own.deprecated_option
@options.aten_or_shipped_option
@click.option(
    "--notes", is_flag=True, help="Show what breaks none of those asked for, and what is accepted, too."
)
@click.option(
    "--write-allow",
    metavar="REASON",
    callback=own.reason,
    help="Accept what fails now, in opgen.toml, for this reason.",
)
@click.option(
    "--expires", metavar="DATE|VERSION", callback=own.expiry, help="Until when --write-allow accepts it."
)
@click.option("--format", "format", type=click.Choice(FORMATS), default="text", show_default=True)
@options.output_option
def command(file: str | None, against: str | None, format: str, output: Path | None, **given: Any) -> int:
    """Find what breaks users of an older version, BASE, in NEW; by default the native_functions.yaml here, or
    what `schemas` of the configuration names.

    NEW and BASE are files, folders, what `opgen dump` printed, or paths in a commit: REF:PATH, or REF alone
    for the path of NEW. A branch alone means the commit at which that of NEW left it; A...B the one at which
    A and B parted, and B is NEW unless that is named.

    Exits with 1 when something breaks those that are asked for (--for), with 2 when the versions cannot be
    compared.
    """
    from opgen.commands import breaking_run
    from opgen.report import breaking_formats

    if given["write_allow"] is not None and given["check_bump"] is not None:
        raise click.UsageError(
            "--write-allow accepts breaks, --check-bump announces them: give one of the two"
        )
    if given["write_allow"] is None and given["expires"] is not None:
        raise click.UsageError("--expires says until when --write-allow accepts what fails: give it, too")
    if against is None and file is not None and parted(file):
        file, against = None, file
    if against is None:
        raise click.UsageError("what is NEW compared with? As in `opgen breaking --against main`")
    try:
        compared = breaking_run.compared(file, against, **given)
    except breaking_run.Unreadable as error:
        streams.say(breaking_run.why(error))
        return exit_codes.USAGE
    breaking_formats.write(compared, format, output)
    return exit_codes.FINDINGS if compared.verdict.failed else 0
