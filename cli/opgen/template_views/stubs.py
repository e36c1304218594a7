"""Template views of src/stubs_*.cpp: a weak definition of every kernel, which a real one overrides and which
throws when called.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator

from opgen.api import native, structured
from opgen.model.program import Program
from opgen.template_views import autogen, names
from opgen.template_views.atoms import Cpp, Ident, c_literal
from opgen.template_views.atoms_of import atoms
from opgen.template_views.kernels import Registration
from opgen.template_views.page import Page
from opgen.template_views.shards import shard, shard_count
from opgen.template_views.ufunc_meta import Promotions

STUBS_PER_FILE = 400


@dataclasses.dataclass(frozen=True, slots=True)
class StubView:
    """One stub; `declaration` is the function's, without return type and qualifiers where it is a member."""

    namespace: Ident
    returns: Cpp
    declarator: Cpp
    kernel: Cpp


@dataclasses.dataclass(frozen=True, slots=True)
class StubsView:
    template: Cpp
    includes: tuple[Ident, ...]
    stubs: tuple[StubView, ...]


def stubs_pages(program: Program, rows: Iterable[Registration], promotions: Promotions) -> Iterator[Page]:
    template = "src/stubs.cpp.mako"
    found = [*_kernels(row for row in rows if row.kernel != autogen.made_kernel(row.function, program))]
    found += _metas(program, promotions)
    count = shard_count(len(found), STUBS_PER_FILE)
    for index, part in enumerate(shard(found, lambda item: item[0], count)):
        includes = tuple(sorted({base for base, _ in part}))
        view = StubsView(Cpp(template), includes, tuple(stub for _, stub in part))
        yield Page(f"src/stubs_{index}.cpp", template, view)


def _kernels(rows: Iterable[Registration]) -> Iterator[tuple[Ident, StubView]]:
    """Yields each kernel with the base name of its operator's headers; a shared kernel is listed once."""
    seen: set[tuple[str, ...]] = set()
    for row in rows:
        if row.kernel is None:
            continue
        if row.group is None:
            signature, name = native.signature(row.function, row.kernel), row.kernel.name
        else:
            signature = structured.impl_signature(row.group)
            name = f"{structured.impl_name(row.kernel)}::{signature.name}"
        identity = (row.kernel.namespace, name, *signature.param_types())
        if identity in seen:
            continue
        seen.add(identity)
        declarator = Cpp(f"{name}({atoms(signature).params})")
        kernel = c_literal(row.kernel.qualified)
        stub = StubView(Ident(row.kernel.namespace), Cpp(str(signature.returns)), declarator, kernel)
        yield names.base(row.function), stub


def _metas(program: Program, promotions: Promotions) -> Iterator[tuple[Ident, StubView]]:
    for group in program.groups:
        if group.structured and promotions.of(group) is None:
            name = structured.meta_name(group)
            signature = structured.meta_signature(group)
            inside = f"{name}::" if group.out.precomputed else ""  # its return type is declared in the class
            kernel = c_literal(f"TORCH_META_FUNC of {group.functional.name}")
            returns = Cpp(f"{inside}{signature.returns}")
            declarator = Cpp(f"{name}::{signature.name}({atoms(signature).params})")
            yield names.base(group.out), StubView(Ident("at::meta"), returns, declarator, kernel)
