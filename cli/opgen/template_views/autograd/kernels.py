"""Makes the template views of the autograd layers' kernels: the direct call where nothing is recorded, the
recording kernel, and below it the tracking of versions and views.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence

from opgen.api import dispatcher
from opgen.api.autograd import Differentiability, output_names
from opgen.expand.derivatives import FOREACH
from opgen.model.function import Function
from opgen.model.schema import Argument, Kind
from opgen.model.types import TENSOR, ListType
from opgen.template_views import names
from opgen.template_views.atoms import Cpp, Ident, c_literal
from opgen.template_views.atoms_of import atoms, comma, join
from opgen.template_views.autograd.forward import SELF, ForwardView, forward_views
from opgen.template_views.autograd.kernel_views import (
    CallView,
    CheckedView,
    DirectView,
    KernelView,
    RecordedView,
    ViewOf,
)
from opgen.template_views.autograd.nodes import is_list, saved_inputs, saved_outputs
from opgen.template_views.kernels import AD_INPLACE_OR_VIEW, own_view_key

IN_PLACE_VIEW = "inplace_view"


def tensors(function: Function) -> tuple[Argument, ...]:
    return tuple(a for a in function.schema.arguments.all if a.type.is_tensor_like())


def written(function: Function) -> tuple[Ident, ...]:
    return tuple(Ident(a.name) for a in function.schema.written_arguments())


def views(function: Function) -> Iterator[ViewOf]:
    """Yields the results that are views of an argument; lists of tensors aren't tracked."""
    bases = {name: a for a in tensors(function) if a.alias is not None for name in a.alias.set}
    several = len(function.schema.returns) > 1
    for i, r in enumerate(function.schema.returns):
        base = bases.get(r.alias.set[0]) if r.alias is not None and not r.alias.write else None
        if base is not None and base.type == TENSOR:
            result = Cpp(f"std::get<{i}>(_result)" if several else "_result")
            yield ViewOf(result, Ident(base.name), isinstance(r.type, ListType))


def is_tracked_below(function: Function) -> bool:
    """Whether ADInplaceOrView has a kernel: for operators that write to arguments or make views."""
    return bool(written(function)) or next(views(function), None) is not None


def below_view(function: Function, d: Differentiability | None) -> KernelView:
    """Returns the kernel of ADInplaceOrView, which counts writes and marks views."""
    call = _call(function, names.kernel_symbol(str(AD_INPLACE_OR_VIEW), function))
    outputs = _outputs(function, d)
    kind = _kind(function, outputs)
    counted = () if kind == "detach" else written(function)
    shown = tuple(views(function)) if outputs else ()
    guarded = bool(counted) or not shown
    return KernelView(DirectView(call, kind, Cpp(""), guarded, counted, shown, _own(function, shown)))


def _own(function: Function, shown: Sequence[ViewOf]) -> Ident | None:
    key = own_view_key(function) if shown else None
    return names.kernel_symbol(str(key), function) if key is not None else None


def autograd_view(
    function: Function,
    key: str,
    d: Differentiability | None,
    below: KernelView | None = None,
    calls_others: bool = True,
    has_gradient: bool = True,
    by_items: bool = False,
) -> KernelView:
    """Returns the recording kernel. `below` is the ADInplaceOrView kernel, if there is one. `calls_others`:
    kernels below may call operators, which must not be recorded. `has_gradient`: an out= form raises an error
    where it would be recorded. `by_items`: the operators that it calls are recorded where it can't be.
    """
    call = _call(function, names.kernel_symbol(key, function))
    outputs = _outputs(function, d)
    kind = _kind(function, outputs)
    tracked = has_gradient and (bool(outputs) or kind in ("out", "detach"))
    recorded = _recorded(function, call, d, kind, outputs, by_items) if tracked and kind != "out" else None
    counted = () if kind == "detach" else written(function)
    shown = tuple(views(function)) if outputs else ()
    direct = DirectView(
        call,
        kind,
        join(a.name for a in tensors(function)) if tracked else Cpp(""),
        calls_others and (bool(counted) or not shown),
        counted,
        shown,
        _own(function, shown),
    )
    if below is not None and direct.does_as(below.direct):
        direct = dataclasses.replace(direct, below=below.direct.call.symbol)
    return KernelView(direct, recorded)


