"""The signatures that one Python name stands for, in the order in which its binding tries them.

The base and the out form of equal inputs are one signature. Among ambiguous ones, the order decides what a
number or a tensor is taken for; it is PyTorch's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from opgen.api import python
from opgen.api.python import PythonSignature
from opgen.model import Argument, Base, BaseType, Function, Schema, Variant

SCALAR = BaseType(Base.Scalar)
METHODS = "Tensor"
FUNCTIONS = "torch"


@dataclass(frozen=True, slots=True)
class Bound:
    """A signature and the operator that it calls. A deprecated one passes `call`, names and constants."""

    signature: PythonSignature
    function: Function
    call: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PythonGroup:
    """One string for the argument parser: `base` is called without `out`, `out` with it."""

    signature: PythonSignature
    base: Function | None
    out: Function | None
    base_call: tuple[str, ...] = ()
    out_call: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Deprecated:
    """An old signature of `target` (a C++ name), whose arguments are passed on as `call` says."""

    schema: Schema
    target: str
    call: tuple[str, ...]


class DuplicateSignature(ValueError):
    """Two operators have the same Python signature; `functions` are the two."""

    def __init__(self, first: Function, second: Function, text: str):
        self.functions = (first, second)
        super().__init__(f"'{first.name}' and '{second.name}' are the same to Python: {text}")


class NoSuchTarget(ValueError):
    """A deprecated signature fits no operator of the name it calls."""


def groups(
    functions: Iterable[Function], deprecated: Sequence[Deprecated] = ()
) -> dict[str, dict[str, list[PythonGroup]]]:
    """Module -> Python name -> signatures. Modules are METHODS, FUNCTIONS and those that entries name."""
    functions = list(functions)
    found: dict[str, dict[str, list[Bound]]] = {METHODS: {}, FUNCTIONS: {}}
    for as_method in (True, False):
        bound = [Bound(python.signature(f, method=as_method), f) for f in functions]
        for b in [*bound, *_deprecated(bound, deprecated, as_method)]:
            module = _module(b.function, as_method)
            if module is not None:
                found.setdefault(module, {}).setdefault(str(b.function.name.name), []).append(b)
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
    merged += [PythonGroup(out.signature, None, out.function, (), out.call) for out in outs.values()]
    return ordered(merged)


def _merge(base: Bound, out: Bound | None) -> PythonGroup:
    if out is None:
        return PythonGroup(base.signature, base.function, None, base.call)
    signature = python.merged(base.signature, out.signature)
    return PythonGroup(signature, base.function, out.function, base.call, out.call)


def ordered(found: Sequence[PythonGroup]) -> list[PythonGroup]:
    """By text; of ambiguous ones the preferred first."""
    found = sorted(found, key=lambda g: g.signature.text())
    waits_for: dict[int, set[int]] = {}
    for i, one in enumerate(found):
        better = {j for j, other in enumerate(found) if _yields(one.signature, other.signature)}
        if better:
            waits_for[i] = better
    order = [i for i in range(len(found)) if i not in waits_for]
    for done in order:  # grows while it is walked through
        for i in sorted(waits_for):
            waits_for[i].discard(done)
            if not waits_for[i]:
                del waits_for[i]
                order.append(i)
    return [found[i] for i in order]


def _yields(one: PythonSignature, other: PythonSignature) -> bool:
    """Do both have the same types, but that some of `one` yield to those of `other`?"""
    mine = [p.type for p in one.params(with_out=False)]
    others = [p.type for p in other.params(with_out=False)]
    if len(mine) != len(others) or mine == others:
        return False
    return all(a == b or _type_yields(str(a), str(b)) for a, b in zip(mine, others, strict=True))


# A number fits where a tensor does, and an element where a list does; lists of tensors are tried last.
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


def _deprecated(bound: Sequence[Bound], old: Iterable[Deprecated], as_method: bool) -> list[Bound]:
    by_name: dict[str, list[Bound]] = {}
    for b in bound:
        by_name.setdefault(b.signature.name, []).append(b)
    found = []
    for d in old:
        is_out = d.target.endswith("_out")
        targets = by_name.get(d.target.removesuffix("_out"), ())
        fitting = [b.function for b in targets if _fits(d, b.function.schema, is_out)]
        if not fitting:
            raise NoSuchTarget(f"no operator '{d.target}' takes what this passes: {d.schema}")
        for function in fitting:
            signature = python.of_schema(d.schema, function.category_override, method=as_method)
            found.append(Bound(replace(signature, deprecated=True), function, d.call))
    return found


def _fits(old: Deprecated, schema: Schema, is_out: bool) -> bool:
    """Are the arguments that are passed of the types that are taken, and can the rest be left out?"""
    args = schema.arguments
    taken = args.out + args.non_out if is_out else args.all
    passed: list[Argument | None] = [_by_name(old.schema, name) for name in old.call]
    if len(passed) > len(taken) or not all(map(_takes, taken, passed)):
        return False
    return all(a.default is not None for a in taken[len(passed) :]) and schema.returns == old.schema.returns


def _takes(argument: Argument, passed: Argument | None) -> bool:
    """A constant (None) is a number."""
    return (argument.type, argument.alias) == (
        (SCALAR, None) if passed is None else (passed.type, passed.alias)
    )


def _by_name(schema: Schema, name: str) -> Argument | None:
    """The argument of that name; None for a constant."""
    return next((a for a in schema.arguments.all if a.name == name), None)
