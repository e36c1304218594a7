"""What autograd does for a function: its backward node with the formulas and the values they save, and its
forward-mode formulas. From the program's derivatives, in terms of the C++ signature.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from opgen.api import cpp, cpp_types
from opgen.api.autograd import foreach
from opgen.api.autograd import forward as forward_mode
from opgen.api.autograd.differentiability import Backward, Differentiability, output_names
from opgen.api.autograd.saved import save, union
from opgen.api.ctype import CType
from opgen.model import Function, Kind, Program
from opgen.model.derivatives import (
    DEFAULT_KEY,
    Derivation,
    DerivativeEntry,
    Derivatives,
    Formula,
    Origin,
    gradient_names,
    return_names,
)
from opgen.parse.derivatives.text import words

__all__ = ["Autograd", "Backward", "Differentiability", "output_names"]


class Autograd:
    """The derivatives of a program, resolved once per entry and on demand."""

    def __init__(self, program: Program):
        self._derivatives = program.derivatives or Derivatives("")
        self._nodes = _nodes(self._derivatives)
        self._declared = dict(self._derivatives.declared)
        self._known: dict[str, Mapping[str, Differentiability]] = {}
        self._entries: dict[tuple[DerivativeEntry, str], dict[str, Differentiability]] = {}

    def of(self, function: Function) -> Mapping[str, Differentiability]:
        """Returns the resolved derivatives by dispatch key; empty for a function without formulas."""
        derivation = self._derivatives.of.get(function.qualified_name)
        if derivation is None:
            return {}
        found = self._known.get(function.qualified_name)
        if found is None:
            found = self._known[function.qualified_name] = self._made(derivation)
        return found

    def _made(self, derivation: Derivation) -> Mapping[str, Differentiability]:
        function, entry = derivation.function, derivation.entry
        found = self._written(derivation)
        own = derivation.origin in (Origin.own, Origin.view_copy)
        if derivation.origin is Origin.foreach and function.kind is not Kind.inplace:
            return {DEFAULT_KEY: foreach.over_list(function, found[DEFAULT_KEY])}
        if derivation.origin is Origin.foreach:
            found = {DEFAULT_KEY: found[DEFAULT_KEY]}
        if function.kind is not Kind.inplace:
            return found
        name = str(entry.schema.name.name)
        return {
            key: replace(one, forward=tuple(forward_mode.in_place(f, name, own) for f in one.forward))
            for key, one in found.items()
        }

    def _written(self, derivation: Derivation) -> dict[str, Differentiability]:
        """Returns the formulas as in the entry, before they are adapted to other forms."""
        entry, written = derivation.entry, derivation.written
        found = self._entries.get((entry, written.qualified_name))
        if found is not None:
            return found
        found = self._entries[entry, written.qualified_name] = {}
        for key, formulas in entry.formulas.items():
            node = self._nodes.get((entry, key))
            made = differentiability(self._declared[entry], formulas, entry, node)
            if written is not made.function:  # the `_copy` twin of the view that the entry names
                made = replace(made, function=written, node=node and f"{node}_copy")
            found[key] = made
        return found


def differentiability(
    function: Function, formulas: Sequence[Formula], entry: DerivativeEntry, node: str | None
) -> Differentiability:
    """The formulas of one key, resolved for the function that they are written for."""
    params = cpp.params(function, symint=True)
    arguments = {p.name for p in params}
    formulas = sorted(formulas, key=lambda f: f.key)
    of_inputs = [f for f in formulas if f.names[0] in arguments]
    given = [f for f in of_inputs if not f.is_non_differentiable]
    gradients = gradient_names(function, entry.differentiable)
    values = [(p.name, p.ctype.value) for p in params]
    backward = tuple(_backward(f, values, _results(function), gradients) for f in given)
    with_formula = {name for f in given for name in f.names}
    inputs = tuple(p for p in params if p.name in with_formula)
    forward = [f for f in formulas if f.names[0] not in arguments]
    return Differentiability(
        function=function,
        node=node,
        inputs=inputs,
        backward=backward,
        forward=tuple(forward_mode.forward(function, f, given, inputs) for f in forward),
        saved_inputs=union(one.saved_inputs for one in backward),
        saved_outputs=union(one.saved_outputs for one in backward),
        non_differentiable=tuple(n for f in of_inputs if f.is_non_differentiable for n in f.names),
        named_gradients=gradients,
        differentiable=entry.differentiable,
        condition=entry.condition,
    )


def _results(function: Function) -> list[tuple[str, CType]]:
    types = [cpp_types.return_type(r.type, r.is_write, False).value for r in function.schema.returns]
    return list(zip(return_names(function), types, strict=True))


def _backward(
    written: Formula,
    arguments: Sequence[tuple[str, CType]],
    results: Sequence[tuple[str, CType]],
    gradients: Sequence[str],
) -> Backward:
    text, saved_inputs = save(written.text, arguments)
    text, saved_outputs = save(text, results)
    known = words(text)
    used = tuple(name for name in gradients if name in known)
    return Backward(written.names, text, written.text, written, saved_inputs, saved_outputs, used)


def _nodes(derivatives: Derivatives) -> dict[tuple[DerivativeEntry, str], str]:
    """The name of the backward class of each entry and key: `AddBackward0`, counted in the file's order."""
    counts: Counter[str] = Counter()
    found = {}
    for entry, function in derivatives.declared:
        arguments = {p.name for p in cpp.params(function, symint=True)}
        for key, formulas in entry.formulas.items():
            if any(f.names[0] in arguments and not f.is_non_differentiable for f in formulas):
                camel = "".join(part.title() for part in str(entry.schema.name.name).split("_"))
                prefix = f"{camel}Backward".replace("ForwardBackward", "Backward")
                prefix += "" if key == DEFAULT_KEY else key
                found[entry, key] = f"{prefix}{counts[prefix]}"
                counts[prefix] += 1
    return found
