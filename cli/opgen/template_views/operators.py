"""Template views of the operators' structs (ATen/ops/*_ops.h), their entries and calls
(src/operators_*.cpp), and the registry.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence

from opgen.api import dispatcher, runtime_schema
from opgen.model.function import Function
from opgen.model.program import Program
from opgen.parse.tags import BUILT_IN
from opgen.template_views import names
from opgen.template_views.atoms import Cpp, Ident, c_literal
from opgen.template_views.atoms_of import atoms, comma
from opgen.template_views.kernels import Registration
from opgen.template_views.page import Page
from opgen.template_views.shards import shard, shard_count

OPERATORS_PER_FILE = 110
SIGNATURES_PER_FILE = 120


@dataclasses.dataclass(frozen=True, slots=True)
class KernelRow:
    key: Ident
    symbol: Ident


@dataclasses.dataclass(frozen=True, slots=True)
class OperatorView:
    """One operator; `types`, `params` and `args` are comma-separated lists; the `comma_` forms start with a
    comma unless empty.
    """

    struct: Ident
    name: Cpp
    overload: Cpp
    schema: Cpp
    tags: Cpp
    signature: Ident
    returns: Cpp
    types: Cpp
    params: Cpp
    args: Cpp
    comma_types: Cpp
    comma_params: Cpp
    comma_args: Cpp
    kernels: tuple[KernelRow, ...]

    @property
    def kernel_count(self) -> int:
        return len(self.kernels)


@dataclasses.dataclass(frozen=True, slots=True)
class OpsHeaderView:
    template: Cpp
    operators: tuple[OperatorView, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class OperatorsView:
    template: Cpp
    includes: tuple[Ident, ...]
    signatures: tuple[Ident, ...]
    operators: tuple[OperatorView, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class SignatureView:
    name: Ident
    type: Cpp


@dataclasses.dataclass(frozen=True, slots=True)
class SignaturesView:
    template: Cpp
    signatures: tuple[SignatureView, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class RegistryView:
    template: Cpp
    name_literal: Cpp
    includes: tuple[Ident, ...]
    structs: tuple[Ident, ...]


def cpp_type(function: Function) -> str:
    """Returns the operator's C++ function type in the dispatcher."""
    signature = dispatcher.signature(function)
    return f"{signature.returns.text}({', '.join(signature.param_types())})"


def operator_view(
    function: Function, rows: Iterable[Registration], tag_bits: Mapping[str, int]
) -> OperatorView:
    signature = dispatcher.signature(function)
    parts = atoms(signature)
    bits = sum(1 << tag_bits[tag] for tag in function.tags if tag in tag_bits)
    return OperatorView(
        struct=names.struct(function),
        name=c_literal(f"{function.namespace}::{function.name.name}"),
        overload=c_literal(function.name.overload),
        schema=c_literal(runtime_schema.text(function).partition("::")[2]),
        tags=Cpp(f"{bits:#x}u"),
        signature=names.signature_name(cpp_type(function)),
        returns=Cpp(str(signature.returns)),
        types=parts.types,
        params=parts.params,
        args=parts.args,
        comma_types=comma(parts.types),
        comma_params=comma(parts.params),
        comma_args=comma(parts.args),
        kernels=tuple(KernelRow(Ident(str(r.key)), names.kernel_symbol(str(r.key), function)) for r in rows),
    )


def ops_header_pages(by_base: Mapping[Ident, Sequence[OperatorView]], include: str) -> Iterator[Page]:
    template = "include/ATen/ops/ops.h.mako"
    for base, operators in by_base.items():
        yield Page(
            f"{include}/ATen/ops/{base}_ops.h", template, OpsHeaderView(Cpp(template), tuple(operators))
        )


def source_pages(by_base: Mapping[Ident, Sequence[OperatorView]]) -> Iterator[Page]:
    """Yields src/operators_N.cpp."""
    template = "src/operators.cpp.mako"
    count = shard_count(sum(map(len, by_base.values())), OPERATORS_PER_FILE)
    for index, part in enumerate(shard(by_base.items(), lambda item: item[0], count)):
        operators = tuple(op for _, ops in part for op in ops)
        view = OperatorsView(
            Cpp(template),
            tuple(base for base, _ in part),
            tuple(Ident(s) for s in sorted({op.signature for op in operators})),
            operators,
        )
        yield Page(f"src/operators_{index}.cpp", template, view)


def signature_pages(functions: Iterable[Function]) -> Iterator[Page]:
    """Yields src/signatures_N.cpp: one constant for each distinct C++ signature."""
    template = "src/signatures.cpp.mako"
    types = sorted({cpp_type(f) for f in functions})
    for index, part in enumerate(shard(types, str, shard_count(len(types), SIGNATURES_PER_FILE))):
        view = SignaturesView(
            Cpp(template), tuple(SignatureView(names.signature_name(t), Cpp(t)) for t in part)
        )
        yield Page(f"src/signatures_{index}.cpp", template, view)


def registry_page(name: str, by_base: Mapping[Ident, Sequence[OperatorView]]) -> Page:
    template = "src/registry.cpp.mako"
    structs = tuple(op.struct for ops in by_base.values() for op in ops)
    return Page(
        "src/registry.cpp", template, RegistryView(Cpp(template), c_literal(name), tuple(by_base), structs)
    )


def tag_names(program: Program) -> list[str]:
    """Returns tag names by number: PyTorch's, which are the same everywhere, then the project's own."""
    return [*BUILT_IN, *(tag for tag in program.tags if tag not in BUILT_IN)]


def views_by_base(
    program: Program, rows: Iterable[Registration], own_tags: bool = True
) -> dict[Ident, list[OperatorView]]:
    """Returns all operators, grouped by header; `rows` are the kernels that are linked into the library
    itself. An extension's own tags have no numbers: the library it extends wouldn't know their names.
    """
    tag_bits = {tag: bit for bit, tag in enumerate(tag_names(program) if own_tags else BUILT_IN)}
    of: dict[str, list[Registration]] = {f.qualified_name: [] for f in program.functions}
    for row in rows:
        of[row.function.qualified_name].append(row)
    found: dict[Ident, list[OperatorView]] = {}
    for function in program.functions:
        view = operator_view(function, of[function.qualified_name], tag_bits)
        found.setdefault(names.base(function), []).append(view)
    return dict(sorted(found.items()))
