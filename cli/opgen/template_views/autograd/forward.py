"""Template views of forward-mode AD (in src/autograd_*.cpp): tangents of results from those of arguments."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping

from opgen.api.autograd import Differentiability
from opgen.api.autograd.forward import Forward
from opgen.model.derivatives import Formula
from opgen.model.types import ListType
from opgen.template_views.atoms import Cpp, Ident
from opgen.template_views.atoms_of import join

SELF = "self"


@dataclasses.dataclass(frozen=True, slots=True)
class ForwardView:
    """One formula, evaluated where one of `inputs` has a tangent. `tangents` and `primals` are the arguments
    whose `x_t` and `x_p` it uses. `kind` is one, list, or several (results by one formula); `variable` holds
    its value until all formulas are evaluated.
    """

    kind: str
    marker: Cpp
    inputs: Cpp
    tangents: tuple[Ident, ...]
    primals: tuple[Ident, ...]
    takes_original: bool
    changes_tangent: bool
    variable: Ident
    type: Cpp
    targets: tuple[Ident, ...]
    text: Cpp


def marker(name: str, formula: Formula) -> str:
    return f"{name}: tangent of {', '.join(formula.names)}"


def name_of(d: Differentiability) -> str:
    """Returns the name by which markers refer to the formulas of an entry."""
    return d.node or d.function.qualified_name


def forward_views(d: Differentiability, results: Mapping[str, Ident]) -> Iterator[ForwardView]:
    """Yields the views of all formulas; `results` are results' variables by their names in formulas."""
    for index, one in enumerate(d.forward):
        kind = _kind(one)
        yield ForwardView(
            kind=kind,
            marker=Cpp(marker(name_of(d), one.written)),
            inputs=join(one.tangents or (p.name for p in d.inputs)),
            tangents=tuple(map(Ident, one.tangents)),
            primals=tuple(dict.fromkeys(map(Ident, one.primals))),
            takes_original=one.needs_original_self,
            changes_tangent=one.reuses_functional,
            variable=Ident(f"_tangent{index}"),
            type=_type(kind, len(one.names)),
            targets=tuple(results[name] for name in one.names),
            text=Cpp(one.formula),
        )


def _kind(one: Forward) -> str:
    if len(one.names) > 1:
        return "several"
    return "list" if any(isinstance(type, ListType) for type in one.types) else "one"


def _type(kind: str, count: int) -> Cpp:
    if kind == "several":
        return Cpp(f"std::tuple<{', '.join(['Tensor'] * count)}>")
    return Cpp("std::vector<Tensor>" if kind == "list" else "Tensor")
