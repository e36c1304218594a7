"""`opgen dispatch`: what each runtime key of an operator runs, and by which rule."""

from __future__ import annotations

from pathlib import Path

import click

from opgen.commands import formats, options
from opgen.model import DispatchKey


def _keys(ctx: click.Context, option: click.Parameter, value: str | None) -> tuple[DispatchKey, ...]:
    from opgen.explain import table

    try:
        return table.keys(filter(None, (word.strip() for word in (value or "").split(","))))
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


@click.command("dispatch", cls=options.Configured)
@click.argument("op")
@options.file_argument
@options.tags_option
@click.option("--register", callback=_keys, metavar="K,K", help="Kernels registered besides those of FILE.")
@click.option("--only", is_flag=True, help="Leave the kernels of FILE out: --register says them all.")
@click.option("--format", "format", type=click.Choice(("text", "json")), default="text", show_default=True)
@options.output_option
def command(
    op: str,
    file: Path | None,
    tags: Path | None,
    register: tuple,
    only: bool,
    format: str,
    output: Path | None,
) -> None:
    """Print the computed dispatch table of OP, such as `add.Tensor`.

    With --register, OP may also be a name that FILE does not have. Notes say which kernels are hidden by
    others, which autograd key is ambiguous, and which backends have no kernel; with --format json they go to
    stderr.
    """
    from opgen.explain import table

    program, _ = options.loaded_or_exit(file, tags)
    function = program.function(op)
    if function is None and not register:
        from opgen.explain.names import unknown

        raise click.UsageError(unknown(op, program))
    found = table.of(op, None if only else function, program, register)
    formats.emit(table.as_json(found) if format == "json" else table.as_text(found), output)
    for note in found.notes if format == "json" else ():
        formats.say(f"note: {note}")
