"""Compares two libraries after a step."""

from __future__ import annotations

import cmath
from collections.abc import Iterator
from typing import Any, NamedTuple

from .machine import INSIDE, Facts, Outcome

# Allowed differences of values, relative to the larger and absolute, in a program that has tensors of such a
# dtype: its values are copied to tensors of other dtypes.
TOLERANCES = {"float16": (4e-3, 2e-3), "bfloat16": (3e-2, 2e-2)}
TOLERANCE = (1e-5, 1e-6)
# Replaces the step in the comparison at the end of a quiet program.
THE_END = "the graph in the end"
# PyTorch's names of nodes that have other names here.
NODES = {"CopyBackwards": "CopyBackward"}


class Difference(NamedTuple):
    """The first difference of a program: the step, the aspect, the tensor, and each library's value.

    `error` is the class of the error that the step ended with in both, `dtype` that of the tensor.
    """

    step: str
    aspect: str
    name: str
    ours: str
    theirs: str
    error: str = ""
    dtype: str = ""

    def __str__(self) -> str:
        where = f" of {self.name}" if self.name else ""
        return f"{self.aspect}{where}: aten {self.ours}, PyTorch {self.theirs}"


def of_outcomes(step: str, ours: Outcome, theirs: Outcome) -> Difference | None:
    """Compares errors by class: their messages may differ."""
    if ours.error == theirs.error:
        return None
    return Difference(step, "outcome", "", spelled(ours), spelled(theirs))


def spelled(outcome: Outcome) -> str:
    return f"{outcome.error}: {outcome.message}"[:300] if outcome.error else "a result"


def of_facts(
    step: str, ours: dict[str, Facts], theirs: dict[str, Facts], error: str = ""
) -> Difference | None:
    dtypes = {f.get("dtype", "") for f in theirs.values()}
    tolerance = max((TOLERANCES[d] for d in dtypes if d in TOLERANCES), default=TOLERANCE)
    for name in dict.fromkeys([*theirs, *ours]):
        if name not in ours or name not in theirs:
            had = ("nothing", "something") if name in theirs else ("something", "nothing")
            return Difference(step, "existence", name, *had, error)
        for aspect, got, expected in unequal(ours[name], theirs[name], tolerance):
            return Difference(
                step, aspect, name, str(got)[:200], str(expected)[:200], error, theirs[name].get("dtype", "")
            )
    return None


def unequal(ours: Facts, theirs: Facts, tolerance: tuple[float, float]) -> Iterator[tuple[str, Any, Any]]:
    for aspect, expected in theirs.items():
        got = ours.get(aspect)
        if aspect == INSIDE:
            if got is not True or expected is not True:
                yield aspect, got, expected
        elif aspect == "values":
            if not same_values(got, expected, tolerance):
                yield aspect, got, expected
        elif aspect == "value" and type(got) is type(expected) and isinstance(got, (float, complex)):
            if not same_number(got, expected, *tolerance):
                yield aspect, got, expected
        elif aspect == "grad_fn" and kind_of(got) == kind_of(expected):
            continue
        elif aspect == "strides" and reaching(ours, got) == reaching(theirs, expected):
            if got != expected:
                yield "strides that reach nothing", got, expected
        elif got != expected and not (got != got and expected != expected):
            yield aspect, got, expected


def kind_of(node: str | None) -> str:
    """Returns a node's name without its namespace and the number that distinguishes formulas of overloads."""
    name = (node or "").rpartition("::")[2].rstrip("0123456789")
    return NODES.get(name, name)


def reaching(facts: Facts, strides: tuple[int, ...]) -> list[int]:
    """Returns the strides that matter: not those of dimensions of size 1."""
    if 0 in facts["shape"]:
        return []
    return [step for n, step in zip(facts["shape"], strides, strict=True) if n != 1]


def same_values(ours: list[Any], theirs: list[Any], tolerance: tuple[float, float]) -> bool:
    if ours == theirs:
        return True
    return len(ours) == len(theirs) and all(
        same_number(a, b, *tolerance) for a, b in zip(ours, theirs, strict=True)
    )


def same_number(a: complex, b: complex, relative: float, absolute: float) -> bool:
    if isinstance(a, int):
        return a == b
    if isinstance(a, complex) and isinstance(b, complex):
        parts = ((a.real, b.real), (a.imag, b.imag))
        return cmath.isclose(a, b, rel_tol=relative, abs_tol=absolute) or all(
            same_number(x, y, relative, absolute) for x, y in parts
        )
    return (a != a and b != b) or cmath.isclose(a, b, rel_tol=relative, abs_tol=absolute)
