"""`opgen init`: a small project that starts as the example in examples/quadratic under another name."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import click

from opgen import locate
from opgen.commands import exit_codes, generating
from opgen.diagnostics import shown
from opgen.report import streams

_EXAMPLE, _EXTENDED = "quadratic", "aten"
_MADE = {
    "build",
    "dist",
    "generated",
    "compile_commands.json",
    "__pycache__",
    ".pytest_cache",
}  # the example's build outputs


@click.command("init")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), metavar="DIR")
@click.option("--name", metavar="NAME", help="Name of the project and its namespace. Default: that of DIR.")
def command(folder: Path, name: str | None) -> int:
    """Begin a project in DIR: three operators, their kernels and derivatives, tests and a README."""
    what, help = ("--name", "") if name else ("DIR", "; call it otherwise, or give --name")
    name = name or folder.resolve().name.replace("-", "_")
    generating.require_library_name(what, name, _EXTENDED, help)
    if folder.exists() and any(folder.iterdir()):
        streams.say(f"opgen: {shown(str(folder))} is not empty; give a new folder")
        return exit_codes.USAGE
    for path, text in sorted(_files(name)):
        target = folder / path
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        except OSError as error:
            streams.say(f"opgen: {shown(str(target))}: {error.strerror}")
            return exit_codes.USAGE
        streams.emit(f"{shown(str(target))}\n")
    pytest = "" if find_spec("pytest") else "pip install pytest && "
    streams.emit(f"next: cd {shown(str(folder))} && opgen build --install && {pytest}python -m pytest\n")
    return 0


def _files(name: str) -> list[tuple[str, str]]:
    """Returns (path, text) of the example's files, with its name replaced."""
    example = locate.share() / "examples" / _EXAMPLE
    found = [f for f in example.rglob("*") if f.is_file() and not _MADE & {*f.relative_to(example).parts}]
    return [
        (
            f.relative_to(example).as_posix().replace(_EXAMPLE, name),
            f.read_text(encoding="utf-8").replace(_EXAMPLE, name),
        )
        for f in found
    ]
