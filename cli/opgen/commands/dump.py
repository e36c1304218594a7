"""`opgen dump`: the expanded model with its signatures, as JSON."""

from __future__ import annotations

from pathlib import Path

import click

from opgen import locate, pipeline
from opgen.commands import EXIT_FINDINGS, formats, options


@click.command("dump", cls=options.Configured)
@options.file_argument
@options.tags_option
@options.aten_option
@click.option("--format", "format", type=click.Choice(("json",)), default="json", show_default=True)
@options.output_option
def command(file: Path | None, tags: Path | None, aten: Path | None, format: str, output: Path | None) -> int:
    """Print every function of FILE, declared and generated, with all that was derived from it.

    Files of other releases are read, too: what of FILE cannot be read is a note on stderr.
    """
    from opgen.api import dump

    source = file or locate.default_schemas()
    program, report = pipeline.load(source, tags, aten_file=aten, lenient=True, checked=False)
    formats.say(formats.concise(report, ""))
    if report.failed:  # too many notes for a functions file of any release
        return EXIT_FINDINGS
    formats.emit(dump.text(program), output)
    return 0
