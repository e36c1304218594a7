"""Type stubs: __init__.pyi with the functions and the Tensor class, and one stub for each submodule."""

from __future__ import annotations

import dataclasses
import keyword
from collections.abc import Iterable, Sequence

from opgen.model.types import Base
from opgen.views.atoms import Cpp, Ident, Py
from opgen.views.page import Page
from opgen.views.python_docs import python_default
from opgen.views.python_model import Binding, Overload, Parameter
from opgen.views.python_protocols import BINARY, COMPARISONS
from opgen.views.python_types import shape, stub_return, stub_type

# Python's names of the operators' slots.
_DUNDERS = {
    "nb_add": "add", "nb_subtract": "sub", "nb_multiply": "mul", "nb_matrix_multiply": "matmul",
    "nb_true_divide": "truediv", "nb_floor_divide": "floordiv", "nb_remainder": "mod", "nb_and": "and",
    "nb_or": "or", "nb_xor": "xor", "nb_lshift": "lshift", "nb_rshift": "rshift",
}  # fmt: skip


@dataclasses.dataclass(frozen=True, slots=True)
class StubView:
    """One `def`; `overloaded` where a name has several."""

    name: Ident
    params: Py
    returns: Py
    overloaded: bool


@dataclasses.dataclass(frozen=True, slots=True)
class ModuleStubsView:
    template: Cpp
    name: Ident
    functions: tuple[StubView, ...]
    methods: tuple[StubView, ...]
    tuples: tuple[TupleView, ...]
    operators: tuple[Ident, ...]
    comparisons: tuple[Ident, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class FieldView:
    name: Ident
    type: Py


@dataclasses.dataclass(frozen=True, slots=True)
class TupleView:
    """A named tuple that an operator returns."""

    name: Ident
    fields: tuple[FieldView, ...]


# Where stubs of a python_module go; others go to <module>.pyi.
_FILES = {"": "__init__.pyi", "nn": "nn/functional.pyi"}


def stub_pages(found: Sequence[Binding], name: str) -> list[Page]:
    modules = sorted({b.module for b in found if b.module is not None} | {""})
    methods = [b for b in found if b.is_method]
    return [_page(m, [b for b in found if b.module == m], methods if m == "" else [], name) for m in modules]


def _page(module: str, functions: Sequence[Binding], methods: Sequence[Binding], name: str) -> Page:
    template = "python/package/__init__.pyi.mako" if module == "" else "python/package/module.pyi.mako"
    view = ModuleStubsView(
        template=Cpp(template),
        name=Ident(name),
        functions=tuple(s for b in functions for s in _stubs(b)),
        methods=tuple(s for b in methods for s in _stubs(b)),
        tuples=_tuples([*functions, *methods]),
        operators=tuple(Ident(_DUNDERS[slot]) for slot, method in BINARY.items() if _has(methods, method)),
        comparisons=tuple(Ident(m) for m in COMPARISONS.values() if _has(methods, m)),
    )
    return Page(f"python/{name}/{_FILES.get(module, f'{module}.pyi')}", template, view)


def _has(methods: Iterable[Binding], name: str) -> bool:
    return any(b.name == name for b in methods)


def _stubs(binding: Binding) -> list[StubView]:
    if keyword.iskeyword(binding.name):
        return []
    texts = []
    for o in binding.overloads:
        for params in _forms(o, binding.is_method):
            row = (params, _returns(binding.name, o))
            if row not in texts:
                texts.append(row)
    return [StubView(Ident(binding.name), Py(p), Py(r), len(texts) > 1) for p, r in texts]


def _forms(overload: Overload, method: bool) -> list[str]:
    """The parameter list, and with one list parameter also its `*size` form."""
    parameters = overload.parameters
    first = ["self"] if method else []
    found = [", ".join(first + _parameter_list(parameters))]
    positional = [p for p in parameters if not p.keyword_only]
    if (
        len(positional) == 1
        and shape(positional[0].type).list
        and shape(positional[0].type).base in (Base.int, Base.SymInt)
    ):
        rest = _parameter_list([p for p in parameters if p.keyword_only])
        found.append(", ".join([*first, f"*{_name(positional[0])}: _int", *[r for r in rest if r != "*"]]))
    return found


def _name(p: Parameter) -> str:
    return p.name + "_" if keyword.iskeyword(p.name) else p.name


def _parameter_list(parameters: Sequence[Parameter]) -> list[str]:
    parts: list[str] = []
    for p in parameters:
        if p.keyword_only and "*" not in parts:
            parts.append("*")
        if p.outputs > 1:
            kind = "Sequence[Tensor] | None"
        elif p.outputs:
            kind = "Tensor | None"
        else:
            kind = stub_type(p.type)
            if p.takes_number:
                kind = kind.replace("Tensor", "Tensor | _Number", 1)
            if p.default in ("None", "long") and "None" not in kind:
                kind += " | None"
        default = "" if p.default is None else f" = {python_default(p)}"
        parts.append(f"{_name(p)}: {kind}{default}")
    return parts


def _returns(name: str, overload: Overload) -> str:
    returns = overload.function.schema.returns
    if not returns:
        return "None"
    if len(returns) == 1:
        return stub_return(returns[0].type)
    if all(r.name for r in returns):
        return f"_{name}_result"
    return f"tuple[{', '.join(stub_return(r.type) for r in returns)}]"


def _tuples(found: Iterable[Binding]) -> tuple[TupleView, ...]:
    tuples: dict[str, TupleView] = {}
    for binding in found:
        for o in binding.overloads:
            returns = o.function.schema.returns
            if len(returns) > 1 and all(r.name for r in returns):
                fields = tuple(FieldView(Ident(r.name or ""), Py(stub_return(r.type))) for r in returns)
                tuples[binding.name] = TupleView(Ident(f"_{binding.name}_result"), fields)
    return tuple(tuples.values())
