"""Type stubs: __init__.pyi with the functions and the Tensor class, and one stub for each submodule."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from opgen.model.docs import Doc
from opgen.template_views.atoms import Cpp, Ident, Py
from opgen.template_views.page import Page
from opgen.template_views.python_model import Binding
from opgen.template_views.python_package import PassedOn, also_here, is_written, methods_here, passed_on
from opgen.template_views.python_protocols import BINARY, COMPARISONS, INPLACE, UNARY
from opgen.template_views.python_signatures import (
    StubView,
    TupleView,
    function_stubs,
    public_name,
    tuple_stubs,
)
from opgen.template_views.source import Source

# Python's names of the operators' slots.
_DUNDERS = {
    "nb_add": "add", "nb_subtract": "sub", "nb_multiply": "mul", "nb_matrix_multiply": "matmul",
    "nb_true_divide": "truediv", "nb_floor_divide": "floordiv", "nb_remainder": "mod", "nb_and": "and",
    "nb_or": "or", "nb_xor": "xor", "nb_lshift": "lshift", "nb_rshift": "rshift", "nb_power": "pow",
    "nb_negative": "neg", "nb_absolute": "abs", "nb_invert": "invert",
}  # fmt: skip
_OPERATORS = {**BINARY, "nb_power": "pow"}
_INPLACE = {**INPLACE, "nb_inplace_power": "pow_"}
_EQUALITIES = ("eq", "ne")


@dataclasses.dataclass(frozen=True, slots=True)
class OperatorStubView:
    """`a + b`, `b + a` and, where `inplace`, `a += b`."""

    name: Ident
    inplace: bool


@dataclasses.dataclass(frozen=True, slots=True)
class ModuleStubsView:
    """A submodule's stubs; `passed_on` are imported names of the package's Python files."""

    template: Cpp
    name: Ident
    passed_on: tuple[PassedOn, ...]
    functions: tuple[StubView, ...]
    tuples: tuple[TupleView, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class PackageStubsView(ModuleStubsView):
    """The package with the class Tensor; `modules` are its submodules that have no Python file."""

    modules: tuple[Ident, ...]
    methods: tuple[StubView, ...]
    operators: tuple[OperatorStubView, ...]
    unary: tuple[Ident, ...]
    orders: tuple[Ident, ...]
    equalities: tuple[Ident, ...]


# Where stubs of a python_module go; others go to <module>.pyi.
_FILES = {"": "__init__.pyi", "nn": "nn/functional.pyi"}
# Prefixes of compiled names that are not exported; Tensor's operators have stubs of their own.
_HIDDEN = "__"
_HIDDEN_IN = {"nn": "_"}

_Stubs = Callable[[Iterable[Binding]], tuple[StubView, ...]]


def stub_pages(
    found: Sequence[Binding], sources: Iterable[Source], name: str, docs: Mapping[str, Doc]
) -> list[Page]:
    """Returns all stubs. Functions of the package's Python files replace compiled ones. `docs` is by operator
    names.
    """
    stubs = partial(function_stubs, docs=docs)
    modules = sorted({b.module for b in found if b.module is not None} | _FILES.keys())
    by_hand = methods_here(sources)
    methods = [b for b in found if b.is_method and not b.name.startswith(_HIDDEN) and b.name not in by_hand]
    top = {b.name for b in found if b.module == ""}
    pages = []
    for module in modules:
        passed = passed_on(sources, module)
        functions = _compiled(found, module, {p.name for p in passed})
        passed += [PassedOn(Py(name), Ident(n)) for n in also_here(sources, module) if n in top]
        if module:
            pages.append(_module_page(module, functions, passed, name, stubs))
        else:
            unwritten = [m for m in modules if not is_written(m)]
            pages.append(_package_page(functions, methods, passed, unwritten, name, stubs))
    return pages


def _compiled(found: Iterable[Binding], module: str, replaced: set[str]) -> list[Binding]:
    hidden = _HIDDEN_IN.get(module, _HIDDEN)
    return [
        b
        for b in found
        if b.module == module and not b.name.startswith(hidden) and public_name(b) not in replaced
    ]


def _module_page(
    module: str, functions: Sequence[Binding], passed: Sequence[PassedOn], name: str, stubs: _Stubs
) -> Page:
    template = "python/package/module.pyi.mako"
    view = ModuleStubsView(
        Cpp(template), Ident(name), tuple(passed), stubs(functions), tuple_stubs(functions)
    )
    return Page(f"python/{name}/{_FILES.get(module, f'{module}.pyi')}", template, view)


def _package_page(
    functions: Sequence[Binding],
    methods: Sequence[Binding],
    passed: Sequence[PassedOn],
    modules: Sequence[str],
    name: str,
    stubs: _Stubs,
) -> Page:
    template = "python/package/__init__.pyi.mako"
    has = {b.name for b in methods}
    inplace = {slot.replace("nb_inplace_", "nb_") for slot, method in _INPLACE.items() if method in has}
    compared = [method for method in COMPARISONS.values() if method in has]
    view = PackageStubsView(
        template=Cpp(template),
        name=Ident(name),
        passed_on=tuple(passed),
        functions=stubs(functions),
        tuples=tuple_stubs([*functions, *methods]),
        modules=tuple(map(Ident, modules)),
        methods=stubs(methods),
        operators=tuple(
            OperatorStubView(Ident(_DUNDERS[slot]), slot in inplace)
            for slot, method in _OPERATORS.items()
            if method in has
        ),
        unary=tuple(Ident(_DUNDERS[slot]) for slot, method in UNARY.items() if method in has),
        orders=tuple(Ident(m) for m in compared if m not in _EQUALITIES),
        equalities=tuple(Ident(m) for m in compared if m in _EQUALITIES),
    )
    return Page(f"python/{name}/__init__.pyi", template, view)
