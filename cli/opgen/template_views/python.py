"""Template views of the Python bindings: sharded functions and methods, the index with the slots of Python's
operators, stubs."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from opgen.api import python_names
from opgen.model.program import Program
from opgen.template_views import names, python_docs
from opgen.template_views.atoms import Cpp, Ident, c_literal
from opgen.template_views.declarations import declarations_page
from opgen.template_views.operators import tag_names
from opgen.template_views.page import Page
from opgen.template_views.python_calls import CallView, call
from opgen.template_views.python_model import Binding, Overload, Parameter, bindings, numbers_as_tensors_ops
from opgen.template_views.python_protocols import IndexView, index_view
from opgen.template_views.python_stubs import stub_pages
from opgen.template_views.python_types import param_type, shape
from opgen.template_views.shards import shard, shard_count
from opgen.template_views.source import Source

FUNCTIONS_PER_FILE = 120


@dataclasses.dataclass(frozen=True, slots=True)
class ParamView:
    name: Cpp
    type: Ident
    flags: Cpp
    size: int


@dataclasses.dataclass(frozen=True, slots=True)
class OverloadView:
    """`fields` are the names of a named tuple; `check_out` the indices of dtype, layout and device beside
    `out`."""

    symbol: Ident
    index: int
    text: Cpp
    params: tuple[ParamView, ...]
    num_positional: int
    num_required: int
    fields: tuple[Cpp, ...]
    base: CallView | None
    out: CallView | None
    out_index: int | None
    num_outputs: int
    check_out: Cpp | None
    requires_grad: Cpp | None

    @property
    def num_params(self) -> int:
        return len(self.params)

    @property
    def num_fields(self) -> int:
        return len(self.fields)


@dataclasses.dataclass(frozen=True, slots=True)
class FunctionView:
    """One function. `module` is a literal, or nullptr for a method; users find it in `public_module`.
    `prefix` is what follows the package's name in messages.
    """

    symbol: Ident
    name: Cpp
    prefix: Cpp
    module: Cpp
    public_module: Cpp
    doc: Cpp
    overloads: tuple[OverloadView, ...]

    @property
    def num_overloads(self) -> int:
        return len(self.overloads)

    @property
    def max_params(self) -> int:
        return max([1, *(o.num_params for o in self.overloads)])


@dataclasses.dataclass(frozen=True, slots=True)
class FunctionsView:
    template: Cpp
    number: int
    includes: tuple[Ident, ...]
    functions: tuple[FunctionView, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class BuildView:
    template: Cpp
    name: Ident


def build_python_pages(program: Program, sources: Iterable[Source] = (), name: str = "aten") -> list[Page]:
    """Returns all pages of the Python side of the library `name`; `sources` has the package's own Python
    files.
    """
    found = bindings(program)
    count = shard_count(len(found), FUNCTIONS_PER_FILE)
    checks = program.checks.of if program.checks is not None else {}
    docs = program.said
    describe = partial(python_docs.docstring, checks=checks, docs=docs)
    pages = [
        _shard_page(number, rows, describe) for number, rows in enumerate(shard(found, _sort_name, count))
    ]
    pages.append(_index_page(found, count, program))
    pages += stub_pages(found, sources, name, docs)
    pages.append(declarations_page(program, name))
    template = "python/CMakeLists.txt.mako"
    pages.append(Page("python/CMakeLists.txt", template, BuildView(Cpp(template), Ident(name))))
    return pages


def _sort_name(binding: Binding) -> str:
    return binding.name


def _shard_page(number: int, rows: Iterable[Binding], describe: Callable[[Binding], str]) -> Page:
    template = "python/bindings/functions.cpp.mako"
    rows = list(rows)
    functions = [f for b in rows for o in b.overloads for f in (o.base, o.out) if f is not None]
    includes = tuple(Ident(i) for i in sorted({names.base(f) for f in functions}))
    view = FunctionsView(Cpp(template), number, includes, tuple(_function_view(b, describe(b)) for b in rows))
    return Page(f"python/bindings/functions_{number}.cpp", template, view)


def _index_page(found: Sequence[Binding], count: int, program: Program) -> Page:
    template = "python/bindings/index.cpp.mako"
    numbers = numbers_as_tensors_ops(program)
    view: IndexView = index_view(Cpp(template), found, count, symbol, numbers, tag_names(program))
    return Page("python/bindings/index.cpp", template, view)


def symbol(binding: Binding) -> Ident:
    """Returns at::python::<this>, the C++ function behind a Python one."""
    if binding.is_method:
        return Ident(f"method_{binding.name}")
    module = (binding.module or "").replace(".", "_")
    return Ident(f"function_{module + '_' if module else ''}{binding.name}")


def _function_view(binding: Binding, doc: str) -> FunctionView:
    name = symbol(binding)
    module = Cpp("nullptr") if binding.is_method else c_literal(binding.module or "")
    public = python_names.public_module(binding.module or "")
    where = ".Tensor" if binding.is_method else f".{public}" if public else ""
    overloads = tuple(_overload_view(Ident(f"{name}_{i}"), i, o) for i, o in enumerate(binding.overloads))
    return FunctionView(
        symbol=name,
        name=c_literal(binding.name),
        prefix=c_literal(f"{where}.{python_names.called_name(binding.module, binding.name)}"),
        module=module,
        public_module=module if binding.is_method else c_literal(public),
        doc=c_literal(python_docs.text_signature(binding) + doc),
        overloads=overloads,
    )


def _overload_view(name: Ident, index: int, overload: Overload) -> OverloadView:
    parameters = overload.parameters
    positional = [p for p in parameters if not p.keyword_only]
    fields = _fields(overload)
    named = Ident(f"{name}_type") if fields else None
    base, out = overload.base, overload.out
    options = [overload.index(n) for n in ("dtype", "layout", "device")]
    only_out = out is not None and None not in options and out.schema.arguments.options is None
    grad = overload.index("requires_grad")
    return OverloadView(
        symbol=name,
        index=index,
        text=c_literal(python_docs.signature(overload)),
        params=tuple(map(_param_view, parameters)),
        num_positional=len(positional),
        num_required=next((i for i, p in enumerate(positional) if p.default is not None), len(positional)),
        fields=fields,
        base=call(overload, base, named) if base is not None else None,
        out=call(overload, out, named) if out is not None else None,
        out_index=overload.output_index,
        num_outputs=parameters[overload.output_index].outputs if overload.output_index is not None else 0,
        check_out=Cpp(", ".join(map(str, options))) if only_out else None,
        requires_grad=Cpp(str(grad)) if grad is not None else None,
    )


def _fields(overload: Overload) -> tuple[Cpp, ...]:
    returns = overload.function.schema.returns
    if len(returns) < 2 or any(r.name is None for r in returns):
        return ()
    return tuple(c_literal(r.name or "") for r in returns)


def _param_view(p: Parameter) -> ParamView:
    flags = []
    if p.default is not None:
        flags.append("HasDefault")
    if p.takes_none:
        flags.append("TakesNone")
    if p.keyword_only:
        flags.append("KeywordOnly")
    if p.number_as_tensor:
        flags.append("NumberAsTensor")
    return ParamView(
        c_literal(p.name), Ident(param_type(p.type)), Cpp(" | ".join(flags) or "0"), shape(p.type).size
    )
