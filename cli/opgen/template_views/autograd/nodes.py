"""Template views of backward nodes (src/autograd_*.cpp): what each saves, and the formulas it evaluates."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence

from opgen.api import ctype
from opgen.api.autograd import Backward, Differentiability
from opgen.api.signature import Param
from opgen.expand.derivatives import FOREACH
from opgen.model.derivatives import Formula
from opgen.model.schema import Argument
from opgen.model.types import ListType
from opgen.parse.derivatives.text import words
from opgen.template_views.atoms import Cpp, Ident, c_literal
from opgen.template_views.atoms_of import join
from opgen.template_views.autograd.saved import SavedView, saved_view

_MASK = re.compile(r"\bgrad_input_mask\[(\d+)\]")


@dataclasses.dataclass(frozen=True, slots=True)
class TargetView:
    """The index of an argument's gradient among the node's; a list of tensors has several, up to `end`.

    `wanted` says whether it is needed.
    """

    first: Cpp
    end: Cpp
    is_list: bool
    wanted: Cpp


@dataclasses.dataclass(frozen=True, slots=True)
class FormulaView:
    """One formula; `marker` names it in a comment, by which the compiler's errors are mapped back to it.
    `kind` is one, list, several, or each (of a list's tensors).
    """

    kind: str
    marker: Cpp
    wanted: Cpp
    targets: tuple[TargetView, ...]
    has_mask: bool
    mask: Cpp
    text: Cpp


@dataclasses.dataclass(frozen=True, slots=True)
class GradientView:
    name: Ident
    index: int


@dataclasses.dataclass(frozen=True, slots=True)
class NodeView:
    """A backward node; `lists` are arguments that are lists, whose sizes it saves; `outputs` counts
    gradients.
    """

    name: Ident
    name_literal: Cpp
    operator_literal: Cpp
    saved: tuple[SavedView, ...]
    lists: tuple[Ident, ...]
    outputs: Cpp
    gradients: tuple[GradientView, ...]
    retains_variables: bool
    formulas: tuple[FormulaView, ...]

    @property
    def tensors(self) -> tuple[SavedView, ...]:
        return tuple(s for s in self.saved if s.kind != "value")


def is_list(param: Param) -> bool:
    argument = param.argument
    return (
        isinstance(argument, Argument)
        and isinstance(argument.type, ListType)
        and argument.type.is_tensor_like()
    )


def node_view(d: Differentiability) -> NodeView:
    assert d.node is not None
    targets = _targets(d.inputs)
    name = f"{d.function.namespace}::{d.function.name}"
    return NodeView(
        name=Ident(d.node),
        name_literal=c_literal(d.node),
        operator_literal=c_literal(name),
        saved=(*saved_inputs(d), *saved_outputs(d)),
        lists=tuple(Ident(p.name) for p in d.inputs if is_list(p)),
        outputs=_count(d.inputs),
        gradients=tuple(_gradients(d)),
        retains_variables=d.retains_variables,
        formulas=tuple(_formula(d, one, targets) for one in d.backward),
    )


def saved_inputs(d: Differentiability, in_place: bool = False) -> tuple[SavedView, ...]:
    guards = save_guards(d)
    ordered = sorted(d.saved_inputs, key=lambda s: s.name)
    return tuple(saved_view(s, False, in_place, guards.get(s.name)) for s in ordered)


def saved_outputs(d: Differentiability, in_place: bool = False) -> tuple[SavedView, ...]:
    return tuple(saved_view(s, True, in_place) for s in sorted(d.saved_outputs, key=lambda s: s.name))


def save_guards(d: Differentiability) -> dict[str, Cpp]:
    """Returns the tensors that only some gradients need, with the condition under which they are saved."""
    edges = {p.name: i for i, p in enumerate(d.inputs)}
    if len(edges) < 2 or any(is_list(p) for p in d.inputs):
        return {}
    found = {}
    for saved in d.saved_inputs:
        users = [one for one in d.backward if saved in one.saved_inputs]
        condition = _needed_by(saved.name, users[0], edges) if len(users) == 1 else None
        if condition is not None and saved.type == ctype.TENSOR:
            found[saved.name] = Cpp(condition)
    return found


def _needed_by(name: str, user: Backward, edges: Mapping[str, int]) -> str | None:
    """Returns the condition that the saved tensor is needed, in terms of the node's edges. A formula of
    several arguments says by wrap_opt_if what it needs.
    """
    if len(user.names) == 1:
        return _has_edge(edges[user.names[0]])
    match = re.search(rf"\bwrap_opt_if\(\s*{name}\s*,([^()]*)\)", user.formula)
    if match is None or len(re.findall(rf"\b{name}\b", user.formula)) > 1:
        return None
    return _MASK.sub(lambda m: _has_edge(edges[user.names[int(m[1])]]), match[1].strip())


def _has_edge(edge: int) -> str:
    return f"_made.next_edge({edge}).is_valid()"


def _gradients(d: Differentiability) -> Iterator[GradientView]:
    if d.uses_single_gradient:
        yield GradientView(Ident("grad"), 0)
        return
    used = {name for one in d.backward for name in one.named_gradients}
    for name in sorted(used):
        yield GradientView(Ident(name), d.named_gradients.index(name))


def _targets(inputs: Sequence[Param]) -> dict[str, TargetView]:
    found: dict[str, TargetView] = {}
    for i, param in enumerate(inputs):
        first = _count(inputs[:i])
        listed = is_list(param)
        end = _count(inputs[: i + 1]) if listed else first
        where = f"{first}, {end}" if listed else first
        wanted = Cpp(f"task_should_compute_output({where})")
        found[param.name] = TargetView(first, end, listed, wanted)
    return found


def _count(inputs: Sequence[Param]) -> Cpp:
    """Returns the number of gradients of these arguments."""
    single = sum(not is_list(p) for p in inputs)
    parts = [f"{p.name}_size_" for p in inputs if is_list(p)]
    return Cpp(" + ".join([*parts, str(single)] if single or not parts else parts))


def marker(node: str, formula: Formula) -> str:
    return f"{node}: {', '.join(formula.names)}"


def _formula(d: Differentiability, one: Backward, targets: Mapping[str, TargetView]) -> FormulaView:
    assert d.node is not None
    of = tuple(targets[name] for name in one.names)
    each = d.function.root_name.startswith(FOREACH)
    kind = "several" if len(of) > 1 else "each" if each else "list" if of[0].is_list else "one"
    return FormulaView(
        kind=kind,
        marker=Cpp(marker(d.node, one.written)),
        wanted=Cpp(" || ".join(t.wanted for t in of)),
        targets=of,
        has_mask="grad_input_mask" in words(one.formula),
        mask=join(t.wanted for t in of),
        text=Cpp(one.formula),
    )
