"""From a functions file to a published tree: load, select, view, render, publish. What `generate` and `build` run."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from opgen import __version__, locate, pipeline
from opgen.diagnostics import Report
from opgen.model.program import Program
from opgen.render import selection
from opgen.render.library import inputs_digest
from opgen.render.manifest import Manifest
from opgen.render.pages import File
from opgen.render.sources import Source, extension_cmake, runtime_sources, user_sources
from opgen.render.tree import Changes, locked, publish, require_ours

BASE_FILE = "base.yaml"


@dataclasses.dataclass(frozen=True, slots=True)
class Request:
    """What to generate. `operators` None means all of the file; `extend` names the installed library to extend."""

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
        own = pipeline.functions_path(locate.share() / "schemas").resolve()
        return pipeline.functions_path(self.file).resolve() == own


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


def generate(request: Request, *, dry_run: bool = False, say: Callable[[str], None] = lambda text: None) -> Outcome:
    """Makes `request.out` the library of `request.file`. Raises Invalid, UnknownOperators, ForeignTree, OSError.

    With `dry_run` nothing is written; the outcome says what would be.
    """
    require_ours(request.out)
    sources = [*user_sources(request.kernels, request.name), *_shipped(request)]
    digest = _digest(request, sources)
    before = Manifest.read(request.out)
    if before is not None and before.inputs == digest and not before.stale(request.out):
        return Outcome(None, len(before.files))
    say(f"reading {request.file}")
    files = render_files(request, sources)
    manifest = Manifest.of(request.name, digest, files)
    if dry_run:
        return Outcome(Changes(before, manifest, request.out), len(files))
    say(f"writing {request.out}")
    with locked(request.out):
        return Outcome(publish(request.out, files, manifest), len(files))


def render_files(request: Request, sources: Sequence[Source]) -> list[File]:
    from opgen.views import extension, library

    own = _load(request.file, request.tags)
    templates = locate.share() / "templates"
    if request.extend is not None:
        return extension.build_extension(own, sources, request.name, request.extend, request.version).files(templates)
    options = library.LibraryOptions(request.name, request.version, request.cuda, request.stubs)
    shipped = own if request.is_shipped else _load(locate.share() / "schemas", None)
    program = selection.merged(own, shipped)
    if not (request.is_shipped and request.operators is None):
        wanted = selection.roots(program, _wanted(request, own))
        program, sources = selection.select(program, sources, wanted)
    return library.build_library(program, sources, options).files(templates)


def base_operators() -> list[str]:
    """The operators that every library has."""
    lines = (locate.share() / "schemas" / BASE_FILE).read_text(encoding="utf-8").splitlines()
    return [line[2:].strip() for line in lines if line.startswith("- ")]


def _wanted(request: Request, own: Program) -> Iterable[str]:
    chosen = request.operators if request.operators is not None else [f.qualified_name for f in own.functions]
    return [*base_operators(), *chosen]


def _load(file: Path, tags: Path | None) -> Program:
    program, report = pipeline.load(file, tags)
    if report.failed:
        raise Invalid(report, program.path)
    return program


def _shipped(request: Request) -> list[Source]:
    if request.extend is not None:
        return _extension_sources()
    sources = runtime_sources(locate.share(), request.name)
    return sources if request.cuda else [s for s in sources if not s.origin.startswith("cuda/")]


def _extension_sources() -> list[Source]:
    """What an extension takes of opgen's own: the functors' headers, to find names in, and its CMake file."""
    share = locate.share()
    functors = [s for s in runtime_sources(share, "") if s.origin.startswith("composite/functors/")]
    return [*functors, *extension_cmake(share)]


def _digest(request: Request, sources: Sequence[Source]) -> str:
    """Everything that can change the tree: opgen itself, the inputs, the options."""
    share = locate.share()
    parts: list[bytes] = [__version__.encode(), repr(dataclasses.replace(request, out=Path())).encode()]
    own = sorted(Path(__file__).parent.rglob("*.py")) if (share / "cli").is_dir() else []
    schemas = sorted((share / "schemas").glob("*.yaml"))
    inputs = [pipeline.functions_path(request.file), request.tags or pipeline.functions_path(request.file).parent / "tags.yaml"]
    for file in [*own, *sorted((share / "templates").rglob("*.*")), *schemas, *inputs]:
        parts.append(str(file.name).encode())
        parts.append(file.read_bytes() if file.is_file() else b"")
    for source in sources:
        parts += [source.path.encode(), source.content]
    return inputs_digest(parts)
