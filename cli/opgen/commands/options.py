"""Options that several commands have, and loading with them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click
from click.core import ParameterSource

from opgen import config, locate, pipeline
from opgen.diagnostics import InputError, Report, Severity, shown
from opgen.model import Program

file_argument = click.argument("file", required=False, type=click.Path(path_type=Path), metavar="[FILE|DIR]")
tags_option = click.option(
    "--tags", type=click.Path(path_type=Path), metavar="F", help="The tags file; else tags.yaml beside FILE."
)
derivatives_option = click.option(
    "--derivatives",
    type=click.Path(path_type=Path),
    metavar="F",
    help="The derivatives file; else derivatives.yaml beside FILE.",
)
checks_option = click.option(
    "--checks",
    type=click.Path(path_type=Path),
    metavar="F",
    help="The checks file; else checks.yaml beside FILE.",
)
aten_option = click.option(
    "--aten",
    type=click.Path(path_type=Path),
    metavar="F",
    help="The functions file that has the schemas of 'op:' entries, such as ExecuTorch's.",
)
output_option = click.option(
    "-o", "--output", type=click.Path(path_type=Path), metavar="F", help="Write to F, not to the terminal."
)


def loaded_or_exit(file: Path | None, tags: Path | None) -> tuple[Program, Report]:
    """The program of a file that must be free of errors; with errors, prints them and ends with the code
    for findings.
    """
    from opgen.commands import EXIT_FINDINGS, formats

    program, report = pipeline.load(file or locate.default_schemas(), tags, levels=levels())
    if report.failed:
        formats.say(formats.text(report, program.path))
        raise click.exceptions.Exit(EXIT_FINDINGS)
    return program, report


class Configured(click.Command):
    """A command whose options may also stand in a configuration file; the command line wins. `table` is the
    one of its own options, "" where there is none.
    """

    table = ""

    def __init__(self, *args: object, **kwargs: object):
        super().__init__(*args, **kwargs)
        named = click.Option(
            ["--config"],
            type=click.Path(path_type=Path),
            metavar="F",
            expose_value=False,
            callback=_remember_config,
            help="The configuration; else opgen.toml or [tool.opgen] of pyproject.toml at FILE or above it.",
        )
        self.params.append(named)

    def invoke(self, ctx: click.Context) -> object:
        files = ctx.params.get("files") or (ctx.params.get("file"),)
        ctx.params.update(configured(ctx, files[0]))
        return super().invoke(ctx)


def _remember_config(ctx: click.Context, option: click.Parameter, value: Path | None) -> None:
    ctx.meta["opgen.config-file"] = value


def configured(ctx: click.Context, file: Path | None) -> dict[str, object]:
    """What the configuration of `file` says for parameters that the command line leaves out."""
    named: Path | None = ctx.meta.get("opgen.config-file")
    path = named or config.find(file or Path())
    found = ctx.meta["opgen.config"] = config.read(path) if path is not None else config.Config()
    prefix = f"{ctx.command.table}."
    values = {**found.values, **{f"{prefix}{key}": value for key, value in found.breaking.items()}}
    given = {}
    for param in ctx.command.params:
        key = next((key for key in (f"{prefix}{_key(param)}", _key(param)) if key in values), None)
        if key is not None and ctx.get_parameter_source(param.name) is ParameterSource.DEFAULT:
            given[param.name] = _converted(ctx, param, values[key], key, found)
    return given


def _key(param: click.Parameter) -> str:
    if param.name in ("file", "files"):
        return "schemas"
    return next((name[2:] for name in param.opts if name.startswith("--")), "")


def _converted(
    ctx: click.Context, param: click.Parameter, value: object, key: str, found: config.Config
) -> object:
    if isinstance(value, list) and not param.multiple:
        value = ",".join(value)
    elif param.nargs == -1:
        value = [value]
    try:
        return param.process_value(ctx, value)
    except click.BadParameter as error:
        raise InputError(shown(f"{found.place(key)}: '{key}': {error.message}")) from None


def inputs(file: Path) -> dict[str, object]:
    """What `pipeline.load` is told besides the file: by the command line, else by the configuration."""
    ctx = click.get_current_context()
    params = {**ctx.params, **configured(ctx, file)}
    read = ("tags", "derivatives", "checks", "aten")
    return {**{f"{name}_file": params.get(name) for name in read}, "levels": levels()}


def levels() -> Mapping[str, Severity | None]:
    """The levels of rules in the configuration of the command that runs."""
    found: config.Config = click.get_current_context().meta.get("opgen.config") or config.Config()
    if not found.levels:
        return {}
    from opgen.check.rules import RULES

    return config.levels(found, RULES)
