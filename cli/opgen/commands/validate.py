"""`opgen validate`: read, expand and check functions files; fix what can be fixed mechanically."""

from __future__ import annotations

from pathlib import Path

import click

from opgen import pipeline
from opgen.commands import exit_codes, options
from opgen.diagnostics import Report
from opgen.model import Program
from opgen.report import formats, streams, text_format

MAX_NAMES = 5  # of those that the summary lists


@click.command("validate", cls=options.Configured)
@click.argument("files", nargs=-1, type=click.Path(path_type=Path), metavar="[FILE|DIR]...")
@options.tags_option
@options.derivatives_option
@options.checks_option
@options.docs_option
@options.aten_or_shipped_option
@click.option("--fix", is_flag=True, help="Fix what can be fixed in only one way, then check.")
@click.option("--diff", is_flag=True, help="Print what --fix would change; write and check nothing.")
@click.option(
    "--skip-unrelated",
    is_flag=True,
    help="Skip a tags.yaml or the like that goes with no functions file; for hooks, which get all of a name.",
)
@click.option("--format", "format", type=click.Choice(formats.NAMES), default="text", show_default=True)
@options.output_option
def command(
    files: tuple[Path, ...],
    fix: bool,
    diff: bool,
    skip_unrelated: bool,
    format: str,
    output: Path | None,
    **inputs: Path | None,
) -> int:
    """Check FILE, or the native_functions.yaml in DIR, with its tags, derivatives, checks and docs;
    by default the one here, or what `schemas` of the configuration names. One of these files stands for the
    functions file that it lies beside.

    Exits with 1 when there is an error; with --diff, when there is something to fix.
    """
    named = options.functions_files(files, inputs["aten"], skip_unrelated)
    given = [(file, options.inputs(file)) for file in named]
    if diff:
        from opgen.edit import fixing

        text = "".join(fixing.diff(file, **read) for file, read in given)
        streams.emit(text, output)
        return exit_codes.FINDINGS if text else 0
    report, subjects = Report(), []
    for file, read in given:
        if fix:
            from opgen.edit import fixing

            fixing.fix(file, **read)
        program, found = pipeline.load(file, **read)
        report.diagnostics += found.diagnostics
        report.sources.update(found.sources)
        report.unclear += found.unclear
        subjects.append(_subject(program) + _not_checked(found))
    formats.write(report, format, output, "; ".join(subjects) or "no functions file")
    return exit_codes.FINDINGS if report.failed else 0


def _subject(program: Program) -> str:
    number = text_format.number
    declared = sum(not f.is_generated for f in program.functions)
    made = len(program.functions) - declared
    subject = f"{program.path}: {number(declared, 'operator')} and {made} that autogen makes"
    if program.derivatives is not None:
        entries, reached = len(program.derivatives.entries), len(program.derivatives.of)
        written, used = number(entries, "entry", "entries"), number(reached, "operator")
        subject += f"; {program.derivatives.path}: {written} for {used}"
    return subject


def _not_checked(report: Report) -> str:
    """Says what rules were left out, as their findings would be consequences of others."""
    if not report.unclear:
        return ""
    names = ", ".join(f"'{name}'" for name in report.unclear[:MAX_NAMES])
    more = f" and {len(report.unclear) - MAX_NAMES} others" if len(report.unclear) > MAX_NAMES else ""
    return f" (because of errors not compared with other forms or formulas: {names}{more})"
