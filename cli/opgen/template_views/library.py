"""All pages of a library, in one list."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Sequence

from opgen.api import structured
from opgen.model.program import Program
from opgen.template_views import (
    autocast,
    autogen,
    autograd,
    batching,
    functions,
    native,
    operators,
    register,
    stubs,
    ufunc,
    ufunc_meta,
)
from opgen.template_views.atoms import Cpp, Ident, Path, c_literal
from opgen.template_views.cuda import cuda_pages
from opgen.template_views.kernels import registrations
from opgen.template_views.page import Page, Plan
from opgen.template_views.python import build_python_pages
from opgen.template_views.source import Source

# Part of every inline namespace: raised when the layout of a public type of core/ changes.
ABI_VERSION = 1


@dataclasses.dataclass(frozen=True, slots=True)
class LibraryOptions:
    """Options of a library. `stubs`: missing kernels become functions that throw, instead of link errors.
    `extends` is set for an extension. `shipped` is the folder of opgen's own schemas, for paths in
    sources.json.
    """

    name: str
    version: str = "0.1.0"
    cuda: bool = False
    stubs: bool = False
    extends: str | None = None
    shipped: str = ""

    def place(self, path: str) -> str:
        """Returns a functions file's path in sources.json: the same wherever opgen and the project are."""
        folder, _, name = path.rpartition("/")
        return f"schemas/{name}" if folder == self.shipped else name


@dataclasses.dataclass(frozen=True, slots=True)
class LibraryHeaderView:
    template: Cpp
    name_literal: Cpp
    abi: Ident


@dataclasses.dataclass(frozen=True, slots=True)
class SourceGroup:
    name: Ident
    paths: tuple[Path, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class CMakeView:
    """The view of CMake files; `version_numbers` is the version without its suffix, which CMake doesn't
    support.
    """

    template: Cpp
    name: Ident
    version: Cpp
    version_numbers: Cpp
    abi_version: int
    extends: Ident | None
    groups: tuple[SourceGroup, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class SourcesView:
    text: Cpp


GLUE, SIMD = "GLUE", "SIMD"
GROUPS = ("CORE", "GLUE", "OPS", "CPU", "SIMD", "CUDA", "PYTHON")


def build_library(
    program: Program, sources: Sequence[Source], options: LibraryOptions, declared: Sequence[Program] = ()
) -> Plan:
    """Returns the pages of `program` and the given hand-written sources as one tree.

    Operators in `declared` only have declarations of kernels. Raises the exceptions of
    template_views.faults.EXPECTED.
    """
    include = f"include/{options.name}"
    rows = [row for f in program.functions for row in registrations(program, f)]
    host = [row for row in rows if not row.is_cuda]
    others = [row for other in declared for f in other.functions for row in registrations(other, f)]
    groups = [g for p in (program, *declared) for g in p.groups]
    functors = ufunc.functor_index(sources)
    promotions = ufunc_meta.Promotions(sources)
    differentiated = autograd.differentiated(program)
    by_base = operators.views_by_base(
        program, [*host, *autograd.rows(differentiated), *autocast.rows(program)]
    )
    pages = [
        _library_header(options, include),
        *operators.ops_header_pages(by_base, include),
        *operators.source_pages(by_base),
        *operators.signature_pages(program.functions),
        operators.registry_page(options.name, by_base),
        *functions.function_header_pages(program.functions, include, program.said),
        *functions.umbrella_pages(program.functions, include),
        functions.tensor_page(program.functions, include),
        *native.native_header_pages(program.functions, [*rows, *others], include),
        *native.meta_header_pages(groups, promotions, include),
        *register.register_pages(host),
        *autogen.autogen_pages(program),
        batching.batching_page(program, sources, options.shipped),
        *autograd.autograd_pages(program, differentiated, sources),
        *autocast.autocast_pages(program),
        *ufunc.ufunc_pages(program.groups, functors, "CPU"),
        *build_python_pages(program, sources, options.name),
    ]
    if options.stubs:
        pages += stubs.stubs_pages(program, host, promotions)
    if options.cuda:
        pages += cuda_pages(program, [row for row in rows if row.is_cuda], functors, options.name)
    pages.append(cmake_page(pages, sources, options))
    pages.append(sources_page(program, differentiated, sources, options))
    return Plan(tuple(pages), tuple(sources))


def _library_header(options: LibraryOptions, include: str) -> Page:
    template = "include/c10/macros/library.h.mako"
    view = LibraryHeaderView(Cpp(template), c_literal(options.name), Ident(f"{options.name}_v{ABI_VERSION}"))
    return Page(f"{include}/c10/macros/library.h", template, view)


def group_of_page(page: Page) -> str:
    """Returns the group of a generated source, which decides its compiler flags."""
    if not page.path.startswith("src/") or page.path.endswith(".h"):
        return ""
    if page.path.endswith(".cu") or page.path.startswith("src/cuda_") or "_cuda" in page.path:
        return "CUDA"
    return SIMD if page.template == "src/ufunc_cpu.mako" else GLUE


def cmake_page(pages: Iterable[Page], sources: Iterable[Source], options: LibraryOptions) -> Page:
    template = "cmake/library.cmake.mako"
    groups: dict[str, list[str]] = {name: [] for name in GROUPS}
    for page in pages:
        if group := group_of_page(page):
            groups[group].append(page.path)
        elif page.path.startswith("python/") and page.path.endswith(".cpp"):
            groups["PYTHON"].append(page.path)
    for source in sources:
        if source.group:
            groups[source.group].append(source.path)
        elif source.path.startswith("python/bindings/") and source.path.endswith(".cpp"):
            groups["PYTHON"].append(source.path)
    view = CMakeView(
        Cpp(template),
        Ident(options.name),
        Cpp(options.version),
        Cpp(_numbers(options.version)),
        ABI_VERSION,
        Ident(options.extends) if options.extends else None,
        tuple(SourceGroup(Ident(n), tuple(map(Path, sorted(paths)))) for n, paths in groups.items()),
    )
    return Page("cmake/library.cmake", template, view)


def _numbers(version: str) -> str:
    return version[: len(version) - len(version.lstrip("0123456789."))].rstrip(".")


def sources_page(
    program: Program,
    differentiated: Iterable[autograd.Differentiated],
    sources: Iterable[Source],
    options: LibraryOptions,
) -> Page:
    """sources.json: where each operator is declared and each copied file comes from; compiled files contain
    no line numbers.
    """
    functions = [(f, options.place(f.span.path)) for f in program.functions]
    record = {
        "operators": {f.qualified_name: f"{path}:{f.line}" for f, path in functions},
        "kernels": {
            kernel.qualified: f"{path}:{kernel.span.line if kernel.span else f.line}"
            for f, path in functions
            for kernel in (f.dispatch or {}).values()
        },
        "metas": {
            structured.meta_class(g): f"{options.place(g.out.span.path)}:{g.out.line}"
            for g in program.groups
            if g.structured
        },
        "formulas": dict(autograd.places(differentiated, options.place)),
        "files": {s.path: s.origin for s in sources},
    }
    if options.extends and not options.cuda:  # `opgen build` names these
        record["without_cuda"] = {
            f.qualified_name: f"{path}:{f.line}"
            for f, path in functions
            if any(row.is_cuda for row in registrations(program, f))
        }
    text = json.dumps(record, indent=1, sort_keys=True)
    return Page("sources.json", "sources.json.mako", SourcesView(Cpp(text)))
