"""`opgen explain`: an operator, down to each kernel's file and line; or a rule."""

from __future__ import annotations

import re
from pathlib import Path

import click

from opgen.commands import formats, options

_CODE = re.compile(r"OP[GB]\d{3}\Z")


@click.command("explain")
@click.argument("name", metavar="NAME|CODE")
@options.file_argument
@options.tags_option
@click.option(
    "--kernels",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="A folder of kernel sources.",
)
@options.output_option
def command(
    name: str, file: Path | None, tags: Path | None, kernels: tuple[Path, ...], output: Path | None
) -> None:
    """Say where the operator NAME comes from (`add`, `add.Tensor`, `Tensor.add_`), or what the rule CODE
    means.
    """
    if _CODE.match(name):
        formats.emit(_rule(name), output)
        return
    from opgen import locate
    from opgen.explain import kernel_index, names, operator

    program, _ = options.loaded_or_exit(file, tags)
    found = names.find(name, program)
    if not found:
        raise click.UsageError(names.unknown(name, program))
    index = kernel_index.KernelIndex(operator.kernel_folders(locate.share(), kernels))
    formats.emit("\n".join(operator.describe(f, program, index) for f in found), output)


def _rule(code: str) -> str:
    from opgen.check import RULES

    rule = next((r for r in RULES if r.code == code), None)
    if rule is None:
        raise click.UsageError(f"there is no rule {code}")
    parts = [f"{rule.code} {rule.name} ({rule.severity.name})\n\n{rule.summary}\n"]
    for title, example in (("Wrong", rule.bad), ("Right", rule.good)):
        if example and len(example) < 2000:
            shown = "".join(f"    {formats.printable(line)}\n" for line in example.splitlines())
            parts.append(f"{title}:\n\n{shown}")
    return "\n".join(parts)
