"""The files that belong to a functions file: tags, derivatives, checks, docs and autocast. Each is named by
an option, lies beside it, or is missing; autocast.yaml has no option.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path

from opgen import locate
from opgen.diagnostics import Report, shown
from opgen.model import Program, Tag
from opgen.parse import source, tags, yaml_source
from opgen.request import (
    AUTOCAST_FILE,
    BATCHING_FILE,
    CHECKS_FILE,
    DERIVATIVES_FILE,
    DOCS_FILE,
    TAGS_FILE,
)


@dataclasses.dataclass(frozen=True, slots=True)
class Files:
    """The files to read: the functions file, and the others where they were named."""

    path: Path
    tags: Path | None = None
    derivatives: Path | None = None
    aten: Path | None = None
    checks: Path | None = None
    docs: Path | None = None


def load_tags(functions_file: Path, tags_file: Path | None, report: Report) -> dict[str, Tag]:
    if tags_file is None:
        beside = functions_file.parent / TAGS_FILE
        if not beside.is_file():
            return tags.built_in()
        tags_file = locate.unnamed(beside, "--tags")
    text = source.read(str(tags_file), report)
    return tags.read(yaml_source.items(text, report), report) if text is not None else tags.built_in()


def with_derivatives(program: Program, files: Files, report: Report) -> Program:
    found = _companion(files.derivatives, files.path.parent / DERIVATIVES_FILE, report)
    if found is None:
        return program
    from opgen.expand.derivatives import match
    from opgen.parse import derivatives

    path, items = found
    entries, faulty = derivatives.read(items, report)
    return dataclasses.replace(program, derivatives=match(program, path, entries, faulty))


def with_checks(program: Program, files: Files, report: Report) -> Program:
    found = _companion(files.checks, files.path.parent / CHECKS_FILE, report)
    if found is None:
        return program
    from opgen.expand.checks import match
    from opgen.parse import checks

    path, items = found
    return dataclasses.replace(program, checks=match(program, path, *checks.read(items, report)))


def with_docs(program: Program, files: Files, report: Report) -> Program:
    found = _companion(files.docs, files.path.parent / DOCS_FILE, report)
    if found is None:
        return program
    from opgen.expand.docs import match
    from opgen.parse import docs

    path, items = found
    return dataclasses.replace(program, docs=match(program, path, docs.read(items, report)))


def with_autocast(program: Program, files: Files, report: Report) -> Program:
    found = _companion(None, files.path.parent / AUTOCAST_FILE, report)
    if found is None:
        return program
    from opgen.expand.autocast import match
    from opgen.parse import autocast

    path, items = found
    return dataclasses.replace(program, autocast=match(program, path, autocast.read(items, report)))


def with_batching(program: Program, files: Files, report: Report) -> Program:
    found = _companion(None, files.path.parent / BATCHING_FILE, report)
    if found is None:
        return program
    from opgen.parse import batching

    return dataclasses.replace(program, batching=batching.read(found[1], report))


def _companion(named: Path | None, beside: Path, report: Report) -> tuple[str, list[source.Item]] | None:
    """Returns the file that was named, else the one beside the functions file: its path for messages, its
    items.
    """
    if named is None and not beside.is_file():
        return None
    path = str(named or locate.unnamed(beside, f"--{beside.stem}"))
    text = source.read(path, report)
    return shown(path), yaml_source.items(text, report) if text is not None else []
