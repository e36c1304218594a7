"""The options that `generate` and `build` share, and running a request with its faults turned into
messages.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import click

from opgen import locate, pipeline
from opgen.check import library_names
from opgen.commands import EXIT_FINDINGS, EXIT_USAGE, formats, options
from opgen.diagnostics import shown

_OPTIONS = (
    options.file_argument,
    options.tags_option,
    options.derivatives_option,
    options.checks_option,
    click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help="Default: generated/NAME."),
    click.option("--name", metavar="NAME", help="Name of the library; aten for opgen's own schemas."),
    click.option(
        "--ops", metavar="FILE|LIST", help="Only these and what they call: a comma-separated list or a file."
    ),
    click.option(
        "--kernels", multiple=True, type=click.Path(path_type=Path, file_okay=False, exists=True),
        metavar="DIR", help="A folder of kernel sources; may be given several times.",
    ),
    click.option(
        "--missing-kernels", type=click.Choice(("error", "stub")), default="error", show_default=True,
        help="What a kernel without definition becomes: a link error, or one that throws.",
    ),
    click.option("--extend", metavar="LIBRARY", help="Make an extension of an installed library."),
)  # fmt: skip


def arguments(command: Callable) -> Callable:
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def request(
    file: Path | None,
    tags: Path | None,
    derivatives: Path | None,
    checks: Path | None,
    out: Path | None,
    name: str | None,
    ops: str | None,
    kernels: tuple[Path, ...],
    missing_kernels: str,
    extend: str | None,
    cuda: bool = False,
) -> pipeline.Request:
    file = file or locate.default_schemas()
    made = pipeline.Request(
        file, Path(), name or "", tags, kernels, _operators(ops), missing_kernels == "stub", cuda, extend,
        levels=options.levels(), derivatives=derivatives, checks=checks,
    )  # fmt: skip
    if not name:
        if not made.is_shipped:
            raise click.UsageError("--name is needed: what is the library of these operators to be called?")
        name = "aten"
    require_library_name("--name", name, extend)
    if extend is not None:
        require_library_name("--extend", extend)
    from dataclasses import replace

    return replace(made, name=name, out=out or Path("generated") / name)


def require_library_name(option: str, name: str, extends: str | None = None) -> None:
    """Raises UsageError, about `option`, for what no library is called, or none that extends `extends`."""
    fault = library_names.fault(name)
    if name == extends:
        fault = "the library that this one extends has that name"
    if fault is not None:
        raise click.UsageError(f"{option} {name!r}: {fault}")


def _operators(ops: str | None) -> tuple[str, ...] | None:
    if ops is None:
        return None
    try:
        text = Path(ops).read_text(encoding="utf-8") if os.path.isfile(ops) else ops
    except UnicodeDecodeError:
        raise click.UsageError(f"--ops {shown(ops)}: the file is not UTF-8") from None
    lines = (line.partition("#")[0] for line in text.splitlines())
    return tuple(name for line in lines for name in line.replace(",", " ").split())


def run(request: pipeline.Request, *, dry_run: bool = False) -> pipeline.Outcome:
    """The outcome; ends the command with its exit code where there is none."""
    from opgen.render.library import SamePath
    from opgen.render.selection import UnknownOperators
    from opgen.render.sources import UnusableName
    from opgen.render.tree import ForeignTree

    try:
        return pipeline.generate(
            request, dry_run=dry_run, say=lambda text: formats.say(f"opgen: {shown(text)}")
        )
    except pipeline.Invalid as invalid:
        formats.say(formats.text(invalid.report, invalid.path))
        raise click.exceptions.Exit(EXIT_FINDINGS) from None
    except (UnknownOperators, UnusableName, ForeignTree, SamePath) as error:
        formats.say(f"opgen: {shown(str(error))}")
    except OSError as error:
        where = shown(str(error.filename or request.out))
        formats.say(f"opgen: {where}: {error.strerror}; what was there before is untouched")
    raise click.exceptions.Exit(EXIT_USAGE)
