"""All pages of an extension: operators that are added to an installed library's registry. It contains no
runtime.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from opgen.model.program import Program
from opgen.template_views import (
    autogen,
    autograd,
    functions,
    library,
    native,
    operators,
    register,
    stubs,
    ufunc,
    ufunc_meta,
)
from opgen.template_views.atoms import Ident, Py
from opgen.template_views.kernels import registrations
from opgen.template_views.page import Page, Plan
from opgen.template_views.source import Source


@dataclasses.dataclass(frozen=True, slots=True)
class PackageView:
    """`namespaces` are those of the operators, for the docstring."""

    name: Ident
    extends: Ident
    namespaces: Py


def build_extension(
    program: Program,
    sources: Sequence[Source],
    options: library.LibraryOptions,
    declared: Sequence[Program] = (),
) -> Plan:
    """Returns the tree of an extension; `options.extends` names the library. Operators in `declared` only
    have declarations of kernels.
    """
    name, extends = options.name, options.extends or ""
    include = f"include/{name}"
    rows = [row for f in program.functions for row in registrations(program, f) if not row.is_cuda]
    others = [row for other in declared for f in other.functions for row in registrations(other, f)]
    groups = [g for p in (program, *declared) for g in p.groups]
    promotions = ufunc_meta.Promotions(sources)
    differentiated = autograd.differentiated(program)
    by_base = operators.views_by_base(program, [*rows, *autograd.rows(differentiated)], own_tags=False)
    own = [s for s in sources if not s.origin.startswith("ops/")]
    pages = [
        *operators.ops_header_pages(by_base, include),
        *operators.source_pages(by_base),
        *operators.signature_pages(program.functions),
        operators.registry_page(name, by_base),
        *functions.function_header_pages(program.functions, include),
        *native.native_header_pages(program.functions, [*rows, *others], include),
        *native.meta_header_pages(groups, promotions, include),
        *register.register_pages(rows),
        *autogen.autogen_pages(program),
        *autograd.autograd_pages(program, differentiated, sources),
        *ufunc.ufunc_pages(program.groups, ufunc.functor_index(sources), "CPU"),
        _package_page(program, name, extends),
    ]
    if options.stubs:
        pages += stubs.stubs_pages(program, rows, promotions)
    pages.append(library.cmake_page(pages, own, options))
    pages.append(library.sources_page(program, differentiated, own, options))
    return Plan(tuple(pages), tuple(own))


def _package_page(program: Program, name: str, extends: str) -> Page:
    namespaces = ", ".join(sorted({f"{extends}.ops.{f.namespace}" for f in program.functions}))
    view = PackageView(Ident(name), Ident(extends), Py(namespaces))
    return Page(f"python/{name}/__init__.py", "python/extension/__init__.py.mako", view)
