"""Template views of the headers for kernel authors: ATen/ops/*_native.h and *_meta.h."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator

from opgen.api import native, structured
from opgen.model.function import Function, Group
from opgen.template_views import names
from opgen.template_views.atoms import Cpp, Ident
from opgen.template_views.atoms_of import atoms, join
from opgen.template_views.kernels import Registration
from opgen.template_views.page import Page
from opgen.template_views.ufunc_meta import Promotion, Promotions


@dataclasses.dataclass(frozen=True, slots=True)
class StructuredView:
    name: Ident
    meta: Ident
    params: Cpp


@dataclasses.dataclass(frozen=True, slots=True)
class NamespaceView:
    """Kernels of one namespace: `declarations` of plain functions, `structured` implementations."""

    name: Ident
    declarations: tuple[Cpp, ...]
    structured: tuple[StructuredView, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class NativeHeaderView:
    template: Cpp
    base: Ident
    has_meta: bool
    namespaces: tuple[NamespaceView, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class PrecomputeStep:
    """One value that the meta function sets: setting it flips `flag` in the type, so that none can be
    forgotten.
    """

    name: Ident
    type: Cpp
    flag: Ident
    next_type: Cpp
    carried: tuple[Ident, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class Precompute:
    flags: Cpp
    all_true: Cpp
    steps: tuple[PrecomputeStep, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class MetaView:
    name: Ident
    parent: Ident
    params: Cpp
    precompute: Precompute | None
    promotion: Promotion | None


@dataclasses.dataclass(frozen=True, slots=True)
class MetaHeaderView:
    template: Cpp
    metas: tuple[MetaView, ...]


def native_header_pages(
    functions: Iterable[Function], rows: Iterable[Registration], include: str
) -> Iterator[Page]:
    """Yields a header for each base name, even without a kernel here: the umbrella header includes all."""
    template = "include/ATen/ops/native.h.mako"
    by_base: dict[Ident, list[Registration]] = {names.base(f): [] for f in functions}
    for row in rows:
        by_base.setdefault(names.base(row.function), []).append(row)
    for base, of_base in sorted(by_base.items()):
        has_meta = any(row.group is not None for row in of_base)
        view = NativeHeaderView(Cpp(template), base, has_meta, tuple(_namespaces(of_base)))
        yield Page(f"{include}/ATen/ops/{base}_native.h", template, view)


def _namespaces(rows: Iterable[Registration]) -> Iterator[NamespaceView]:
    declarations: dict[str, dict[str, Cpp]] = {}
    impls: dict[str, dict[str, StructuredView]] = {}
    for row in rows:
        if row.kernel is None:
            continue
        namespace, name = row.kernel.namespace, row.kernel.name
        if row.group is None:
            signature = native.signature(row.function, row.kernel)
            bare = ", ".join(signature.param_types())
            declarations.setdefault(namespace, {}).setdefault(
                f"{name}({bare})", Cpp(f"TORCH_API {signature.decl()}")
            )
        else:
            own, meta = Ident(structured.impl_name(row.kernel)), Ident(structured.meta_name(row.group))
            impl = StructuredView(own, meta, atoms(structured.impl_signature(row.group)).params)
            impls.setdefault(namespace, {}).setdefault(name, impl)
    for namespace in sorted({*declarations, *impls}):
        yield NamespaceView(
            Ident(namespace),
            tuple(declarations.get(namespace, {}).values()),
            tuple(impls.get(namespace, {}).values()),
        )


def meta_header_pages(groups: Iterable[Group], promotions: Promotions, include: str) -> Iterator[Page]:
    """Yields the headers; of groups with the same name, only the first is declared."""
    template = "include/ATen/ops/meta.h.mako"
    by_base: dict[Ident, dict[str, Group]] = {}
    for group in groups:
        if group.structured:
            by_base.setdefault(names.base(group.out), {}).setdefault(structured.meta_name(group), group)
    for base, of_base in sorted(by_base.items()):
        view = MetaHeaderView(Cpp(template), tuple(_meta(g, promotions) for g in of_base.values()))
        yield Page(f"{include}/ATen/ops/{base}_meta.h", template, view)


def _meta(group: Group, promotions: Promotions) -> MetaView:
    parent = group.out.structured_inherits
    return MetaView(
        name=Ident(structured.meta_name(group)),
        parent=Ident(f"at::{parent}" if parent else "at::impl::MetaBase"),
        params=atoms(structured.meta_signature(group)).params,
        precompute=_precompute(group),
        promotion=promotions.of(group),
    )


def _precompute(group: Group) -> Precompute | None:
    if group.out.precomputed is None:
        return None
    elements = structured.precomputed_params(group)
    flags = [p.name.upper() for p in elements]
    steps = []
    for i, p in enumerate(elements):
        after = ", ".join("true" if j == i else flag for j, flag in enumerate(flags))
        carried = tuple(Ident(other.name) for other in elements if other.name != p.name)
        steps.append(
            PrecomputeStep(
                Ident(p.name), Cpp(str(p.ctype)), Ident(flags[i]), Cpp(f"precompute_out<{after}>"), carried
            )
        )
    return Precompute(
        flags=join(f"bool {flag} = false" for flag in flags),
        all_true=join("true" for _ in flags),
        steps=tuple(steps),
    )
