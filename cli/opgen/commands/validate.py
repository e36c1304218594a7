"""`opgen validate`: read, expand and check a functions file."""

from __future__ import annotations

from pathlib import Path

import click

from opgen import locate, pipeline
from opgen.commands import EXIT_FINDINGS, formats, options


@click.command("validate")
@options.file_argument
@options.tags_option
@click.option("--format", "format", type=click.Choice(formats.NAMES), default="text", show_default=True)
@options.output_option
def command(file: Path | None, tags: Path | None, format: str, output: Path | None) -> int:
    """Check FILE, or the native_functions.yaml in DIR; `schemas/` by default.

    Exits with 1 when there is an error.
    """
    program, report = pipeline.load(file or locate.default_schemas(), tags)
    declared = sum(not f.is_generated for f in program.functions)
    made = len(program.functions) - declared
    formats.write(
        report, format, output, f"{program.path}: {declared} operators and {made} that autogen makes"
    )
    return EXIT_FINDINGS if report.failed else 0
