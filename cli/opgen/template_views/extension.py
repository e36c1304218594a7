"""All pages of an extension: operators that are added to an installed library's registry. It contains no
runtime.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from opgen.model.program import Program
from opgen.template_views import (
    autocast,
    autogen,
    autograd,
    cuda,
    functions,
    library,
    native,
    operators,
    python_extension,
    register,
    stubs,
    ufunc,
    ufunc_meta,
)
from opgen.template_views.atoms import Cpp, c_literal
from opgen.template_views.declarations import declarations_page
from opgen.template_views.kernels import registrations
from opgen.template_views.page import Page, Plan
from opgen.template_views.source import Source


@dataclasses.dataclass(frozen=True, slots=True)
class DeviceLibrariesView:
    """`file` is the library of CUDA kernels."""

    template: Cpp
    file: Cpp


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
    rows = [row for f in program.functions for row in registrations(program, f)]
    host, device = [r for r in rows if not r.is_cuda], [r for r in rows if r.is_cuda]
    others = [row for other in declared for f in other.functions for row in registrations(other, f)]
    groups = [g for p in (program, *declared) for g in p.groups]
    functors = ufunc.functor_index(sources)
    promotions = ufunc_meta.Promotions(sources)
    differentiated = autograd.differentiated(program)
    by_base = operators.views_by_base(
        program, [*host, *autograd.rows(differentiated), *autocast.rows(program)], own_tags=False
    )
    own = [s for s in sources if not s.origin.startswith("ops/")]
    pages = [
        *operators.ops_header_pages(by_base, include),
        *operators.source_pages(by_base),
        *operators.signature_pages(program.functions),
        operators.registry_page(name, by_base),
        *functions.function_header_pages(program.functions, include, program.said),
        *native.native_header_pages(program.functions, [*rows, *others], include),
        *native.meta_header_pages(groups, promotions, include),
        *register.register_pages(host),
        *autogen.autogen_pages(program),
        *autograd.autograd_pages(program, differentiated, sources),
        *autocast.autocast_pages(program),
        *ufunc.ufunc_pages(program.groups, functors, "CPU"),
        *python_extension.package_pages(program, name, extends),
        declarations_page(program, name),
    ]
    if options.stubs:
        pages += stubs.stubs_pages(program, host, promotions)
    if options.cuda and device:
        pages += [*cuda.cuda_pages(program, device, functors, name), _device_libraries_page(name)]
    pages.append(library.cmake_page(pages, own, options))
    pages.append(library.sources_page(program, differentiated, own, options))
    return Plan(tuple(pages), tuple(own))


def _device_libraries_page(name: str) -> Page:
    template = "src/device_libraries.cpp.mako"
    view = DeviceLibrariesView(Cpp(template), c_literal(f"lib{name}_cuda.so"))
    return Page("src/device_libraries.cpp", template, view)
