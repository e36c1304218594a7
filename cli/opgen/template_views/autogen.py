"""Template views of the kernels that autogen generates (src/autogen_*.cpp).

An out= variant calls the functional form and copies the results; a functional variant clones what the
in-place or mutable form would write to, calls that form and returns the clones; the copy of a view calls the
view and clones it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from opgen.api import convert, dispatcher, native
from opgen.model.function import Function, Kernel
from opgen.model.program import Program
from opgen.model.schema import Kind
from opgen.template_views import names
from opgen.template_views.atoms import Cpp, Ident
from opgen.template_views.atoms_of import join
from opgen.template_views.page import Page
from opgen.template_views.shards import shard, shard_count

KERNELS_PER_FILE = 100
VIEW_COPY, NON_FUNCTIONAL = "view_copy", "CompositeExplicitAutogradNonFunctional"


@dataclasses.dataclass(frozen=True, slots=True)
class Copy:
    source: Cpp
    out: Ident


@dataclasses.dataclass(frozen=True, slots=True)
class Clone:
    name: Ident
    source: Ident


@dataclasses.dataclass(frozen=True, slots=True)
class AutogenView:
    decl: Cpp
    kind: str
    base: Ident
    exprs: Cpp
    copies: tuple[Copy, ...]
    clones: tuple[Clone, ...]
    keep: Cpp
    result: Cpp


@dataclasses.dataclass(frozen=True, slots=True)
class AutogenFileView:
    """One generated file; `includes` are headers of its kernels, `called` those of the operators that they
    call.
    """

    template: Cpp
    includes: tuple[Ident, ...]
    called: tuple[Ident, ...]
    kernels: tuple[AutogenView, ...]


def autogen_pages(program: Program) -> Iterator[Page]:
    template = "src/autogen.cpp.mako"
    generated = [f for f in program.functions if made_kernel(f, program) is not None]
    parts = shard(generated, names.base, shard_count(len(generated), KERNELS_PER_FILE))
    for index, part in enumerate(parts):
        if part:
            made = {names.base(f) for f in part}
            called = {names.base(v) for f in part if (v := view_of(f, program)) is not None} - made
            kernels = tuple(autogen_view(f, program) for f in part)
            view = AutogenFileView(Cpp(template), tuple(sorted(made)), tuple(sorted(called)), kernels)
            yield Page(f"src/autogen_{index}.cpp", template, view)


def made_kernel(function: Function, program: Program) -> Kernel | None:
    """Returns the kernel of the function that is generated here; the kernels of its other keys are
    hand-written.
    """
    if function.is_generated:
        return next(iter((function.dispatch or {}).values()), None)
    return function.kernel(NON_FUNCTIONAL) if view_of(function, program) is not None else None


def view_of(function: Function, program: Program) -> Function | None:
    """Returns the view that a declared `NAME_copy` copies, if its kernel's name says that it is generated."""
    kernel = function.kernel(NON_FUNCTIONAL)
    if kernel is None or VIEW_COPY not in function.tags or function.kind is Kind.out:
        return None
    name, dot, overload = function.qualified_name.partition(".")
    generated = {str(function.name.name), function.name.unambiguous()}
    if not name.endswith("_copy") or kernel.name.removesuffix("_symint") not in generated:
        return None
    view = program.by_name.get(name.removesuffix("_copy") + dot + overload)
    return view if view is not function else None


def autogen_view(function: Function, program: Program) -> AutogenView:
    kernel = made_kernel(function, program)
    assert kernel is not None, f"{function.name} has no kernel to make"
    signature = native.signature(function, kernel)
    decl = Cpp(signature.defn())
    view = view_of(function, program)
    if view is not None:
        exprs = join(convert.exprs(signature.params, dispatcher.signature(view).params))
        return AutogenView(decl, "view_copy", names.struct(view), exprs, (), (), Cpp(""), Cpp(""))
    group = program.group_of[function.qualified_name]
    if function.kind is Kind.out:
        return _out(function, group.functional, decl)
    mutating = group.inplace or group.mutable
    assert mutating is not None, f"{function.name} is generated, but nothing to generate it from"
    return _functional(function, mutating, decl)


def _out(function: Function, functional: Function, decl: Cpp) -> AutogenView:
    outs = [a.name for a in function.schema.arguments.out]
    single = len(functional.schema.returns) == 1
    sources = ["_result"] if single else [f"std::get<{i}>(_result)" for i in range(len(outs))]
    returns = str(dispatcher.signature(function).returns)
    result = (
        "" if returns == "void" else f" {outs[0]}" if len(outs) == 1 else f" {returns}({', '.join(outs)})"
    )
    return AutogenView(
        decl=decl,
        kind="out",
        base=names.struct(functional),
        exprs=join(_from_out(functional, function)),
        copies=tuple(Copy(Cpp(s), Ident(o)) for s, o in zip(sources, outs, strict=True)),
        clones=(),
        keep=Cpp(""),
        result=Cpp(result),
    )


def _from_out(functional: Function, function: Function) -> Iterator[str]:
    """Yields arguments of the functional form; TensorOptions, which out= lacks, are the first output's."""
    given = {p.name for p in dispatcher.signature(function).params}
    out = function.schema.arguments.out[0].name
    options = {
        "dtype": f"{out}.scalar_type()",
        "layout": f"{out}.layout()",
        "device": f"{out}.device()",
        "pin_memory": "::std::nullopt",
    }
    for param in dispatcher.signature(functional).params:
        yield param.name if param.name in given else options[param.name]


def _functional(function: Function, mutating: Function, decl: Cpp) -> AutogenView:
    written = {a.name for a in mutating.schema.written_arguments()}
    clones = tuple(Clone(Ident(f"_clone_{name}"), Ident(name)) for name in sorted(written))
    args = [
        f"_clone_{p.name}" if p.name in written else p.name for p in dispatcher.signature(mutating).params
    ]
    fresh = [r for r in mutating.schema.returns if not r.is_write]
    kept = [f"_clone_{a.name}" for a in mutating.schema.written_arguments()]
    if not fresh and len(kept) == 1:
        result = kept[0]
    else:
        parts = ["_result"] if len(fresh) == 1 else [f"std::get<{i}>(_result)" for i in range(len(fresh))]
        result = f"{dispatcher.signature(function).returns}({', '.join([*parts, *kept])})"
    return AutogenView(
        decl=decl,
        kind="functional",
        base=names.struct(mutating),
        exprs=join(args),
        copies=(),
        clones=clones,
        keep=Cpp("auto _result = " if fresh else ""),
        result=Cpp(result),
    )
