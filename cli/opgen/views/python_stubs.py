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
from opgen.views.python_protocols import BINARY, COMPARISONS, INPLACE, UNARY
from opgen.views.python_types import shape, stub_return, stub_type

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
class StubView:
    """One `def`; `overloaded` where a name has several."""

    name: Ident
    params: Py
    returns: Py
    overloaded: bool


@dataclasses.dataclass(frozen=True, slots=True)
class OperatorStubView:
    """`a + b`, `b + a` and, where `inplace`, `a += b`."""

    name: Ident
    inplace: bool


@dataclasses.dataclass(frozen=True, slots=True)
class ModuleStubsView:
    """`handwritten`: a submodule that is written in Python, but for `functions`; `borrowed` are its names
    that come from the package. `modules`: the package's submodules that have no Python file."""

    template: Cpp
    name: Ident
    functions: tuple[StubView, ...]
    methods: tuple[StubView, ...]
    tuples: tuple[TupleView, ...]
    operators: tuple[OperatorStubView, ...]
    unary: tuple[Ident, ...]
    orders: tuple[Ident, ...]
    equalities: tuple[Ident, ...]
    handwritten: bool
    borrowed: tuple[Ident, ...]
    modules: tuple[Ident, ...]


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
_WRITTEN = ("", "nn", "linalg", "fft", "special")  # they have a Python file
# Functions that the package's Python files have: they stand in for generated ones.
_IN_PYTHON = {
    "": {"is_complex", "is_floating_point", "is_nonzero", "is_tensor", "nonzero", "numel"},
    "nn": {"dropout", "embedding", "layer_norm", "log_softmax", "relu", "softmax"},
}
# Names of the package that a submodule has, too, as its Python file says.
_BORROWED = {
    "linalg": ("LinAlgError",),
    "nn": (
        *("relu_", "tanh", "sigmoid", "celu_", "selu_", "threshold_", "logsigmoid"),
        *("conv1d", "conv2d", "conv3d", "conv_tbc"),
        *("conv_transpose1d", "conv_transpose2d", "conv_transpose3d"),
    ),
}


def stub_pages(found: Sequence[Binding], name: str) -> list[Page]:
    modules = sorted({b.module for b in found if b.module is not None} | {""})
    methods = [b for b in found if b.is_method]
    top = {"LinAlgError", *(b.name for b in found if b.module == "")}
    pages = []
    for m in modules:
        own = [b for b in found if b.module == m and b.name not in _IN_PYTHON.get(m, ())]
        borrowed = [n for n in _BORROWED.get(m, ()) if n in top]
        made = [m for m in modules if m not in _WRITTEN] if m == "" else []
        pages.append(_page(m, own, methods if m == "" else [], name, borrowed, made))
    return pages


def _page(
    module: str,
    functions: Sequence[Binding],
    methods: Sequence[Binding],
    name: str,
    borrowed: Sequence[str],
    submodules: Sequence[str],
) -> Page:
    template = "python/package/__init__.pyi.mako" if module == "" else "python/package/module.pyi.mako"
    has = {b.name for b in methods}
    inplace = {slot.replace("nb_inplace_", "nb_") for slot, method in _INPLACE.items() if method in has}
    compared = [method for method in COMPARISONS.values() if method in has]
    view = ModuleStubsView(
        template=Cpp(template),
        name=Ident(name),
        functions=tuple(s for b in functions for s in _stubs(b, f"{module}_" if module else "")),
        methods=tuple(s for b in methods for s in _stubs(b)),
        tuples=_tuples([*functions, *methods]),
        operators=tuple(
            OperatorStubView(Ident(_DUNDERS[slot]), slot in inplace)
            for slot, method in _OPERATORS.items()
            if method in has
        ),
        unary=tuple(Ident(_DUNDERS[slot]) for slot, method in UNARY.items() if method in has),
        orders=tuple(Ident(m) for m in compared if m not in _EQUALITIES),
        equalities=tuple(Ident(m) for m in compared if m in _EQUALITIES),
        handwritten=module == "nn",
        borrowed=tuple(map(Ident, borrowed)),
        modules=tuple(map(Ident, submodules)),
    )
    return Page(f"python/{name}/{_FILES.get(module, f'{module}.pyi')}", template, view)


@dataclasses.dataclass(frozen=True, slots=True)
class _Part:
    """One parameter of a stub; the bare `*` has no type."""

    name: str
    type: str = ""
    default: str | None = None

    def __str__(self) -> str:
        kind = f": {self.type}" if self.type else ""
        return self.name + kind + (f" = {self.default}" if self.default is not None else "")

    def takes(self, other: _Part) -> bool:
        types = set(self.type.split(" | "))
        optional = self.default is not None or other.default is None
        return self.name == other.name and optional and types >= set(other.type.split(" | "))


def _stubs(binding: Binding, prefix: str = "") -> list[StubView]:
    """One for each overload that takes what none before it takes."""
    if keyword.iskeyword(binding.name):
        return []
    rows: list[tuple[list[_Part], str]] = []
    for o in binding.overloads:
        returns = _returns(binding.name, o)
        forms = _forms(o, binding.is_method)
        rows += [(f, returns) for f in forms if not any(_covers(r, f) for r, _ in rows)]
    name = Ident(binding.name.removeprefix(prefix))
    return [StubView(name, Py(", ".join(map(str, parts))), Py(r), len(rows) > 1) for parts, r in rows]


def _covers(earlier: Sequence[_Part], later: Sequence[_Part]) -> bool:
    """Whether every call of `later` is one of `earlier`."""
    if len(earlier) < len(later) or any(p.default is None and p.type for p in earlier[len(later) :]):
        return False
    return all(a.takes(b) for a, b in zip(earlier, later, strict=False))


def _forms(overload: Overload, method: bool) -> list[list[_Part]]:
    """The parameter list, and with one list parameter also its `*size` form."""
    parameters = overload.parameters
    first = [_Part("self")] if method else []
    found = [first + _parameter_list(parameters)]
    positional = [p for p in parameters if not p.keyword_only]
    if (
        len(positional) == 1
        and shape(positional[0].type).list
        and shape(positional[0].type).base in (Base.int, Base.SymInt)
    ):
        rest = _parameter_list([p for p in parameters if p.keyword_only])
        found.append([*first, _Part(f"*{_name(positional[0])}", "_int"), *[r for r in rest if r.name != "*"]])
    return found


def _name(p: Parameter) -> str:
    return p.name + "_" if keyword.iskeyword(p.name) else p.name


def _parameter_list(parameters: Sequence[Parameter]) -> list[_Part]:
    parts: list[_Part] = []
    for p in parameters:
        if p.keyword_only and not any(part.name == "*" for part in parts):
            parts.append(_Part("*"))
        parts.append(_Part(_name(p), _kind(p), None if p.default is None else python_default(p)))
    return parts


def _kind(p: Parameter) -> str:
    if p.outputs:
        return "Sequence[Tensor] | None" if p.outputs > 1 else "Tensor | None"
    kind = stub_type(p.type)
    if p.takes_number:
        kind = kind.replace("Tensor", "Tensor | _Number", 1)
    if p.default in ("None", "long") and "None" not in kind:
        kind += " | None"
    return kind


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
