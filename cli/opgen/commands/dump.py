"""`opgen dump`: the expanded model with its signatures, as JSON."""

from __future__ import annotations

from pathlib import Path

import click

from opgen import locate, pipeline
from opgen.commands import formats, options


@click.command("dump")
@options.file_argument
@options.tags_option
@click.option("--format", "format", type=click.Choice(("json",)), default="json", show_default=True)
@options.output_option
def command(file: Path | None, tags: Path | None, format: str, output: Path | None) -> None:
    """Print every function of FILE, declared and generated, with all that was derived from it.

    Files of other releases are read, too: what of FILE cannot be read is a note on stderr.
    """
    from opgen.api import dump

    program, report = pipeline.load(file or locate.default_schemas(), tags, lenient=True, checked=False)
    click.echo(formats.concise(report, ""), err=True, nl=False)
    formats.emit(dump.text(program.functions), output)
