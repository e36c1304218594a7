"""The passes, in order. Every command begins with `load`: read, parse, expand, check. `generate` is load,
select, plan (the template views), render, publish; signatures (api/) are computed on demand.
"""

from __future__ import annotations

import contextlib
import dataclasses
import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from opgen import __version__, companions, locate
from opgen.companions import Files
from opgen.diagnostics import InputError, Report, Severity, TooManyFaults, shown
from opgen.expand import expand
from opgen.model import Function, Program
from opgen.parse import executorch, functions, source, tags, yaml_rules
from opgen.request import FUNCTIONS_FILE, TAGS_FILE, Request, functions_path

if TYPE_CHECKING:
    from opgen.render.tree import Changes
    from opgen.template_views.page import Plan
    from opgen.template_views.source import Source


def load(
    file: Path,
    tags_file: Path | None = None,
    *,
    derivatives_file: Path | None = None,
    checks_file: Path | None = None,
    docs_file: Path | None = None,
    aten_file: Path | None = None,
    lenient: bool = False,
    checked: bool = True,
    levels: Mapping[str, Severity | None] = MappingProxyType({}),
    edited: Mapping[str, bytes] = MappingProxyType({}),
) -> tuple[Program, Report]:
    """Returns the expanded program of `file` and its faults; what could not be read is left out.

    Tags come from `tags_file`, else from tags.yaml beside `file`, else they are PyTorch's; derivatives from
    `derivatives_file`, else from derivatives.yaml beside `file`, else there are none, and checks and docs
    likewise; the schemas of entries that only name an operator (`op:`) from `aten_file`. `lenient` is for
    files of other releases: today's rules are not applied, and docs are not read. `levels`, `edited` and
    `lenient` are those of Report. Raises InputError for unreadable files.
    """
    report = Report(levels=levels, edited=edited, lenient=lenient)
    with _no_collecting():
        path = functions_path(Path(file))
        files = Files(path, tags_file, derivatives_file, aten_file, checks_file, docs_file)
        program = _load(files, checked, report)
    return program, report


@contextlib.contextmanager
def _no_collecting() -> Iterator[None]:
    """Disables garbage collection: everything made here is used until the end."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.freeze()
            gc.enable()


def _load(files: Files, checked: bool, report: Report) -> Program:
    try:
        return _passes(files, checked, report)
    except TooManyFaults:
        message = f"giving up: {len(report.diagnostics)} faults, and more may follow"
        report.give_up(yaml_rules.TOO_MANY.at(report.diagnostics[-1].span, message))
        return Program(shown(str(files.path)), (), tags.built_in())


def _passes(files: Files, checked: bool, report: Report) -> Program:
    known_tags = companions.load_tags(files.path, files.tags, report)
    text = source.read(str(files.path), report)
    items = functions.items(text, report) if text is not None else []
    if items is None:
        return Program(shown(str(files.path)), (), known_tags)
    declared, faulty, unread = functions.read(items, report, _elsewhere(files.aten))
    written = Program(shown(str(files.path)), declared, known_tags, faulty=faulty, unread=unread)
    core_counts = not (report.lenient and written.before_2_6)
    program = expand(written, core_counts, make_forms=not executorch.is_one(items))
    program = companions.with_checks(companions.with_derivatives(program, files, report), files, report)
    if not report.lenient:
        program = companions.with_docs(program, files, report)
        program = companions.with_autocast(program, files, report)
        program = companions.with_batching(program, files, report)
    if checked and not report.lenient:
        from opgen.check import check

        check(program, report)
    return program


def _elsewhere(aten: Path | None) -> Mapping[str, Function]:
    """Returns the operators of ATen's file, whose own faults are not reported here."""
    if aten is None:
        return {}
    return _load(Files(functions_path(aten)), False, Report(lenient=True)).by_name


class Invalid(Exception):
    """The file has errors; `report` holds them."""

    def __init__(self, report: Report, path: str):
        self.report, self.path = report, path
        super().__init__(path)


@dataclasses.dataclass(frozen=True, slots=True)
class Outcome:
    """`changes` is None when the tree's inputs are unchanged: nothing was rendered."""

    changes: Changes | None
    files: int


