"""Template view of src/batching.cpp: how each operator treats batched tensors (see batching_rules)."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from opgen.api import dispatcher
from opgen.model.function import Function
from opgen.model.program import Program
from opgen.template_views import names
from opgen.template_views.atoms import Cpp, Ident, Path, c_literal
from opgen.template_views.atoms_of import atoms, comma
from opgen.template_views.batching_rules import Helpers, Rule, Rules
from opgen.template_views.page import Page
from opgen.template_views.source import Source


@dataclasses.dataclass(frozen=True, slots=True)
class FormulaView:
    symbol: Ident
    returns: Cpp
    comma_params: Cpp
    text: Cpp


@dataclasses.dataclass(frozen=True, slots=True)
class RuleView:
    """A row of the table; `via`, `formula` and `rank` are C++ expressions."""

    struct: Ident
    kind: Ident
    roles: Cpp
    via: Cpp
    formula: Cpp
    rank: Cpp
    is_random: Cpp
    is_data_dependent: Cpp
    is_dynamic: Cpp


@dataclasses.dataclass(frozen=True, slots=True)
class BatchingView:
    template: Cpp
    includes: tuple[Ident, ...]
    called: tuple[Ident, ...]
    headers: tuple[Path, ...]
    formulas: tuple[FormulaView, ...]
    rules: tuple[RuleView, ...]


def batching_page(program: Program, sources: Iterable[Source], shipped: str) -> Page:
    """`shipped`: the folder of opgen's own schemas."""
    template = "src/batching.cpp.mako"
    helpers = Helpers(sources)
    rules = Rules(program, helpers, shipped)
    found = [(f, rules.of(f)) for f in program.functions]
    texts = [rule.formula for _, rule in found if rule.formula]
    called = {Ident(name) for text in texts for name in helpers.called(text)}
    view = BatchingView(
        Cpp(template),
        tuple(sorted({names.base(f) for f in program.functions})),
        tuple(sorted(called)),
        tuple(sorted({Path(header) for text in texts for header in helpers.headers(text)})),
        tuple(_formula(f, rule) for f, rule in found if rule.formula),
        tuple(_view(f, rule) for f, rule in found),
    )
    return Page("src/batching.cpp", template, view)


def _view(function: Function, rule: Rule) -> RuleView:
    formula = f"reinterpret_cast<c10::AnyKernel>(&{_symbol(function)})" if rule.formula else "nullptr"
    # A composite one is random by what it calls.
    draws = "nondeterministic_seeded" in function.tags
    is_random = draws and not function.has_kernel("CompositeImplicitAutograd")
    return RuleView(
        names.struct(function),
        Ident(rule.kind),
        c_literal(rule.roles),
        Cpp(f"&_ops::{names.struct(rule.via)}::entry" if rule.via else "nullptr"),
        Cpp(formula),
        Cpp(str(rule.rank)),
        _flag(is_random),
        _flag("data_dependent_output" in function.tags),
        _flag("dynamic_output_shape" in function.tags),
    )


def _flag(value: bool) -> Cpp:
    return Cpp("true" if value else "false")


def _symbol(function: Function) -> Ident:
    return names.kernel_symbol("Batched", function)


def _formula(function: Function, rule: Rule) -> FormulaView:
    signature = dispatcher.signature(function)
    params = comma(atoms(signature).params)
    return FormulaView(_symbol(function), Cpp(str(signature.returns)), params, Cpp(rule.formula))
