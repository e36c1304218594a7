"""Functors of `ufunc_inner_loop`: `template <class T> T name(T self, T other, T alpha)`, called for every
element.

Tensor and Scalar arguments are of the type that is computed in, all others of their value types.
"""

from __future__ import annotations

from dataclasses import dataclass

from opgen.api import ctype, structured
from opgen.api.cpp_types import NoCppType, value_type
from opgen.api.ctype import CType
from opgen.api.signature import Param, Signature
from opgen.model import TENSOR, Argument, Base, BaseType, Function, Group, UfuncKey

COMPUTE = ctype.Named("T")
_SCALAR = BaseType(Base.Scalar)


@dataclass(frozen=True, slots=True)
class LoopParams:
    """`held` are the same for all elements, `applied` change with each; a 0-dim CPU tensor is held, too."""

    held: tuple[Param, ...]
    applied: tuple[Param, ...]


def name(function: Function, key: UfuncKey) -> str:
    """The functor that the entry names for `key`."""
    return function.ufunc_inner_loop[key].name


def argument_type(a: Argument, compute: CType) -> CType:
    """Raises NoCppType for lists and optionals of tensors: an element has none."""
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


def loop_params(
    group: Group, *, element: CType, compute: CType, held_tensor: int | None = None
) -> LoopParams:
    """What a loop holds in its compute type, and what it reads from memory as `element`.

    `held_tensor` is the index, among the tensors, of one that is held as well.
    """
    held: list[Param] = []
    applied: list[Param] = []
    tensors = 0
    for p in params(group, compute):
        is_tensor = isinstance(p.argument, Argument) and p.argument.type == TENSOR
        if is_tensor and tensors != held_tensor:
            applied.append(Param(p.name, element, None, p.argument))
        else:
            held.append(p)
        tensors += is_tensor
    return LoopParams(tuple(held), tuple(applied))


def stub_params(group: Group) -> tuple[Param, ...]:
    """What the stub of the loops takes beside the iterator, which has the tensors: all the rest."""
    args = group.out.schema.arguments.non_out
    return tuple(structured.param(a) for a in args if not a.type.is_tensor_like())
