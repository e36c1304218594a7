"""The passes, in order. `load`, which every command begins with: read, parse, expand, check. `generate`:
load, select, view, render, publish; signatures (api/) are made on demand by whoever needs one.
"""

from __future__ import annotations

import contextlib
import dataclasses
import gc
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from opgen import __version__, locate
from opgen.diagnostics import Diagnostic, InputError, Report, Severity
from opgen.expand import expand
from opgen.model import Program, Tag
from opgen.parse import functions, source, tags, yaml_source

if TYPE_CHECKING:
    from opgen.render.tree import Changes
    from opgen.views.page import Plan
    from opgen.views.source import Source

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
    with _no_collecting():
        return _load(functions_path(Path(file)), tags_file, lenient, checked)


@contextlib.contextmanager
def _no_collecting() -> Iterator[None]:
    """All that is made here stays: looking for garbage in it, now or later, would only cost time."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.freeze()
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


@dataclasses.dataclass(frozen=True, slots=True)
class Request:
    """What to generate. `operators` None means all of the file; `extend` names the installed library to
    extend.
    """

    file: Path
    out: Path
    name: str
    tags: Path | None = None
    kernels: tuple[Path, ...] = ()
    operators: tuple[str, ...] | None = None
    stubs: bool = False
    cuda: bool = False
    extend: str | None = None
    version: str = "0.1.0"

    @property
    def is_shipped(self) -> bool:
        """Are these opgen's own schemas, rather than a project's?"""
        own = functions_path(locate.share() / "schemas").resolve()
        return functions_path(self.file).resolve() == own

    @property
    def options(self) -> str:
        """All that is asked for, without the places of files: the same elsewhere."""
        folders = [folder.name for folder in self.kernels]
        asked = (self.name, self.version, folders, self.operators, self.stubs, self.cuda, self.extend)
        return repr((functions_path(self.file).name, *asked))

    @property
    def origins(self) -> dict[str, Path]:
        """Where the files that sources.json names lie; the folders of opgen itself are named from its
        root.
        """
        file = functions_path(self.file)
        folders = {folder.name: folder for folder in reversed(self.kernels)}
        own = locate.share()
        shipped = {n: own / n for n in ("core", "composite", "cpu", "cuda", "python", "schemas", "templates")}
        return {**shipped, **folders, f"schemas/{file.name}" if self.is_shipped else file.name: file}


class Invalid(Exception):
    """The file has errors; `report` holds them."""

    def __init__(self, report: Report, path: str):
        self.report, self.path = report, path
        super().__init__(path)


@dataclasses.dataclass(frozen=True, slots=True)
class Outcome:
    """`changes` is None when the inputs were those of the tree that is there: nothing was even rendered."""

    changes: Changes | None
    files: int


def generate(
    request: Request, *, dry_run: bool = False, say: Callable[[str], None] = lambda text: None
) -> Outcome:
    """Makes `request.out` the library of `request.file`. Raises Invalid, UnknownOperators, ForeignTree,
    OSError.

    With `dry_run` nothing is written; the outcome says what would be.
    """
    from opgen.render import inputs, library, tree
    from opgen.render.manifest import Manifest

    tree.require_ours(request.out)
    sources = _sources(request)
    beside = functions_path(request.file).parent / TAGS_FILE
    given = (functions_path(request.file), request.tags or beside)
    digest = inputs.digest(f"{__version__} {request.options}", locate.share(), given, sources)
    before = Manifest.read(request.out)
    if before is not None and before.inputs == digest and not before.stale(request.out):
        return Outcome(None, len(before.files))
    say(f"reading {request.file}")
    with _no_collecting():
        files = library.files(_plan(request, sources), locate.share() / "templates")
    manifest = Manifest.of(request.name, digest, files)
    if dry_run:
        return Outcome(tree.Changes(before, manifest, request.out), len(files))
    say(f"writing {request.out}")
    with tree.locked(request.out):
        return Outcome(tree.publish(request.out, files, manifest), len(files))


def _sources(request: Request) -> list[Source]:
    """The hand-written files that may go into the tree; those of the user's folders come first."""
    from opgen.render import sources

    share = locate.share()
    own = sources.user_sources(request.kernels, request.name)
    if request.extend is not None:
        return [*own, *sources.extension_sources(share)]
    shipped = sources.runtime_sources(share, request.name)
    return [*own, *(s for s in shipped if request.cuda or not s.origin.startswith("cuda/"))]


def _plan(request: Request, sources: Sequence[Source]) -> Plan:
    """Loaded, selected and viewed: everything that is decided before text is made."""
    from opgen.render import selection

    own, report = _valid(request.file, request.tags)
    if request.extend is not None:
        return _viewed(request, own, sources, report)
    schemas = locate.share() / "schemas"
    program = selection.merged(own, own if request.is_shipped else _valid(schemas, None)[0])
    if request.is_shipped and request.operators is None:
        return _viewed(request, program, sources, report)
    chosen = request.operators if request.operators is not None else [f.qualified_name for f in own.functions]
    wanted = selection.roots(program, [*selection.base_operators(schemas), *chosen])
    selected = selection.select(program, sources, wanted)
    return _viewed(request, selected.program, selected.sources, report, selected.declared)


def _viewed(
    request: Request,
    program: Program,
    sources: Sequence[Source],
    report: Report,
    declared: Program | None = None,
) -> Plan:
    """The pages; what cannot be generated becomes a finding that names the operator."""
    from opgen.views import extension, faults, library, ufunc

    shipped = functions_path(request.file).parent if request.is_shipped else locate.share() / "schemas"
    options = library.LibraryOptions(
        request.name, request.version, request.cuda, request.stubs, request.extend, str(shipped)
    )
    try:
        if request.extend is not None:
            return extension.build_extension(program, sources, options)
        return library.build_library(program, sources, options, declared)
    except faults.EXPECTED as error:
        found = faults.find(program, error, ufunc.functor_index(sources))
        if not found:
            raise
        report.diagnostics += found
        raise Invalid(report, program.path) from None


def _valid(file: Path, tags_file: Path | None) -> tuple[Program, Report]:
    program, report = load(file, tags_file)
    if report.failed:
        raise Invalid(report, program.path)
    return program, report


__all__ = [
    "FUNCTIONS_FILE",
    "InputError",
    "Invalid",
    "Outcome",
    "Request",
    "functions_path",
    "generate",
    "load",
]
