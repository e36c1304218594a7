"""Template views of the CUDA library: its kernel wrappers, its loops over functors, and the table that it
registers when loaded.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence

from opgen.api import dispatcher
from opgen.expand.derivatives import FOREACH
from opgen.model.program import Program
from opgen.template_views import names, register, ufunc
from opgen.template_views.atoms import Cpp, Ident, c_literal
from opgen.template_views.atoms_of import atoms, comma
from opgen.template_views.kernels import Registration
from opgen.template_views.page import Page


@dataclasses.dataclass(frozen=True, slots=True)
class TableRowView:
    """One kernel: the operator's struct, its key, the wrapper's symbol and types."""

    struct: Ident
    key: Ident
    symbol: Ident
    returns: Cpp
    comma_types: Cpp


@dataclasses.dataclass(frozen=True, slots=True)
class TableView:
    template: Cpp
    library: Cpp
    includes: tuple[Ident, ...]
    kernels: tuple[TableRowView, ...]


def cuda_pages(
    program: Program, rows: Sequence[Registration], functors: Mapping[str, str], library: str
) -> Iterator[Page]:
    """Yields all generated sources of lib<library>_cuda.so."""
    yield from register.register_pages(rows, prefix="register_cuda")
    lists = {f.root_name.removeprefix(FOREACH) for f in program.functions if f.root_name.startswith(FOREACH)}
    yield from ufunc.ufunc_pages(program.groups, functors, "CUDA", lists)
    yield _table_page(rows, library)


def _table_page(rows: Sequence[Registration], library: str) -> Page:
    template = "src/cuda_table.cpp.mako"
    view = TableView(
        Cpp(template),
        c_literal(f"{library}_cuda"),
        tuple(Ident(b) for b in sorted({names.base(row.function) for row in rows})),
        tuple(map(_row, rows)),
    )
    return Page("src/cuda_table.cpp", template, view)


def _row(row: Registration) -> TableRowView:
    signature = dispatcher.signature(row.function)
    key = str(row.key)
    return TableRowView(
        names.struct(row.function),
        Ident(key),
        names.kernel_symbol(key, row.function),
        Cpp(str(signature.returns)),
        comma(atoms(signature).types),
    )
