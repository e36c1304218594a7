"""Options that several commands have, and loading with them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from opgen import config, locate, pipeline
from opgen.diagnostics import InputError, Report, Severity, shown
from opgen.model import Program
from opgen.report import streams
from opgen.request import NoFunctionsFile, functions_path

if TYPE_CHECKING:
    from opgen.api.python_names import Extension

_COMPANION_OPTIONS = ("tags", "derivatives", "checks", "docs")
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
docs_option = click.option(
    "--docs",
    type=click.Path(path_type=Path),
    metavar="F",
    help="The docs file; else docs.yaml beside FILE.",
)
aten_or_shipped_option = click.option(
    "--aten",
    is_flag=False,
    flag_value=str(locate.share() / "schemas"),
    type=click.Path(path_type=Path),
    metavar="[F]",
    help="The functions file that has the schemas of 'op:' entries, such as ExecuTorch's. Without F: that of"
    " the operators that opgen ships, which are taken for FILE where none is named.",
)
shipped_option = click.option(
    "--aten", is_flag=True, help="Take the operators that opgen ships, those of the library aten, for FILE."
)
output_option = click.option(
    "-o", "--output", type=click.Path(path_type=Path), metavar="F", help="Write to F, not to the terminal."
)


def functions_file(file: Path | None, aten: object = None) -> Path:
    """Returns FILE or its default; `aten` is the value of --aten. Raises UsageError, InputError."""
    if file is None:
        return locate.shipped_schemas() if _asks_for_shipped(aten) else locate.default_functions()
    if aten is True:
        raise click.UsageError("FILE and --aten both say which operators are meant: give one of the two")
    return file


def functions_files(files: Sequence[Path], aten: object, skip_unrelated: bool) -> list[Path]:
    """Returns the functions file of each of FILES, or the default, once: that of a companion lies beside it,
    or is the one that a configuration names with it. Raises UsageError, InputError.
    """
    found: dict[Path, None] = {}
    for file in files or (functions_file(None, aten),):
        try:
            found[functions_path(_configured_with(file) or file)] = None
        except NoFunctionsFile as error:
            if not skip_unrelated:
                raise
            streams.say(f"opgen: skipped: {error}")
    return list(found)


def _configured_with(file: Path) -> Path | None:
    """Returns `schemas` of the configuration whose tags, derivatives, checks or docs are `file`."""
    path = click.get_current_context().meta.get("opgen.config-file") or config.find(file)
    values = {} if path is None else config.read(path).values
    named = (values.get(kind) for kind in _COMPANION_OPTIONS)
    if any(isinstance(other, str) and os.path.abspath(other) == os.path.abspath(file) for other in named):
        schemas = values.get("schemas")
        return None if schemas is None else Path(str(schemas))
    return None


def schemas_elsewhere(file: Path, aten: Path | None) -> Path | None:
    """Returns the file with the schemas of the `op:` entries of `file`; it must be another file."""
    return None if file == locate.shipped_schemas() and _asks_for_shipped(aten) else aten


def _asks_for_shipped(aten: object) -> bool:
    return aten is True or aten == locate.share() / "schemas"


def loaded_or_exit(file: Path, tags: Path | None) -> tuple[Program, Report]:
    """Returns the program of a file that must be free of errors; with errors, prints them and exits with the
    code for findings.
    """
    from opgen.commands import exit_codes
    from opgen.report import streams, text_format

    program, report = pipeline.load(file, tags, levels=levels())
    if report.failed:
        streams.say(text_format.text(report, program.path))
        raise click.exceptions.Exit(exit_codes.FINDINGS)
    return program, report


class Configured(click.Command):
    """A command whose options may also be set in a configuration file; the command line has precedence.
    `table` holds the command's own options, "" where there is none.
    """

    table = ""

    def __init__(self, *args: Any, **kwargs: Any):
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
    """Returns the configuration of `file` for parameters that the command line leaves out."""
    named: Path | None = ctx.meta.get("opgen.config-file")
    path = named or config.find(file or Path())
    found = ctx.meta["opgen.config"] = config.read(path) if path is not None else config.Config()
    assert isinstance(ctx.command, Configured)
    prefix = f"{ctx.command.table}."
    own = {"build": found.build, "breaking": found.breaking}.get(ctx.command.table, {})
    values = {**found.values, **{f"{prefix}{key}": value for key, value in own.items()}}
    given = {}
    for param in ctx.command.params:
        if (
            param.name == "aten" and isinstance(param, click.Option) and param.is_flag
        ):  # `aten` of the configuration is the option with a file
            continue
        if param.name in ("file", "files") and _asks_for_shipped(ctx.params.get("aten")):
            continue
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


def inputs(file: Path) -> dict[str, Any]:
    """Returns the arguments of `pipeline.load` but the file, from the command line or the configuration."""
    ctx = click.get_current_context()
    params = {**ctx.params, **configured(ctx, file)}
    given = {f"{name}_file": params.get(name) for name in _COMPANION_OPTIONS}
    return {**given, "aten_file": schemas_elsewhere(file, params.get("aten")), "levels": levels()}


def extension() -> Extension | None:
    """Returns the extension that the configuration of the running command is about, if it is about one."""
    from opgen.api.python_names import Extension

    found: config.Config = click.get_current_context().meta.get("opgen.config") or config.Config()
    package, extends = (found.values.get(key) for key in ("name", "extend"))
    return Extension(str(package), str(extends)) if package and extends else None


def levels() -> Mapping[str, Severity | None]:
    """Returns the levels of rules in the configuration of the running command."""
    found: config.Config = click.get_current_context().meta.get("opgen.config") or config.Config()
    if not found.levels:
        return {}
    from opgen.check.rules import RULES

    return config.levels(found, RULES)
