"""Template views of src/autograd_*.cpp: backward nodes, and the kernels of the layers Autograd and
ADInplaceOrView.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence

from opgen.api.autograd import Autograd, Differentiability
from opgen.expand.derivatives import FOREACH
from opgen.model.derivatives import DEFAULT_KEY, DerivativeEntry, Formula
from opgen.model.dispatch import DispatchKey
from opgen.model.function import Function
from opgen.model.program import Program
from opgen.model.schema import Kind
from opgen.template_views import formulas, names
from opgen.template_views.atoms import Cpp, Ident, Path
from opgen.template_views.autograd import forward, kernels, nodes
from opgen.template_views.autograd.kernel_views import DirectView, KernelView
from opgen.template_views.autograd.nodes import NodeView
from opgen.template_views.kernels import AD_INPLACE_OR_VIEW, Registration
from opgen.template_views.page import Page
from opgen.template_views.shards import shard, shard_count
from opgen.template_views.source import Source

OPERATORS_PER_FILE = 110
AUTOGRAD = DispatchKey["Autograd"]


@dataclasses.dataclass(frozen=True, slots=True)
class Differentiated:
    """A function with its autograd kernels: `by_key` has an entry for each autograd key that gets a kernel,
    None where there is no formula. `is_loop`: its kernels are generated from functors, and call no operator.
    `has_gradient`: if recorded, one of its results would have a gradient. `by_items`: it applies an operator
    that can be recorded to each tensor of a list.
    """

    function: Function
    by_key: dict[DispatchKey, Differentiability | None]
    entry: DerivativeEntry | None = None
    is_loop: bool = False
    has_gradient: bool = True
    by_items: bool = False

    @property
    def base(self) -> Ident:
        """Returns the base name for the file: a node and all kernels that create it are in one file."""
        made = next((d for d in self.by_key.values() if d is not None and d.node), None)
        return names.base(made.function if made is not None else self.function)


@dataclasses.dataclass(frozen=True, slots=True)
class AutogradFileView:
    """One generated file; `includes` are headers of operators that formulas call, `headers` those of
    hand-written formulas.
    """

    template: Cpp
    headers: tuple[Path, ...]
    operators: tuple[Ident, ...]
    includes: tuple[Ident, ...]
    nodes: tuple[NodeView, ...]
    kernels: tuple[KernelView, ...]

    @property
    def own_kernels(self) -> list[DirectView]:
        """Returns one kernel for each that another kernel tail-calls."""
        return list({k.direct.own: k.direct for k in self.kernels if k.direct.own is not None}.values())


def differentiated(program: Program) -> list[Differentiated]:
    """Returns the functions with kernels in these layers. Composite-implicit ones have none: they are
    differentiated through the operators that they call.
    """
    autograd = Autograd(program)
    derivations = program.derivatives.of if program.derivatives is not None else {}
    found = []
    for f in program.functions:
        if f.is_abstract and not f.manual_kernel_registration and kernels.tensors(f):
            of = autograd.of(f) if _has_formulas(f) else {}
            keys = {AUTOGRAD: None, **{_key(key): d for key, d in of.items()}}
            entry = derivations[f.qualified_name].entry if of else None
            has_gradient = _has_gradient(f, program, autograd)
            by_items = f.root_name.startswith(FOREACH) and f.qualified_name in derivations
            found.append(Differentiated(f, keys, entry, _is_loop(f, program), has_gradient, by_items))
    return found


def _has_formulas(function: Function) -> bool:
    """Whether formulas apply: not to out= forms, and not to writes to lists, which would need a node for each
    tensor.
    """
    many = function.root_name.startswith(FOREACH) and function.kind is Kind.inplace
    return function.kind is not Kind.out and not many


def _has_gradient(function: Function, program: Program, autograd: Autograd) -> bool:
    """Whether an out= form writes a tensor that would have a gradient in the functional form; True for other
    forms, whose own formulas decide.
    """
    group = program.group_of.get(function.qualified_name)
    if function.kind is not Kind.out or group is None:
        return True
    of = autograd.of(group.functional)
    return not of or any(d.differentiable_outputs(group.functional) for d in of.values())


def _is_loop(function: Function, program: Program) -> bool:
    group = program.group_of.get(function.qualified_name)
    return group is not None and bool(group.out.ufunc_inner_loop) and function.part_of_structured_group


def _key(name: str) -> DispatchKey:
    return AUTOGRAD if name == DEFAULT_KEY else DispatchKey[name]


def rows(functions: Iterable[Differentiated]) -> Iterator[Registration]:
    for one in functions:
        for key in one.by_key:
            yield Registration(one.function, key, None)
        if kernels.is_tracked_below(one.function):
            yield Registration(one.function, AD_INPLACE_OR_VIEW, None)


def autograd_pages(
    program: Program, functions: Sequence[Differentiated], sources: Iterable[Source]
) -> Iterator[Page]:
    template = "src/autograd.cpp.mako"
    headers = formulas.Headers(sources)
    known = formulas.operator_names(program)
    for name, part in _files(functions, headers):
        by_node = {d.node: d for one in part for d in one.by_key.values() if d is not None and d.node}
        texts = _texts(part)
        view = AutogradFileView(
            Cpp(template),
            headers.needed(texts),
            tuple(sorted({names.base(one.function) for one in part})),
            tuple(sorted(formulas.headers(texts, known))),
            tuple(nodes.node_view(d) for d in by_node.values()),
            tuple(view for one in part for view in _kernels(one)),
        )
        yield Page(f"src/autograd_{name}.cpp", template, view)


def _files(
    functions: Sequence[Differentiated], headers: formulas.Headers
) -> Iterator[tuple[str, list[Differentiated]]]:
    """Yields files with their names: operators whose formulas call functions of a subject are in the
    subject's file, so that a change of its header recompiles little else.
    """
    by_base: dict[Ident, list[Differentiated]] = {}
    for one in functions:
        by_base.setdefault(one.base, []).append(one)
    subjects = {base: headers.subject(_texts(some)) for base, some in by_base.items()}
    by_subject: dict[str, list[Differentiated]] = {}
    for one in functions:
        by_subject.setdefault(subjects[one.base], []).append(one)
    for subject, chosen in sorted(by_subject.items()):
        count = shard_count(len(chosen), OPERATORS_PER_FILE)
        for index, part in enumerate(shard(chosen, lambda one: one.base, count)):
            if part:
                numbered = [str(index)] if count > 1 or not subject else []
                yield "_".join([subject, *numbered] if subject else numbered), part


def _texts(functions: Iterable[Differentiated]) -> set[str]:
    """Returns the formulas of the functions, as C++."""
    of = [d for one in functions for d in one.by_key.values() if d is not None]
    return {b.formula for d in of for b in d.backward} | {f.formula for d in of for f in d.forward}


def _kernels(one: Differentiated) -> Iterator[KernelView]:
    below = None
    if kernels.is_tracked_below(one.function):
        below = kernels.below_view(one.function, one.by_key[AUTOGRAD])
        yield below
    for key, d in one.by_key.items():
        yield kernels.autograd_view(
            one.function, str(key), d, below, not one.is_loop, one.has_gradient, one.by_items
        )


def places(functions: Iterable[Differentiated], place: Callable[[str], str]) -> Iterator[tuple[str, str]]:
    """Yields the place of each formula, `file:line`, by its marker in the comment beside it."""
    for one in functions:
        entry = one.entry
        if entry is None or entry.places is None:
            continue
        written: list[tuple[str, tuple[str | int, ...]]] = [
            (m, f.path) for d in one.by_key.values() if d is not None for m, f in _marked(d)
        ]
        if entry.condition:
            condition = kernels.condition_marker(one.function)
            written.append((condition, ("output_differentiability", 0)))
        for marker, path in written:
            span = entry.places.value(*path)
            yield marker, f"{place(span.path)}:{span.line}"


def _marked(d: Differentiability) -> Iterator[tuple[str, Formula]]:
    name = forward.name_of(d)
    for gradient in d.backward:
        yield nodes.marker(name, gradient.written), gradient.written
    for tangent in d.forward:
        yield forward.marker(name, tangent.written), tangent.written
