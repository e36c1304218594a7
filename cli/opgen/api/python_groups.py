"""The signatures of one Python name, in the order in which its binding tries them.

The base and the out form of equal inputs are one signature. Between ambiguous ones the order, which is
PyTorch's, decides whether an argument is taken for a scalar or a tensor.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from opgen.api import python
from opgen.api.python import PythonSignature
from opgen.model import Base, BaseType, Function, Variant

SCALAR = BaseType(Base.Scalar)
METHODS = "Tensor"
FUNCTIONS = "torch"


@dataclass(frozen=True, slots=True)
class Bound:
    """A signature and the operator that it calls."""

    signature: PythonSignature
    function: Function


@dataclass(frozen=True, slots=True)
class PythonGroup:
    """One string for the argument parser: `base` is called without `out`, `out` with it."""

    signature: PythonSignature
    base: Function | None
    out: Function | None


class DuplicateSignature(ValueError):
    """Two operators have the same Python signature, `text`; `functions` are the two."""

    def __init__(self, first: Function, second: Function, text: str):
        self.functions, self.text = (first, second), text
        super().__init__(f"'{first.name}' and '{second.name}' are the same to Python: {text}")


def groups(functions: Iterable[Function]) -> dict[str, dict[str, list[PythonGroup]]]:
    """Module -> Python name -> signatures. Modules are METHODS, FUNCTIONS and those that entries name."""
    functions = list(functions)
    found: dict[str, dict[str, list[Bound]]] = {METHODS: {}, FUNCTIONS: {}}
    for as_method in (True, False):
        for function in functions:
            module = _module(function, as_method)
            if module is not None:
                bound = Bound(python.signature(function, method=as_method), function)
                found.setdefault(module, {}).setdefault(str(function.name.name), []).append(bound)
    return {
        module: {name: group(overloads) for name, overloads in sorted(names.items())}
        for module, names in found.items()
    }


def _module(function: Function, as_method: bool) -> str | None:
    if function.python_module is not None:
        return None if as_method else function.python_module
    wanted = Variant.method if as_method else Variant.function
    if wanted not in function.variants:
        return None
    return METHODS if as_method else FUNCTIONS


def group(overloads: Iterable[Bound]) -> list[PythonGroup]:
    """The overloads of one name, merged and in order."""
    bases: dict[str, Bound] = {}
    outs: dict[str, Bound] = {}
    for b in overloads:
        text = b.signature.text(with_out=False)
        same = outs if b.function.schema.is_out() else bases
        if text in same:
            raise DuplicateSignature(same[text].function, b.function, text)
        same[text] = b
    merged = [_merge(base, outs.pop(text, None)) for text, base in bases.items()]
    merged += [PythonGroup(out.signature, None, out.function) for out in outs.values()]
    return ordered(merged)


def _merge(base: Bound, out: Bound | None) -> PythonGroup:
    if out is None:
        return PythonGroup(base.signature, base.function, None)
    signature = python.merged(base.signature, out.signature)
    return PythonGroup(signature, base.function, out.function)


def ordered(found: Sequence[PythonGroup]) -> list[PythonGroup]:
    """Returns the groups sorted by text, but with the preferred one of two ambiguous groups first."""
    found = sorted(found, key=lambda g: g.signature.text())
    waits_for: dict[int, set[int]] = {}
    for i, one in enumerate(found):
        better = {j for j, other in enumerate(found) if _yields(one.signature, other.signature)}
        if better:
            waits_for[i] = better
    order = [i for i in range(len(found)) if i not in waits_for]
    for done in order:  # the list grows during the loop
        for i in sorted(waits_for):
            waits_for[i].discard(done)
            if not waits_for[i]:
                del waits_for[i]
                order.append(i)
    return [found[i] for i in order]


def _yields(one: PythonSignature, other: PythonSignature) -> bool:
    """Whether both have the same types, except that some types of `one` yield to those of `other`."""
    mine = [p.type for p in one.params(with_out=False)]
    others = [p.type for p in other.params(with_out=False)]
    if len(mine) != len(others) or mine == others:
        return False
    return all(a == b or _type_yields(str(a), str(b)) for a, b in zip(mine, others, strict=True))


# A scalar matches a tensor parameter, and an element a list; lists of tensors are tried last.
_YIELDS = frozenset(
    {
        ("Scalar", "Tensor"),
        ("Scalar?", "Tensor?"),
        ("int", "Tensor"),
        ("SymInt", "Tensor"),
        ("int[]", "int"),
        ("int[]", "int?"),
        ("SymInt[]", "int[]"),
    }
)


def _type_yields(type: str, to: str) -> bool:
    return (type, to) in _YIELDS or (type == "Tensor[]" and "[]" in to)
