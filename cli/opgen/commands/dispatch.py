"""`opgen dispatch`: what each runtime key of an operator runs, and by which rule."""

from __future__ import annotations

from pathlib import Path

import click

from opgen import locate
from opgen.commands import options
from opgen.model import DispatchKey, Program
from opgen.report import streams


def _keys(ctx: click.Context, option: click.Parameter, value: str | None) -> tuple[DispatchKey, ...]:
    from opgen.explain import table

    try:
        return table.keys(filter(None, (word.strip() for word in (value or "").split(","))))
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


@click.command("dispatch", cls=options.Configured)
@click.argument("op")
@options.file_argument
@options.shipped_option
@options.tags_option
@click.option("--register", callback=_keys, metavar="K,K", help="Kernels registered besides those of FILE.")
@click.option("--only", is_flag=True, help="Leave the kernels of FILE out: --register says them all.")
@click.option("--key", "wanted", callback=_keys, metavar="K,K", help="Print the rows of these keys alone.")
@click.option(
    "--all", "everything", is_flag=True, help="Print the keys, too, that the library has no tensors of."
)
@click.option("--format", "format", type=click.Choice(("text", "json")), default="text", show_default=True)
@options.output_option
def command(
    op: str,
    file: Path | None,
    aten: bool,
    tags: Path | None,
    register: tuple[DispatchKey, ...],
    only: bool,
    wanted: tuple[DispatchKey, ...],
    everything: bool,
    format: str,
    output: Path | None,
) -> None:
    """Print the computed dispatch table of OP, such as `add.Tensor`; of `add`, those of all its overloads.

    With --register, OP may also be a name that FILE does not have. Notes say which kernels are hidden by
    others, which autograd key is ambiguous, and which backends have no kernel; with --format json, which has
    all keys, they go to stderr.
    """
    from opgen.explain import names, table

    if register and file is None and not aten and locate.functions_here() is None:
        program = Program("", ())
    else:
        program, _ = options.loaded_or_exit(options.functions_file(file, aten), tags)
    functions = names.exact(op, program, options.extension())
    if not functions and not register:
        raise click.UsageError(names.unknown(op, program))
    if format == "json" and len(functions) > 1:
        raise click.UsageError(names.several(op, functions))
    tables = [table.of(f.qualified_name, None if only else f, program, register) for f in functions]
    tables = tables or [table.of(op, None, program, register)]
    if wanted:
        tables = [found.only(wanted) for found in tables]
    if format == "text":
        shown = tables if wanted or everything else [found.of_library() for found in tables]
        pairs = zip(shown, tables, strict=True)
        texts = (table.as_text(some, len(found.rows) - len(some.rows)) for some, found in pairs)
        streams.emit("\n".join(texts), output)
        return
    streams.emit(table.as_json(tables[0]), output)
    for note in tables[0].notes:
        streams.say(f"note: {note}")
