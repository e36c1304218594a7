"""The overloads that schemas/ declares as differentiable."""

from __future__ import annotations

import functools
from pathlib import Path

from opgen import pipeline
from opgen.api.autograd import Autograd
from opgen.model import DispatchKey, Function, Kind, Program

SCHEMAS = Path(__file__).parents[2] / "schemas"


@functools.cache
def program() -> Program:
    return pipeline.load(SCHEMAS / "native_functions.yaml")[0]


@functools.cache
def with_formula() -> tuple[str, ...]:
    """Returns the functional and in-place overloads with a formula for an argument."""
    autograd = Autograd(program())
    return tuple(
        f.qualified_name
        for f in program().functions
        if f.kind in (Kind.functional, Kind.inplace) and any(d.backward for d in autograd.of(f).values())
    )


@functools.cache
def with_tangent() -> frozenset[str]:
    """Returns those overloads that have a forward formula, too."""
    autograd, known = Autograd(program()), program().by_name
    return frozenset(n for n in with_formula() if any(d.forward for d in autograd.of(known[n]).values()))


def changes_shape(overload: str) -> bool:
    """Whether the operator changes only the shape."""
    return "inplace_view" in program().by_name[overload].tags


def is_composite(function: Function) -> bool:
    """Whether the kernel only calls other operators, through which it is differentiated."""
    return DispatchKey.CompositeImplicitAutograd in (function.dispatch or {})


@functools.cache
def composites() -> tuple[str, ...]:
    """Returns the composite overloads that return tensors and have no formula."""
    return tuple(
        f.qualified_name
        for f in composite_functions()
        if any(r.type.is_tensor_like() for r in f.schema.returns) and f.qualified_name not in with_formula()
    )


def composite_functions() -> list[Function]:
    """Returns the functional and in-place composite functions that take tensors."""
    return [
        f
        for f in program().functions
        if is_composite(f) and f.kind in (Kind.functional, Kind.inplace) and f.schema.arguments.has_tensor()
    ]
