"""The content of a derivatives file, and the functions to which it applies.

The formulas are kept as written; what a generator derives from them (saved variables, forward formulas of
in-place operators) is computed in `api/autograd/`.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from opgen.diagnostics import Span
from opgen.model.dispatch import BACKENDS
from opgen.model.function import DEFAULT_NAMESPACE, Function, Places
from opgen.model.schema import Kind, Schema

DEFAULT_KEY = "Default"
FORMULA_KEYS = (DEFAULT_KEY, "AutogradNestedTensor", *(f"Autograd{backend}" for backend in BACKENDS))

NON_DIFFERENTIABLE = "non_differentiable"
AUTO_LINEAR = "auto_linear"
AUTO_ELEMENT_WISE = "auto_element_wise"
NOT_IMPLEMENTED = ("not_implemented", "not_implemented_list")


@dataclass(frozen=True, slots=True)
class Formula:
    """One formula, for the arguments (backward) or the results (forward) `names`; `path` is its place in its
    entry.
    """

    names: tuple[str, ...]
    text: str
    path: tuple[str, ...] = field(default=(), compare=False)

    @property
    def key(self) -> str:
        """Returns the names as they are written."""
        return self.path[-1]

    @property
    def is_non_differentiable(self) -> bool:
        """Whether it says that there is no gradient, instead of giving one."""
        return self.text.strip().lower() == NON_DIFFERENTIABLE

    @property
    def is_auto(self) -> bool:
        return self.text in (AUTO_LINEAR, AUTO_ELEMENT_WISE)


@dataclass(frozen=True, slots=True, eq=False)
class DerivativeEntry:
    """One entry of the file; `formulas` by dispatch key, `Default` where the entry names none.

    `differentiable` is, for each result, whether it has a gradient; None when nothing is said. `condition` is
    the C++ expression that decides it for a single result when the operator runs.
    """

    schema: Schema
    span: Span
    line: int
    namespace: str = DEFAULT_NAMESPACE
    formulas: Mapping[str, tuple[Formula, ...]] = field(default_factory=dict)
    differentiable: tuple[bool, ...] | None = None
    condition: str | None = None
    places: Places | None = None

    @property
    def qualified_name(self) -> str:
        name = str(self.schema.name)
        return name if self.namespace == DEFAULT_NAMESPACE else f"{self.namespace}::{name}"


class Origin(enum.Enum):
    """How a function gets its formulas."""

    own = "its own entry"
    inherited = "the entry of its functional form"
    mutable = "the entry of the form that writes to its arguments"
    view_copy = "the entry of the view that it copies"
    foreach = "the entry of the operator that it applies to each tensor of a list"


@dataclass(frozen=True, slots=True, eq=False)
class Derivation:
    """A function with the entry for its derivatives. The formulas use the argument names of `written`."""

    function: Function
    entry: DerivativeEntry
    written: Function
    origin: Origin


@dataclass(frozen=True, slots=True, eq=False)
class Derivatives:
    """A derivatives file, matched: `of` finds the derivation of a function by its qualified name.

    `declared` has the function of each entry that has one, in file order. `faulty`: names of operators whose
    entries could not be read completely.
    """

    path: str
    entries: tuple[DerivativeEntry, ...] = ()
    declared: tuple[tuple[DerivativeEntry, Function], ...] = ()
    of: Mapping[str, Derivation] = field(default_factory=dict)
    faulty: frozenset[str] = frozenset()


def return_names(function: Function) -> tuple[str, ...]:
    """Returns the names of results in formulas: their own, else `result`, or `result0`, `result1` ... of
    several; with `_return` where an argument has the name.
    """
    returns = function.schema.returns
    arguments = {a.name for a in function.schema.arguments.all}
    if function.kind is Kind.inplace:
        return ("result_return" if "result" in arguments else "result",) * len(returns)
    plain = [f"result{i}" for i in range(len(returns))] if len(returns) > 1 else ["result"]
    names = []
    for fallback, r in zip(plain, returns, strict=False):
        name = r.name or fallback
        names.append(f"{name}_return" if name in arguments else name)
    return tuple(names)


def gradient_names(function: Function, differentiable: Sequence[bool] | None) -> tuple[str, ...]:
    """Returns `grad_x` for each result `x` that has a name and a gradient, in the order of `grads`."""
    returns = function.schema.returns
    flags = differentiable or (True,) * len(returns)
    return tuple(
        f"grad_{r.name}"
        for r, flag in zip(returns, flags, strict=False)
        if flag and r.name is not None and r.type.is_tensor_like()
    )
