"""`opgen validate --fix` and `--diff`: showing and writing what the fixes of diagnostics make of files."""

from __future__ import annotations

import contextlib
import difflib
import os
import shutil
import tempfile
from pathlib import Path

from opgen import pipeline
from opgen.commands import formats
from opgen.diagnostics import InputError, shown
from opgen.parse import fixing as edits


def fixed(file: Path, **inputs: object) -> tuple[dict[str, tuple[bytes, bytes]], int]:
    """What becomes of the files that `pipeline.load` reads with these inputs: (before, after) of each that
    changes, and the number of faults that are mended.

    In rounds, since one fix may let another rule be applied. A file that cannot be read is left alone.
    """
    before: dict[str, bytes] = {}
    edited: dict[str, bytes] = {}
    sound: dict[str, bytes] = {}
    mended = 0
    for _ in range(edits.MAX_ROUNDS):
        _, report = pipeline.load(file, edited=edited, **inputs)
        if edits.unreadable(report.diagnostics) & edited.keys():  # never; but it is the user's file
            edited = sound
            break
        sound = dict(edited)
        changes, count = edits.round_of(report, edited)
        for path in changes.keys() - before.keys():
            before[path] = changes[path][0]
        edited.update((path, after) for path, (_, after) in changes.items())
        mended += count
        if not changes:
            break
    return {path: (before[path], after) for path, after in edited.items()}, mended


def fix(file: Path, **inputs: object) -> None:
    """Writes the mended files, each in one step, and says on stderr what was done."""
    changed, mended = fixed(file, **inputs)
    for path, (before, after) in changed.items():
        replace_file(Path(path), before, after)
    if changed:
        faults = "1 fault" if mended == 1 else f"{mended} faults"
        formats.say(f"opgen: {faults} mended in {', '.join(changed)}")


def diff(file: Path, **inputs: object) -> str:
    """What `fix` would do, as a unified diff."""
    changed, _ = fixed(file, **inputs)
    return "".join(_diff(path, *texts) for path, texts in changed.items())


def _diff(path: str, before: bytes, after: bytes) -> str:
    old, new = (data.decode("utf-8-sig").splitlines(keepends=True) for data in (before, after))
    lines = difflib.unified_diff(old, new, path, path)
    no_end = "\n\\ No newline at end of file\n"
    return "".join(line if line.endswith("\n") else line + no_end for line in lines)


def replace_file(path: Path, before: bytes, after: bytes) -> None:
    """Keeps the file's permissions; where it is a link, what that leads to is replaced."""
    target = Path(os.path.realpath(path))
    try:
        if not os.access(target, os.W_OK):
            raise PermissionError(0, "the file may not be written")
        with tempfile.NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}.", delete=False) as new:
            new.write(after)
            new.flush()
            os.fsync(new.fileno())
        try:
            shutil.copymode(target, new.name)
            if target.read_bytes() != before:
                raise InputError(
                    f"{shown(str(path))}: the file changed while it was being mended; it is left as it is"
                )
            os.replace(new.name, target)
        finally:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(new.name)
    except OSError as error:
        raise InputError(f"{shown(str(path))}: {error.strerror or error}; the file is as it was") from None