def generate(
    request: Request, *, dry_run: bool = False, say: Callable[[str], None] = lambda text: None
) -> Outcome:
    """Makes `request.out` the library of `request.file`. Raises Invalid, UnknownOperators, ForeignTree,
    OSError.

    With `dry_run` nothing is written; the outcome lists the changes.
    """
    from opgen.render import inputs, library, tree
    from opgen.render.manifest import Manifest

    tree.require_ours(request.out)
    sources = _sources(request)
    functions_file = functions_path(request.file)
    tags_file = request.tags or functions_file.parent / TAGS_FILE
    beside = (request.checks_file, request.docs_file, request.autocast_file, request.batching_file)
    given = (functions_file, tags_file, request.derivatives_file, *beside)
    digest = inputs.digest(f"{__version__} {request.options}", locate.share(), given, sources)
    before = Manifest.read(request.out)
    if before is not None and before.inputs == digest and not before.stale(request.out):
        if not dry_run:
            tree.collect_leftovers(request.out)
        return Outcome(None, len(before.files))
    say(f"reading {request.file}")
    with _no_collecting():
        files = library.files(_plan(request, sources, say), locate.share() / "templates")
    manifest = Manifest.of(request.name, digest, files)
    if dry_run:
        return Outcome(tree.Changes(before, manifest, request.out), len(files))
    say(f"writing {request.out}")
    with tree.locked(request.out, say=say):
        return Outcome(tree.publish(request.out, files, manifest), len(files))


def _sources(request: Request) -> list[Source]:
    """Returns the hand-written files that may go into the tree; those of the user's folders come first."""
    from opgen.select import sources

    share = locate.share()
    own = sources.user_sources(request.kernels, request.name)
    if request.extend is not None:
        return [*own, *sources.extension_sources(share)]
    shipped = sources.runtime_sources(share, request.name)
    return [*own, *(s for s in shipped if request.cuda or not s.origin.startswith("cuda/"))]


def _plan(request: Request, sources: Sequence[Source], say: Callable[[str], None]) -> Plan:
    """Loads and selects operators and makes template views: everything that is decided before rendering."""
    from opgen.build import installed
    from opgen.select import called, selection
    from opgen.template_views import notes

    own, report = _valid(request.file, request.levels, **request.companions)
    if not request.is_shipped:
        for note in notes.unbound(own):
            say(note)
    if request.extend is not None:
        schemas = locate.share() / "schemas"
        report.extend(installed.repeated(own, request.extend, lambda: load(schemas, checked=False)[0]))
        if report.failed:
            raise Invalid(report, own.path)
        if request.operators is None:
            return _planned(request, own, sources, report)
        selected = selection.select(own, own, sources, selection.roots(own, request.operators))
        return _planned(request, selected.program, selected.sources, report, selected.declared)
    schemas = locate.share() / "schemas"
    shipped = own if request.is_shipped else _valid(schemas)[0]
    program = selection.merged(own, shipped)
    if request.is_shipped and request.operators is None:
        return _planned(request, program, sources, report)
    chosen = request.operators if request.operators is not None else [f.qualified_name for f in own.functions]
    base = selection.roots(program, selection.base_operators(schemas))
    selected = selection.select(program, shipped, sources, base | selection.roots(program, chosen))
    report.extend(called.otherwise(own, shipped, selected.sources, base))
    return _planned(request, selected.program, selected.sources, report, selected.declared)


def _planned(
    request: Request,
    program: Program,
    sources: Sequence[Source],
    report: Report,
    declared: Sequence[Program] = (),
) -> Plan:
    """Returns the pages; operators that can't be generated become findings that name them."""
    from opgen.check import declarations
    from opgen.template_views import extension, faults, library, ufunc

    if not request.is_shipped:  # with the operators that the library has beside those of the file
        report.extend(declarations.conflicts(program))
        if report.failed:
            raise Invalid(report, program.path)

    shipped = functions_path(request.file).parent if request.is_shipped else locate.share() / "schemas"
    options = library.LibraryOptions(
        request.name, request.version, request.cuda, request.stubs, request.extend, str(shipped)
    )
    try:
        if request.extend is not None:
            return extension.build_extension(program, sources, options, declared)
        return library.build_library(program, sources, options, declared)
    except faults.EXPECTED as error:
        found = faults.find(program, error, ufunc.functor_index(sources))
        if not found:
            raise
        report.diagnostics += found
        raise Invalid(report, program.path) from None


def _valid(
    file: Path, levels: Mapping[str, Severity | None] = MappingProxyType({}), **named: Path | None
) -> tuple[Program, Report]:
    """Loads a program and raises Invalid if it has errors; `named` are the other files that `load` reads."""
    program, report = load(file, levels=levels, **named)  # type: ignore[arg-type]
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
