"""The way of a call of a module or a function of nn.functional: Python, binding, dispatcher, kernels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from opgen.explain import names, table
from opgen.explain.chain import Chains
from opgen.explain.python_layer import FUNCTIONAL, Package, Part, Use
from opgen.explain.steps import computes
from opgen.model import DEFAULT_NAMESPACE, Function, Kind, Program
from opgen.template_views import python as bindings
from opgen.template_views.python_model import Binding
from opgen.template_views.python_model import bindings as bound
from opgen.template_views.shards import shard_count, shard_index

_TEMPLATE = "templates/python/bindings/functions.cpp.mako"
_ROW = "const BindingRow rows_"
_KEYS = ("AutocastCUDA", "AutocastCPU", "AutogradCUDA", "AutogradCPU", "CUDA", "CPU", "Meta")


class Walk:
    """The steps of one name. It is false where the name is that of no module and of no Python function."""

    def __init__(self, name: str, package: Package, program: Program):
        self._program = program
        self._package = package
        self._module = package.module(name)
        uses = [use for part in self._module for use in part.uses]
        part = None if self._module else package.function(name)
        self._functions = [part] if part is not None and package.is_python(part) else []
        if self._module:
            called = (
                package.function(f"F.{n}") for n in dict.fromkeys(u.name for u in uses if u.is_functional)
            )
            self._functions = [part for part in called if part is not None]
        self._shown = f"nn.{self._module[0].name.removeprefix('nn.')}" if self._module else name
        self.operators = self._operators(uses)

    def __bool__(self) -> bool:
        return bool(self._module or self._functions)

    def lines(self, chains: Chains, share: Path) -> Iterator[str]:
        yield self._shown
        for part in self._module:
            yield _row("module" if part is self._module[0] else "", part.name, part)
            yield from _uses(part)
        for number, part in enumerate(self._functions):
            what = "" if self._package.is_python(part) else " is the compiled function"
            title = "functional" if part.prefix == FUNCTIONAL else "Python"
            yield _row("" if number else title, f"{part.prefix}{part.name}{what}", part)
            yield from _uses(part)
        if not self.operators:
            yield f"  operators   {self._no_operators()}"
            return
        yield from _bindings(self.operators, self._program, share)
        yield from self._dispatcher()
        yield "  chain"
        for function in self.operators:
            yield from chains.lines(chains.of(function))

    def _no_operators(self) -> str:
        if not any(part.uses for part in (*self._module, *self._functions)):
            return "none is named by these functions"
        help = "" if self._has_aten() else "; --aten reads those of aten"
        return f"none of these is declared in {self._program.path}{help}"

    def _has_aten(self) -> bool:
        return any(f.namespace == DEFAULT_NAMESPACE for f in self._program.functions)

    def _operators(self, uses: Iterable[Use]) -> list[Function]:
        """Returns the operators behind a name: those called without a condition, if there are any."""
        found: list[Use] = []
        direct = [u for u in uses if not u.is_functional]
        by_name = {u.name: u for u in uses if u.is_functional}
        for part in self._functions:
            outer = by_name.get(part.name)
            condition = outer.condition if outer is not None else ""
            own = (
                part.uses
                if self._package.is_python(part)
                else (Use(part.name, False, "", part.path, part.line),)
            )
            found += [Use(u.name, False, condition or u.condition, u.path, u.line) for u in own]
        known = [u for u in (*found, *direct) if self._forms(u.name)]
        candidates = [u for u in known if any(computes(f, method=True) for f in self._forms(u.name))] or known
        chosen = [u for u in candidates if not u.condition] or candidates
        return [f for name in dict.fromkeys(u.name for u in chosen) for f in self._forms(name)]

    def _forms(self, name: str) -> list[Function]:
        """Returns the overloads of a compiled function, without those for `out=`."""
        found = names.find(f"{FUNCTIONAL}{name}", self._program) or names.find(name, self._program)
        made = (f for f in found if any(r.type.is_tensor_like() for r in f.schema.returns))
        return [f for f in made if f.kind is not Kind.out and not f.is_generated]

    def _dispatcher(self) -> Iterator[str]:
        first = "dispatcher"
        for function in self.operators:
            rows: dict[str, list[str]] = {}
            for key, kernel in _kernels(function, self._program):
                rows.setdefault(kernel, []).append(key)
            yield f"  {first:<11} {function.qualified_name}"
            yield from (f"                {', '.join(keys)}: {kernel}" for kernel, keys in rows.items())
            first = ""


def _row(title: str, text: str, part: Part) -> str:
    return f"  {title:<11} {text}  {part.path}:{part.line}"


def _uses(part: Part) -> Iterator[str]:
    """Yields what a function calls, each once, with the condition."""
    for use in {(u.name, u.condition): u for u in part.uses}.values():
        condition = f"{use.condition}: " if use.condition else ""
        name = f"{FUNCTIONAL}{use.name}" if use.is_functional else use.name
        yield f"                {condition}{name}  {use.path}:{use.line}"


def _kernels(function: Function, program: Program) -> Iterator[tuple[str, str]]:
    """Yields the kernels of the common keys, in the order in which the dispatcher asks them."""
    casts = program.autocast.of.get(function.qualified_name, {}) if program.autocast is not None else {}
    derivatives = program.derivatives.of if program.derivatives is not None else {}
    cast = {str(key): f"casts, {entry.cast.value}" for key, entry in casts.items()}
    found = {row.key.value: row for row in table.of(function.qualified_name, function, program).rows}
    for key in _KEYS:
        row = found.get(key)
        if key in cast:
            yield key, cast[key]
        elif key.startswith("Autograd") and function.qualified_name in derivatives:
            entry = derivatives[function.qualified_name].entry
            yield key, f"generated  {entry.span.path}:{entry.line}"
        elif row is not None and row.span is not None:
            yield key, f"{row.kernel} ({row.why.value})  {row.span.path}:{row.span.line}"


def _bindings(functions: Iterable[Function], program: Program, share: Path) -> Iterator[str]:
    """Yields the row of the generated binding of each function."""
    found = bound(program)
    count = shard_count(len(found), bindings.FUNCTIONS_PER_FILE)
    template = share / _TEMPLATE
    lines = template.read_text(encoding="utf-8").splitlines() if template.is_file() else []
    line = next((i for i, text in enumerate(lines, 1) if text.startswith(_ROW)), 0)
    title = "binding"
    for name in dict.fromkeys(str(f.name.name) for f in functions):
        for binding in (b for b in found if b.name == name and not b.is_method):
            yield f"  {title:<11} {_public(binding)} = at::python::{bindings.symbol(binding)}"
            number = shard_index(binding.name, count)
            yield f"              generated python/bindings/functions_{number}.cpp, by {template}:{line}"
            title = ""


def _public(binding: Binding) -> str:
    return f"aten._C._{binding.module}.{binding.name}" if binding.module else f"aten.{binding.name}"
