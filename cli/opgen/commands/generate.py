"""`opgen generate`: write a library's sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from opgen.commands import exit_codes, generating, options
from opgen.diagnostics import shown
from opgen.report import streams

if TYPE_CHECKING:
    from opgen.render.tree import Changes


@click.command("generate", cls=options.Configured)
@generating.arguments
@click.option(
    "--check", is_flag=True, help="Write nothing; exit with 1 when the tree is not what would be written."
)
@click.option("--dry-run", is_flag=True, help="Write nothing; list what would be written and removed.")
def command(check: bool, dry_run: bool, **given: object) -> int:
    """Write the library of FILE (or of the native_functions.yaml in DIR) as a tree that builds with CMake
    alone.
    """
    request = generating.request(**given)  # type: ignore[arg-type]
    outcome = generating.run(request, dry_run=check or dry_run)
    if outcome.changes is None:
        streams.emit(f"{shown(str(request.out))}: up to date, {outcome.files} files\n")
        return 0
    if check or dry_run:
        _list(outcome.changes)
        stale = bool(outcome.changes.written or outcome.changes.removed)
        return exit_codes.FINDINGS if check and stale else 0
    changes = outcome.changes
    counted = f"{len(changes.written)} files written, {changes.kept} kept, {len(changes.removed)} removed"
    streams.emit(f"{shown(str(request.out))}: {counted}\n")
    return 0


def _list(changes: Changes) -> None:
    lines = [f"write {shown(path)}" for path in changes.written]
    lines += [f"remove {shown(path)}" for path in changes.removed]
    counted = f"{len(changes.written)} to write, {changes.kept} to keep, {len(changes.removed)} to remove"
    streams.emit("".join(f"{line}\n" for line in [*lines, counted]))