def _call(function: Function, symbol: Ident) -> CallView:
    signature = dispatcher.signature(function)
    parts = atoms(signature)
    returns = str(signature.returns)
    params, args = comma(parts.params), comma(parts.args)
    return CallView(symbol, names.struct(function), Cpp(returns), params, args, _result(function, returns))


def _result(function: Function, returns: str) -> Cpp:
    given = function.schema.aliased_return_names()
    if not given:
        return Cpp("")
    if not all(r.is_write and name for r, name in zip(function.schema.returns, given, strict=True)):
        return Cpp("_result")
    return Cpp(given[0] if len(given) == 1 else f"{returns}({', '.join(map(str, given))})")


def _outputs(function: Function, d: Differentiability | None) -> tuple[str, ...]:
    """Returns the results that have a gradient, by the names of `output_names`; for an operator that only
    writes, the arguments it writes to.
    """
    if d is not None:
        return d.differentiable_outputs(function)
    named = zip(output_names(function), function.schema.returns, strict=False)
    found = tuple(name for name, r in named if r.type.is_tensor_like())
    return found or tuple(map(str, written(function)))


def _kind(function: Function, outputs: Sequence[str]) -> str:
    if function.schema.is_out():
        return "out"
    if function.kind is not Kind.inplace and not _only_writes(function):
        return "functional"
    return "inplace" if outputs or IN_PLACE_VIEW not in function.tags else "detach"


def _only_writes(function: Function) -> bool:
    return bool(written(function)) and all(r.is_write for r in function.schema.returns)


def _recorded(
    function: Function,
    call: CallView,
    d: Differentiability | None,
    kind: str,
    outputs: Sequence[str],
    by_items: bool,
) -> RecordedView:
    formulas = d if d is not None and d.node is not None and kind != "detach" else None
    given = tensors(function)
    with_formula = {p.name for p in formulas.inputs} if formulas else {a.name for a in given}
    results = () if kind != "functional" else output_names(function)
    forward = _forward(formulas, kind, results)
    checked = tuple(_unformulated(given, formulas)) if formulas else ()
    without_tangent = (c.name for c in checked) if forward else (a.name for a in given)
    return RecordedView(
        call=call,
        kind=kind,
        node=Ident(formulas.node) if formulas and formulas.node else None,
        inputs=join(a.name for a in given if a.name in with_formula),
        checked=checked,
        condition=Cpp(d.condition) if d is not None and d.condition else None,
        condition_marker=Cpp(condition_marker(function)),
        lists=tuple(Ident(p.name) for p in formulas.inputs if is_list(p)) if formulas else (),
        saved=saved_inputs(formulas, kind == "inplace") if formulas else (),
        saved_results=saved_outputs(formulas, kind == "inplace") if formulas else (),
        results=tuple(map(Ident, results)),
        recorded_results=tuple(Ident(name) for name in results if name in outputs),
        written=written(function),
        rebase=Ident("rebase_geometry" if IN_PLACE_VIEW in function.tags else "rebase_history"),
        below=Ident(f"AutoDispatchBelow{'Autograd' if is_tracked_below(function) else 'ADInplaceOrView'}"),
        forward=forward,
        forbidden=join(without_tangent) if kind != "detach" else Cpp(""),
        by_items=by_items,
    )


def _forward(d: Differentiability | None, kind: str, results: Sequence[str]) -> tuple[ForwardView, ...]:
    if d is None or d.function.root_name.startswith(FOREACH):
        return ()
    variables = {name: Ident(name) for name in (*results, SELF)}
    return tuple(forward_views(d, variables))


def condition_marker(function: Function) -> str:
    return f"{function.qualified_name}: output_differentiability"


def _unformulated(given: Iterable[Argument], d: Differentiability) -> Iterator[CheckedView]:
    known = {p.name for p in d.inputs} | set(d.non_differentiable)
    for a in given:
        if a.name not in known:
            yield CheckedView(Ident(a.name), c_literal(a.name))
