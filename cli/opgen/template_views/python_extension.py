"""An extension's Python package: its functions and methods are made at import, of the operators' packets."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from opgen.api import python_names
from opgen.model import Program
from opgen.template_views import python_docs
from opgen.template_views.atoms import Cpp, Ident, Py
from opgen.template_views.page import Page
from opgen.template_views.python_model import Binding, bindings
from opgen.template_views.python_package import PassedOn
from opgen.template_views.python_signatures import function_stubs, has_class, public_name, tuple_stubs
from opgen.template_views.python_stubs import ModuleStubsView


@dataclasses.dataclass(frozen=True, slots=True)
class MemberView:
    """A function or method: where it goes in the package or in `Tensor`, the operator's name, whether
    `input` stands for `self`, the names of several results, and a function with its parameters or None.
    """

    place: Py
    operator: Py
    takes_input: Py
    fields: Py
    signature: Py
    doc: Py


@dataclasses.dataclass(frozen=True, slots=True)
class PackageView:
    """`namespaces` are those of the operators, for the docstring."""

    name: Ident
    extends: Ident
    namespaces: Py
    members: tuple[MemberView, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class EmptyView:
    """A file without contents."""


def package_pages(program: Program, name: str, extends: str) -> Iterator[Page]:
    found = list(_bound(program))
    checks = program.checks.of if program.checks is not None else {}
    docs = program.said
    members = tuple(
        MemberView(
            Py(repr(_place(b))),
            Py(repr(f"{namespace}::{b.name}")),
            Py(repr(_takes_input(b))),
            Py(repr(_fields(b))),
            Py(_signature(b)),
            Py(repr(python_docs.docstring(b, checks, docs))),
        )
        for namespace, b in found
    )
    namespaces = ", ".join(sorted({f"{extends}.ops.{f.namespace}" for f in program.functions}))
    view = PackageView(Ident(name), Ident(extends), Py(namespaces), members)
    yield Page(f"python/{name}/__init__.py", "python/extension/__init__.py.mako", view)
    yield Page(f"python/{name}/py.typed", "python/extension/py.typed.mako", EmptyView())
    functions = [b for _, b in found if not b.is_method]
    for module in sorted({"", *(b.module or "" for b in functions)}):
        mine = [b for b in functions if b.module == module]
        template = "python/package/module.pyi.mako"
        passed = () if module else (PassedOn(Py(extends), Ident("ops")),)
        stubs = ModuleStubsView(
            Cpp(template), Ident(extends), passed, function_stubs(mine, docs), tuple_stubs(mine)
        )
        yield Page(f"python/{name}/{module or '__init__'}.pyi", template, stubs)


def _bound(program: Program) -> Iterator[tuple[str, Binding]]:
    """Yields functions and methods with their namespaces; the first namespace that has a name keeps it."""
    owner = python_names.owners(program)
    for namespace in dict.fromkeys(f.namespace for f in program.functions):
        for binding in bindings(program, namespace):
            if owner.get((binding.module, binding.name)) == namespace:
                yield namespace, binding


def _place(binding: Binding) -> str:
    """Returns `scale_by`, `linalg.scale_by` or `Tensor.scale_by`."""
    if binding.is_method:
        return f"Tensor.{binding.name}"
    return f"{binding.module}.{public_name(binding)}" if binding.module else binding.name


def _takes_input(binding: Binding) -> bool:
    """Whether the parameter `input` is the argument `self`, as in aten's functions."""
    return any(
        o.index("input") is not None and o.function.schema.arguments.self_arg is not None
        for o in binding.overloads
    )


def _signature(binding: Binding) -> str:
    parameters = python_docs.parameters(binding, "self, /")
    return "None" if parameters is None else f"lambda {parameters}: None"


def _fields(binding: Binding) -> tuple[str, ...]:
    """Returns the names of the results, where they are a named tuple."""
    found = (o.function.schema.returns for o in binding.overloads)
    named = next(filter(has_class, found), ())
    return tuple(str(r.name) for r in named)
