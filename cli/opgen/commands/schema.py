"""`opgen schema`: JSON Schemas of the files that opgen reads, for editors."""

from __future__ import annotations

import json
import re
from pathlib import Path, PurePath

import click

from opgen.commands import options
from opgen.diagnostics import did_you_mean, shown
from opgen.explain import json_schema
from opgen.report import streams


def _kind(ctx: click.Context, argument: click.Parameter, value: str) -> str:
    """Returns the kind of file that is meant, by its name or as a path."""
    kind = re.sub(r"\.(?:ya?ml|toml)\Z", "", PurePath(value).name)
    if kind not in json_schema.FILES:
        known = ", ".join(json_schema.FILES)
        help = did_you_mean(kind, json_schema.FILES) or f"there are {known}"
        raise click.BadParameter(f"there is no schema of '{shown(value)}'; {help}")
    return kind


@click.command("schema")
@click.argument("file", default="native_functions", metavar="[FILE]", callback=_kind)
@options.output_option
def command(file: str, output: Path | None) -> None:
    """Print the JSON Schema of FILE: native_functions (the default), tags, derivatives, checks, docs,
    autocast, batching, deprecated or opgen (opgen.toml).

    Editors that know it complete fields, dispatch keys and tags, and underline most slips while you type.
    """
    streams.emit(json.dumps(json_schema.FILES[file](), indent=1) + "\n", output)
