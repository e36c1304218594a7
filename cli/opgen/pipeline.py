"""The passes, in order: read, parse, expand, check. `load` is what every command begins with."""

from __future__ import annotations

import gc
from pathlib import Path

from opgen.diagnostics import Diagnostic, InputError, Report, Severity
from opgen.expand import expand
from opgen.model import Program, Tag
from opgen.parse import functions, source, tags, yaml_source

FUNCTIONS_FILE = "native_functions.yaml"
TAGS_FILE = "tags.yaml"


def functions_path(file: Path) -> Path:
    """A folder stands for the functions file in it."""
    return file / FUNCTIONS_FILE if file.is_dir() else file


def load(
    file: Path, tags_file: Path | None = None, *, lenient: bool = False, checked: bool = True
) -> tuple[Program, Report]:
    """The expanded program of `file` and all that is wrong with it; what could not be read is left out.

    Tags come from `tags_file`, else from tags.yaml beside `file`, else they are PyTorch's. `lenient` is for
    files of other releases: rules of today are not applied, and faults are notes. Raises InputError for
    unreadable files.
    """
    collecting = gc.isenabled()
    gc.disable()  # all that is made here stays: looking for garbage only costs time
    try:
        return _load(functions_path(Path(file)), tags_file, lenient, checked)
    finally:
        if collecting:
            gc.enable()


def _load(path: Path, tags_file: Path | None, lenient: bool, checked: bool) -> tuple[Program, Report]:
    report = Report()
    known_tags = _load_tags(path, tags_file, report)
    text = source.read(str(path), report)
    items = yaml_source.items(text, report) if text is not None else []
    declared, faulty = functions.read(items, report)
    written = Program(str(path), tuple(declared), known_tags, faulty=faulty)
    program = expand(written, core_counts=not lenient or "pt2_compliant_tag" in known_tags)
    if checked and not lenient:
        from opgen.check import check

        check(program, report)
    if lenient:
        report.diagnostics = [_as_note(d) for d in report.diagnostics]
    return program, report


def _load_tags(functions_file: Path, tags_file: Path | None, report: Report) -> dict[str, Tag]:
    if tags_file is None:
        beside = functions_file.parent / TAGS_FILE
        if not beside.is_file():
            return tags.built_in()
        tags_file = beside
    text = source.read(str(tags_file), report)
    return tags.read(yaml_source.items(text, report), report) if text is not None else tags.built_in()


def _as_note(diagnostic: Diagnostic) -> Diagnostic:
    from dataclasses import replace

    return replace(diagnostic, severity=Severity.note)


__all__ = ["FUNCTIONS_FILE", "InputError", "functions_path", "load"]
