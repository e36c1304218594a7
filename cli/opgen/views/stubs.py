"""View of src/stubs.cpp: a weak definition of every kernel, which a real one displaces and which throws when
called.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator

from opgen.api import native, structured
from opgen.model.program import Program
from opgen.views import autogen, names
from opgen.views.atoms import Cpp, Ident, c_literal
from opgen.views.atoms_of import join
from opgen.views.kernels import Registration
from opgen.views.page import Page


@dataclasses.dataclass(frozen=True, slots=True)
class StubView:
    """`declaration` is the function's, without return type and qualifiers where it is a member."""

    namespace: Ident
    returns: Cpp
    declarator: Cpp
    operator: Cpp
    kernel: Cpp


@dataclasses.dataclass(frozen=True, slots=True)
class StubsView:
    template: Cpp
    includes: tuple[Ident, ...]
    stubs: tuple[StubView, ...]


def stubs_page(program: Program, rows: Iterable[Registration]) -> Page:
    template = "src/stubs.cpp.mako"
    rows = [row for row in rows if not autogen.is_written(row.function, program)]
    unique = {f"{s.namespace} {s.declarator}": s for s in [*_kernels(rows), *_metas(program)]}
    bases = {names.base(row.function) for row in rows if row.kernel is not None}
    bases |= {names.base(g.out) for g in program.groups if g.structured}
    includes = tuple(Ident(b) for b in sorted(bases))
    return Page("src/stubs.cpp", template, StubsView(Cpp(template), includes, tuple(unique.values())))


def _kernels(rows: Iterable[Registration]) -> Iterator[StubView]:
    for row in rows:
        if row.kernel is None:
            continue
        namespace, name = row.kernel.namespace, row.kernel.name
        operator, kernel = c_literal(row.function.qualified_name), c_literal(row.kernel.qualified)
        if row.group is None:
            signature = native.signature(row.function, row.kernel)
            declarator = f"{name}({', '.join(p.defn() for p in signature.params)})"
            yield StubView(Ident(namespace), Cpp(str(signature.returns)), Cpp(declarator), operator, kernel)
        else:
            params = ", ".join(p.defn() for p in structured.impl_params(row.group))
            declarator = f"structured_{name}::impl({params})"
            yield StubView(Ident(namespace), Cpp("void"), Cpp(declarator), operator, kernel)


def _metas(program: Program) -> Iterator[StubView]:
    for group in program.groups:
        if group.structured:
            name = structured.meta_name(group)
            returns = f"{name}::meta_return_ty" if group.out.precomputed else "void"
            params = join(p.defn() for p in structured.meta_params(group))
            operator = c_literal(group.functional.qualified_name)
            kernel = c_literal(f"TORCH_META_FUNC of {group.functional.name}")
            yield StubView(Ident("at::meta"), Cpp(returns), Cpp(f"{name}::meta({params})"), operator, kernel)
