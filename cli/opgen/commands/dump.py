"""`opgen dump`: the expanded model with its signatures, as JSON."""

from __future__ import annotations

from pathlib import Path

import click

from opgen import pipeline
from opgen.commands import exit_codes, options
from opgen.report import streams, text_format


@click.command("dump", cls=options.Configured)
@options.file_argument
@options.tags_option
@options.aten_or_shipped_option
@click.option("--format", "format", type=click.Choice(("json",)), default="json", show_default=True)
@options.output_option
def command(file: Path | None, tags: Path | None, aten: Path | None, format: str, output: Path | None) -> int:
    """Print every function of FILE, declared and generated, with all that was derived from it.

    Files of other releases are read, too: what of FILE cannot be read is a note on stderr.
    """
    from opgen.api import dump

    source = options.functions_file(file, aten)
    program, report = pipeline.load(
        source, tags, aten_file=options.schemas_elsewhere(source, aten), lenient=True, checked=False
    )
    streams.say(text_format.concise(report, ""))
    if report.given_up:
        return exit_codes.FINDINGS
    streams.emit(dump.text(program), output)
    return 0
