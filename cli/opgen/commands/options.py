"""Options that several commands have, and loading with them."""

from __future__ import annotations

from pathlib import Path

import click

from opgen import locate, pipeline
from opgen.diagnostics import Report
from opgen.model import Program

file_argument = click.argument("file", required=False, type=click.Path(path_type=Path), metavar="[FILE|DIR]")
tags_option = click.option(
    "--tags", type=click.Path(path_type=Path), metavar="F", help="The tags file; else tags.yaml beside FILE."
)
output_option = click.option(
    "-o", "--output", type=click.Path(path_type=Path), metavar="F", help="Write to F, not to the terminal."
)


def loaded_or_exit(file: Path | None, tags: Path | None) -> tuple[Program, Report]:
    """The program of a file that must be free of errors; with errors, prints them and ends with the code
    for findings.
    """
    from opgen.commands import EXIT_FINDINGS, formats

    program, report = pipeline.load(file or locate.default_schemas(), tags)
    if report.failed:
        click.echo(formats.text(report, program.path), err=True, nl=False)
        raise click.exceptions.Exit(EXIT_FINDINGS)
    return program, report
