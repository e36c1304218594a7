"""`opgen init`: a small project of one's own, the example in examples/quadratic under another name."""

from __future__ import annotations

from pathlib import Path

import click

from opgen import locate
from opgen.commands import EXIT_USAGE, formats, generating
from opgen.diagnostics import shown

_EXAMPLE, _EXTENDED = "quadratic", "aten"


@click.command("init")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), metavar="DIR")
@click.option("--name", metavar="NAME", help="Name of the project and its namespace. Default: that of DIR.")
def command(folder: Path, name: str | None) -> int:
    """Begin a project in DIR: three operators, their kernels, a test and a README."""
    what = "--name" if name else "DIR, without --name,"
    name = name or folder.resolve().name.replace("-", "_")
    generating.require_library_name(what, name, _EXTENDED)
    if folder.exists() and any(folder.iterdir()):
        formats.say(f"opgen: {shown(str(folder))} is not empty; give a new folder")
        return EXIT_USAGE
    for path, text in sorted(_files(name)):
        target = folder / path
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        except OSError as error:
            formats.say(f"opgen: {shown(str(target))}: {error.strerror}")
            return EXIT_USAGE
        formats.emit(f"{shown(str(target))}\n")
    build = f"opgen build native_functions.yaml --name {name} --kernels kernels --extend {_EXTENDED}"
    formats.emit(f"next: cd {shown(str(folder))} && {build}\n")
    return 0


def _files(name: str) -> list[tuple[str, str]]:
    """(path, text) of the example's files, with its name replaced."""
    example = locate.share() / "examples" / _EXAMPLE
    found = [f for f in example.rglob("*") if f.is_file() and "__pycache__" not in f.parts]
    return [
        (
            f.relative_to(example).as_posix().replace(_EXAMPLE, name),
            f.read_text(encoding="utf-8").replace(_EXAMPLE, name),
        )
        for f in found
    ]
