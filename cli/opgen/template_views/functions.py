"""Template views of the C++ API: at::f in ATen/ops/*.h, umbrella headers, and the methods of at::Tensor."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence

from opgen.api import convert, cpp, ctype, dispatcher
from opgen.api.signature import Signature
from opgen.model.docs import Doc
from opgen.model.function import Function, Variant
from opgen.template_views import names
from opgen.template_views.atoms import Cpp, Ident, comment_line
from opgen.template_views.atoms_of import join
from opgen.template_views.page import Page


@dataclasses.dataclass(frozen=True, slots=True)
class FunctionView:
    """One inline function or method; the symint form exists where the signature has SymInts."""

    schema_comment: Cpp
    struct: Ident
    returns: Cpp
    name: Ident
    params: Cpp
    params_nodefault: Cpp
    exprs: Cpp
    makes: bool  # a new tensor of `options`, which may say that it requires grad


@dataclasses.dataclass(frozen=True, slots=True)
class FunctionHeaderView:
    template: Cpp
    base: Ident
    namespace: Cpp | Ident
    about: tuple[Cpp, ...]  # lines of a comment
    functions: tuple[FunctionView, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class UmbrellaView:
    template: Cpp
    includes: tuple[Ident, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class TensorView:
    template: Cpp
    includes: tuple[Ident, ...]
    methods: tuple[FunctionView, ...]


def _views(
    function: Function, signatures: Iterable[Signature | None], method: bool
) -> Iterator[FunctionView]:
    target = dispatcher.signature(function)
    schema, struct = Cpp(str(function.schema)), names.struct(function)
    returns = function.schema.returns
    makes = target.returns == ctype.TENSOR and all(r.alias is None for r in returns)
    for signature in signatures:
        if signature is None:
            continue
        exprs = convert.exprs(signature.params, target.params, method=method)
        yield FunctionView(
            schema_comment=schema,
            struct=struct,
            returns=Cpp(signature.returns.text),
            name=Ident(signature.name),
            params=join([p.decl() for p in signature.params]),
            params_nodefault=join([p.defn() for p in signature.params]),
            exprs=join(exprs),
            makes=makes and any(p.ctype == ctype.TENSOR_OPTIONS for p in signature.params),
        )


def function_views(function: Function) -> Iterator[FunctionView]:
    if Variant.function in function.variants:
        yield from _views(function, cpp.functions(function), method=False)


def method_views(function: Function) -> Iterator[FunctionView]:
    if Variant.method in function.variants:
        yield from _views(function, cpp.methods(function), method=True)


def function_header_pages(
    functions: Iterable[Function], include: str, docs: Mapping[str, Doc]
) -> Iterator[Page]:
    """Returns the headers of functions; `docs` is by operator names."""
    template = "include/ATen/ops/function.h.mako"
    by_base: dict[Ident, list[FunctionView]] = {}
    namespaces: dict[Ident, Cpp | Ident] = {}
    about: dict[Ident, tuple[Cpp, ...]] = {}
    for function in functions:
        base = names.base(function)
        namespaces[base] = (
            Cpp("at::inline C10_ABI") if function.namespace == "aten" else Ident(function.namespace)
        )
        by_base.setdefault(base, []).extend(function_views(function))
        if base not in about and (said := docs.get(function.qualified_name)) is not None:
            about[base] = _about(said, [r.name for r in function.schema.returns])
    for base, views in sorted(by_base.items()):
        view = FunctionHeaderView(Cpp(template), base, namespaces[base], about.get(base, ()), tuple(views))
        yield Page(f"{include}/ATen/ops/{base}.h", template, view)


def _about(said: Doc, results: Sequence[str | None]) -> tuple[Cpp, ...]:
    """Returns what is said in short: nothing about errors and no example, which are Python's."""
    if not said.has_details:
        return ()
    arguments = [dataclasses.replace(a, name="self") if a.name == "input" else a for a in said.arguments]
    short = dataclasses.replace(said, arguments=tuple(arguments), errors=(), example=None)
    return tuple(map(comment_line, [*short.lines(), *short.sections(results)]))


def umbrella_pages(functions: Iterable[Function], include: str) -> Iterator[Page]:
    functions = list(functions)
    bases = tuple(Ident(b) for b in sorted({names.base(f) for f in functions}))
    for header in ("Functions.h", "NativeFunctions.h", "Operators.h"):
        template = f"include/ATen/{header}.mako"
        yield Page(f"{include}/ATen/{header}", template, UmbrellaView(Cpp(template), bases))
    for header in ("ATen.h", "Tensor.h", "core/Tensor.h", "ops/from_blob.h"):
        template = f"include/ATen/{header}.mako"
        yield Page(f"{include}/ATen/{header}", template, UmbrellaView(Cpp(template), ()))


def tensor_page(functions: Iterable[Function], include: str) -> Page:
    template = "include/ATen/core/TensorBody.h.mako"
    with_methods = [f for f in functions if Variant.method in f.variants]
    bases = tuple(Ident(b) for b in sorted({names.base(f) for f in with_methods}))
    methods = tuple(view for f in with_methods for view in method_views(f))
    return Page(f"{include}/ATen/core/TensorBody.h", template, TensorView(Cpp(template), bases, methods))
