"""`opgen validate --fix` and `--diff`: showing and writing the fixes of diagnostics."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import Any

from opgen import pipeline
from opgen.edit.files import replace_file
from opgen.parse import fixing as edits
from opgen.report import streams
from opgen.report.text_format import number


def fixed(file: Path, **inputs: Any) -> tuple[dict[str, tuple[bytes, bytes]], int]:
    """Returns the fixed files among those that `pipeline.load` reads with these inputs, (before, after) each,
    and the number of faults fixed.

    Works in rounds, since one fix may let another rule be applied. A file that cannot be read is not changed.
    """
    before: dict[str, bytes] = {}
    edited: dict[str, bytes] = {}
    sound: dict[str, bytes] = {}
    fixed_count = 0
    for _ in range(edits.MAX_ROUNDS):
        _, report = pipeline.load(file, edited=edited, **inputs)
        if edits.unreadable(report.diagnostics) & edited.keys():  # should not happen
            edited = sound
            break
        sound = dict(edited)
        changes, count = edits.round_of(report, edited)
        for path in changes.keys() - before.keys():
            before[path] = changes[path][0]
        edited.update((path, after) for path, (_, after) in changes.items())
        fixed_count += count
        if not changes:
            break
    return {path: (before[path], after) for path, after in edited.items()}, fixed_count


def fix(file: Path, **inputs: object) -> None:
    """Writes the fixed files, each atomically, and reports on stderr."""
    changed, fixed_count = fixed(file, **inputs)
    for path, (before, after) in changed.items():
        replace_file(Path(path), before, after)
    if changed:
        streams.say(f"opgen: {number(fixed_count, 'fault')} fixed in {', '.join(changed)}")


def diff(file: Path, **inputs: object) -> str:
    """Returns the changes that `fix` would make, as a unified diff."""
    changed, _ = fixed(file, **inputs)
    return "".join(_diff(path, *texts) for path, texts in changed.items())


def _diff(path: str, before: bytes, after: bytes) -> str:
    old, new = (data.decode("utf-8-sig").splitlines(keepends=True) for data in (before, after))
    lines = difflib.unified_diff(old, new, path, path)
    no_end = "\n\\ No newline at end of file\n"
    return "".join(line if line.endswith("\n") else line + no_end for line in lines)
