"""An operator's formulas, each with its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from opgen.model import DispatchKey, Function, Kind, Program
from opgen.model.derivatives import DEFAULT_KEY, Derivation, Origin

_IMPLICIT = DispatchKey["CompositeImplicitAutograd"]


def describe(function: Function, program: Program, called: Iterable[str] = ()) -> Iterator[str]:
    """Yields lines such as `self: grad * other`, with the file and line; none without a derivatives file.
    `called` are the operators that the kernel calls.
    """
    if program.derivatives is None:
        return
    derivation = program.derivatives.of.get(function.qualified_name)
    if derivation is None:
        names = ", ".join(called)
        through = f"through what it calls{': ' if names else ''}{names}"
        yield through if _is_made_of_others(function) else "none"
    else:
        yield from _formulas(derivation)


def _is_made_of_others(function: Function) -> bool:
    """Whether autograd records the operators that the kernel calls. Arguments that are written to have no
    gradient.
    """
    return _IMPLICIT in (function.dispatch or {}) and function.kind is not Kind.out


def _formulas(derivation: Derivation) -> Iterator[str]:
    entry = derivation.entry
    if derivation.origin is not Origin.own:
        yield f"by {derivation.origin.value}, '{entry.qualified_name}', {entry.span.path}:{entry.line}"
    if entry.differentiable is not None:
        flags = entry.condition or ", ".join(map(str, entry.differentiable))
        yield f"output_differentiability: {flags}"
    for key, formulas in entry.formulas.items():
        prefix = "" if key == DEFAULT_KEY else f"{key}: "
        for formula in formulas:
            assert entry.places is not None
            where = entry.places.value(*formula.path)
            text = " ".join(formula.text.split())
            yield f"{prefix}{formula.key}: {text}\n      {where.path}:{where.line}"
