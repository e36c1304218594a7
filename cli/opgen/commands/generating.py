"""The options that `generate` and `build` share, and running a request; its faults become messages."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from opgen import pipeline
from opgen.check import library_names, library_versions
from opgen.commands import exit_codes, options
from opgen.diagnostics import shown
from opgen.report import streams, text_format
from opgen.request import VERSION


def _version(_context: click.Context, _parameter: click.Parameter, value: str) -> str:
    if fault := library_versions.fault(value):
        raise click.BadParameter(f"got {value!r}, {fault}")
    return value


_OPTIONS = (
    options.file_argument,
    options.shipped_option,
    options.tags_option,
    options.derivatives_option,
    options.checks_option,
    options.docs_option,
    click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help="Default: generated/NAME."),
    click.option("--name", metavar="NAME", help="Name of the library; aten for opgen's own schemas."),
    click.option(
        "--version", default=VERSION, metavar="X", callback=_version, show_default=True,
        help="Version of the library, its wheel and its CMake package, as in 1.4.0 or 1.4.0rc1.",
    ),
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
    click.option(
        "--backend", type=click.Choice(("auto", "cpu", "cuda")), default="auto", show_default=True,
        help="Whether CUDA is part of the library; auto: where there are a GPU and nvcc.",
    ),
)  # fmt: skip


def arguments(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def request(
    file: Path | None,
    aten: bool,
    tags: Path | None,
    derivatives: Path | None,
    checks: Path | None,
    docs: Path | None,
    out: Path | None,
    name: str | None,
    version: str,
    ops: str | None,
    kernels: tuple[Path, ...],
    missing_kernels: str,
    extend: str | None,
    backend: str,
) -> pipeline.Request:
    file = options.functions_file(file, aten)
    made = pipeline.Request(
        file, Path(), name or "", tags, kernels, _operators(ops), missing_kernels == "stub",
        False, extend, version, levels=options.levels(),
        derivatives=derivatives, checks=checks, docs=docs,
    )  # fmt: skip
    if not name:
        if not made.is_shipped:
            raise click.UsageError("--name is needed: what is the library of these operators to be called?")
        name = "aten"
    require_library_name("--name", name, extend)
    if extend is not None:
        require_library_name("--extend", extend)
    from dataclasses import replace

    cuda = _has_cuda(backend, extend)  # looks for the library to extend, by its valid name
    return replace(made, name=name, out=out or Path("generated") / name, cuda=cuda)


def _has_cuda(backend: str, extend: str | None) -> bool:
    """An extension of a library without CUDA has none, unless it is asked for."""
    from opgen.build import installed, machine, toolchain

    if backend != "auto":
        return backend == "cuda"
    if extend is not None and installed.without_cuda(extend) is not None:
        return False
    return machine.has_nvidia_gpu() and toolchain.find_nvcc() is not None


def require_library_name(option: str, name: str, extends: str | None = None, help: str = "") -> None:
    """Raises UsageError, about `option`, for an invalid library name, and for the name of the library that it
    `extends`.
    """
    fault = library_names.fault(name)
    if name == extends:
        fault = "the library that this one extends has that name"
    if fault is not None:
        raise click.UsageError(f"{option} {name!r}: {fault}{help}")


def require_installed(library: object, backend: str) -> None:
    """Raises UsageError where the library to extend is not installed, or without the CUDA half that is asked
    for, before anything is generated.
    """
    from opgen.build import installed

    if library is not None:
        require_library_name("--extend", str(library))
        fault = installed.missing(str(library))
        if fault is None and backend == "cuda":
            fault = installed.without_cuda(str(library))
        if fault is not None:
            raise click.UsageError(fault)


def _operators(ops: str | None) -> tuple[str, ...] | None:
    if ops is None:
        return None
    try:
        text = Path(ops).read_text(encoding="utf-8") if os.path.isfile(ops) else ops
    except UnicodeDecodeError:
        raise click.UsageError(f"--ops {shown(ops)}: the file is not UTF-8") from None
    lines = (line.partition("#")[0] for line in text.splitlines())
    return tuple(name for line in lines for name in line.replace(",", " ").split())


def _say(text: str) -> None:
    streams.say(f"opgen: {shown(text)}")


def run(
    request: pipeline.Request, *, dry_run: bool = False, say: Callable[[str], None] = _say
) -> pipeline.Outcome:
    """Returns the outcome; ends the command with its exit code where there is none."""
    from opgen.render.library import SamePath
    from opgen.render.tree import ForeignTree
    from opgen.select.selection import UnknownOperators
    from opgen.select.sources import UnusableName

    try:
        return pipeline.generate(request, dry_run=dry_run, say=say)
    except pipeline.Invalid as invalid:
        streams.say(text_format.text(invalid.report, invalid.path))
        raise click.exceptions.Exit(exit_codes.FINDINGS) from None
    except (UnknownOperators, UnusableName, ForeignTree, SamePath) as error:
        streams.say(f"opgen: {shown(str(error))}")
    except OSError as error:
        where = shown(str(error.filename or request.out))
        streams.say(f"opgen: {where}: {error.strerror}; what was there before is untouched")
    raise click.exceptions.Exit(exit_codes.USAGE)
