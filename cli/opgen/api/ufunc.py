"""Functors of `ufunc_inner_loop`: `template <class T> T name(T self, T other, T alpha)`, called for every
element.

Tensor and Scalar arguments have the type that is computed in, all others their value types.
"""

from __future__ import annotations

from opgen.api import ctype
from opgen.api.cpp_types import NoCppType, value_type
from opgen.api.ctype import CType
from opgen.api.signature import Param, Signature
from opgen.model import TENSOR, Argument, Base, BaseType, Function, Group, UfuncKey

COMPUTE = ctype.Named("T")
_SCALAR = BaseType(Base.Scalar)


def name(function: Function, key: UfuncKey) -> str:
    """Returns the name of the functor that the entry gives for `key`."""
    return function.ufunc_inner_loop[key].name


def argument_type(a: Argument, compute: CType) -> CType:
    """Returns the type of a functor's argument. Raises NoCppType for lists and optional tensors, which have
    no elements.
    """
    value = value_type(a.type, False)
    if value is not None:
        return value
    if a.type not in (TENSOR, _SCALAR):
        raise NoCppType(f"argument '{a.name}': type '{a.type}' cannot be passed to a functor")
    return compute


def params(group: Group, compute: CType = COMPUTE) -> tuple[Param, ...]:
    args = group.functional.schema.arguments.non_out
    return tuple(Param(a.name, argument_type(a, compute), None, a) for a in args)


def signature(group: Group, key: UfuncKey, compute: CType = COMPUTE) -> Signature:
    return Signature(name(group.out, key), compute, params(group, compute))
