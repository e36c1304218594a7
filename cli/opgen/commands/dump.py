"""`opgen dump`: the expanded model with its signatures, as JSON."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from opgen import pipeline
from opgen.api import dump as api_dump
from opgen.diagnostics import Report

DEFAULT = Path("schemas")
INPUT_ERROR = 2


@click.command()
@click.argument("file", type=click.Path(path_type=Path), default=DEFAULT, metavar="[FILE|DIR]")
@click.option("--tags", type=click.Path(path_type=Path), help="The tags file; default: tags.yaml beside FILE.")
@click.option("--format", "format_", type=click.Choice(["json"]), default="json", show_default=True)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to this file instead of stdout.")
def dump(file: Path, tags: Path | None, format_: str, output: Path | None) -> None:
    """Print every function of FILE, declared and generated, with all that was derived from it.

    Files of other releases are read, too: what cannot be read is a note on stderr.
    """
    try:
        program, report = pipeline.load(file, tags, lenient=True, checked=False)
    except pipeline.InputError as error:
        _fail(str(error))
    _print_notes(report)
    text = api_dump.text(program.functions)
    try:
        if output is None:
            sys.stdout.write(text)
            sys.stdout.flush()
        else:
            output.write_text(text)
    except OSError as error:
        _fail(f"{output or 'stdout'}: {error.strerror}")


def _print_notes(report: Report) -> None:
    for d in report.sorted():
        click.echo(f"{d.span}: {d.severity.name}: {d.message} [{d.code}]", err=True)


def _fail(message: str) -> None:
    click.echo(f"opgen: {message}", err=True)
    sys.exit(INPUT_ERROR)
