"""Views of src/stubs_*.cpp: a weak definition of every kernel, which a real one displaces and which throws
when called.
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
from opgen.views.shards import shard, shard_count

STUBS_PER_FILE = 400


@dataclasses.dataclass(frozen=True, slots=True)
class StubView:
    """`declaration` is the function's, without return type and qualifiers where it is a member."""

    namespace: Ident
    returns: Cpp
    declarator: Cpp
    kernel: Cpp


@dataclasses.dataclass(frozen=True, slots=True)
class StubsView:
    template: Cpp
    includes: tuple[Ident, ...]
    stubs: tuple[StubView, ...]


def stubs_pages(program: Program, rows: Iterable[Registration]) -> Iterator[Page]:
    template = "src/stubs.cpp.mako"
    found = [*_kernels(row for row in rows if row.kernel != autogen.made_kernel(row.function, program))]
    found += _metas(program)
    count = shard_count(len(found), STUBS_PER_FILE)
    for index, part in enumerate(shard(found, lambda item: item[0], count)):
        includes = tuple(sorted({base for base, _ in part}))
        view = StubsView(Cpp(template), includes, tuple(stub for _, stub in part))
        yield Page(f"src/stubs_{index}.cpp", template, view)


def _kernels(rows: Iterable[Registration]) -> Iterator[tuple[Ident, StubView]]:
    """Each with the base name of its operator's headers; a kernel of several operators or keys comes once."""
    seen: set[tuple[str, ...]] = set()
    for row in rows:
        if row.kernel is None:
            continue
        if row.group is None:
            signature = native.signature(row.function, row.kernel)
            returns, name, params = str(signature.returns), row.kernel.name, signature.params
        else:
            returns, name = "void", f"structured_{row.kernel.name}::impl"
            params = structured.impl_params(row.group)
        identity = (row.kernel.namespace, name, *(p.ctype.text for p in params))
        if identity in seen:
            continue
        seen.add(identity)
        declarator = Cpp(f"{name}({', '.join(p.defn() for p in params)})")
        kernel = c_literal(row.kernel.qualified)
        stub = StubView(Ident(row.kernel.namespace), Cpp(returns), declarator, kernel)
        yield names.base(row.function), stub


def _metas(program: Program) -> Iterator[tuple[Ident, StubView]]:
    for group in program.groups:
        if group.structured:
            name = structured.meta_name(group)
            returns = f"{name}::meta_return_ty" if group.out.precomputed else "void"
            params = join(p.defn() for p in structured.meta_params(group))
            kernel = c_literal(f"TORCH_META_FUNC of {group.functional.name}")
            declarator = Cpp(f"{name}::meta({params})")
            yield names.base(group.out), StubView(Ident("at::meta"), Cpp(returns), declarator, kernel)
