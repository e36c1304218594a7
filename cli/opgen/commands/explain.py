"""`opgen explain`: an operator, down to each kernel's file and line; or a rule; or all rules."""

from __future__ import annotations

import re
from pathlib import Path

import click

from opgen.commands import options
from opgen.diagnostics import InputError
from opgen.report import rule_text, streams

_CODE = re.compile(r"OP[GB]\d+\Z", re.IGNORECASE)


def _rule(name: str) -> str | None:
    """Describes the rule of this code or name."""
    rule = rule_text.find(name)
    if rule is not None:
        return rule_text.one(rule)
    from opgen.report import breaking_rule_text

    return breaking_rule_text.one(name)


@click.command("explain", cls=options.Configured)
@click.argument("name", metavar="NAME|CODE", required=False)
@options.file_argument
@options.shipped_option
@options.tags_option
@click.option(
    "--kernels",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="A folder of kernel sources.",
)
@click.option("--depth", type=click.IntRange(0), help="Operators of the chain to expand below the first one.")
@click.option("--all", "everything", is_flag=True, help="Also expand calls that do not lead to the result.")
@click.option("--rules", is_flag=True, help="Print all rules, as the Markdown of docs/reference/rules.md.")
@click.option("--breaking-rules", is_flag=True, help="The same of the rules of `opgen breaking`.")
@options.output_option
def command(
    name: str | None,
    file: Path | None,
    aten: bool,
    tags: Path | None,
    kernels: tuple[Path, ...],
    depth: int | None,
    everything: bool,
    rules: bool,
    breaking_rules: bool,
    output: Path | None,
) -> None:
    """Say where the operator or module NAME comes from (`add`, `Tensor.add_`, `nn.Conv2d`), and by which
    chain of operators its kernels compute; or what the rule CODE (or of this name) means.
    """
    if rules:
        streams.emit(rule_text.all_rules(), output)
        return
    if breaking_rules:
        from opgen.report import breaking_rule_text

        streams.emit(breaking_rule_text.all_rules(), output)
        return
    if name is None:
        raise click.UsageError("name an operator or a rule, as in `opgen explain OPG402`; or give --rules")
    text = _rule(name)
    if text is not None:
        streams.emit(text, output)
        return
    if _CODE.match(name) or "-" in name:  # no operator has a name with '-'
        raise click.UsageError(rule_text.unknown(name))
    from opgen.explain import named

    try:
        program, _ = options.loaded_or_exit(options.functions_file(file, aten), tags)
        said = named.describe(name, program, kernels, options.extension(), depth, everything)
    except (named.UnknownName, InputError) as unknown:
        rule = rule_text.alike(name)
        if rule is None and isinstance(unknown, InputError):
            raise
        raise click.UsageError(f"{unknown}; as a rule, {rule}" if rule else str(unknown)) from None
    streams.emit(said, output)
