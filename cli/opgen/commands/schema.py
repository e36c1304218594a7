"""`opgen schema`: JSON Schemas of the files that opgen reads, for editors."""

from __future__ import annotations

import json
from pathlib import Path

import click

from opgen.commands import options
from opgen.explain import json_schema
from opgen.report import streams


@click.command("schema")
@click.argument(
    "file", type=click.Choice(tuple(json_schema.FILES)), default="native_functions", metavar="[FILE]"
)
@options.output_option
def command(file: str, output: Path | None) -> None:
    """Print the JSON Schema of FILE: native_functions (the default), tags, derivatives, checks, docs,
    autocast or opgen (opgen.toml).

    Editors that know it complete fields, dispatch keys and tags, and underline most slips while you type.
    """
    streams.emit(json.dumps(json_schema.FILES[file](), indent=1) + "\n", output)
