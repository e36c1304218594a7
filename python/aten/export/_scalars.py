"""Arithmetic on sizes and other scalars: the functions of Python and PyTorch that a program may call.

PyTorch writes such nodes with the name of a Python function. Only the names listed here are resolved (those
of `_SYM_OPS` in torch/_export/serde/serialize.py, and torch's `_sym_*`); none is looked up in a module.
Scalars are int, float and bool. Integers are limited to 64 bits, which bounds the time of a computation.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

Scalar = int | float | bool

_BITS = 63


def _scalar(value: Any) -> Scalar:
    if type(value) not in (int, float, bool):
        raise TypeError(f"expected int, float or bool, got {type(value).__name__}")
    if type(value) is int and not -(2**_BITS) <= value < 2**_BITS:
        raise OverflowError("an integer doesn't fit 64 bits")
    scalar: Scalar = value
    return scalar


def _of_scalars(function: Callable[..., Any]) -> Callable[..., Scalar]:
    """The function with checks of its arguments and its result."""

    def checked(*args: Any) -> Scalar:
        return _scalar(function(*map(_scalar, args)))

    return checked


def _power(base: Scalar, exponent: Scalar) -> Any:
    """Raises OverflowError before an integer of more than 64 bits is computed."""
    if isinstance(base, int) and isinstance(exponent, int) and abs(base) > 1 and exponent > _BITS:
        raise OverflowError("an integer doesn't fit 64 bits")
    return base**exponent


def _shifted_left(value: Scalar, bits: Scalar) -> Any:
    if bits > _BITS and value != 0:
        raise OverflowError("an integer doesn't fit 64 bits")
    return operator.lshift(value, bits)


def _sum(values: Any) -> Scalar:
    if not isinstance(values, (list, tuple)):
        raise TypeError(f"expected a list of scalars, got {type(values).__name__}")
    return _scalar(sum(map(_scalar, values)))


def _ite(condition: Any, then: Any, otherwise: Any) -> Scalar:
    return _scalar(then) if _scalar(condition) else _scalar(otherwise)


def _item(values: Any, index: Any) -> Any:
    """Selects one of several results; nothing else can be indexed."""
    if not isinstance(values, (list, tuple)) or type(index) is not int:
        raise TypeError(f"expected a list and an int, got {type(values).__name__} and {type(index).__name__}")
    found: Sequence[Any] = values
    return found[index]


_OPERATORS = (
    *(operator.eq, operator.ne, operator.le, operator.ge, operator.lt, operator.gt),
    *(operator.neg, operator.pos, operator.and_, operator.or_, operator.rshift),
    *(operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod),
)
_ROUNDING = (math.ceil, math.floor, math.trunc)
_REAL = (
    *(math.sqrt, math.log2, math.sin, math.cos, math.tan, math.asin, math.acos, math.atan),
    *(math.sinh, math.cosh, math.tanh),
)

FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{f"_operator.{f.__name__}": _of_scalars(f) for f in _OPERATORS},
    "_operator.pow": _of_scalars(_power),
    "_operator.lshift": _of_scalars(_shifted_left),
    "_operator.getitem": _item,
    **{f"math.{f.__name__}": _of_scalars(f) for f in _ROUNDING},
    **{f"torch._sym_{f.__name__}": _of_scalars(f) for f in _REAL},
    "torch.sym_sqrt": _of_scalars(math.sqrt),
    "torch.sym_not": _of_scalars(operator.not_),
    "torch.sym_int": _of_scalars(int),
    "torch.sym_float": _of_scalars(float),
    "torch.sym_max": _of_scalars(lambda a, b: max(a, b)),
    "torch.sym_min": _of_scalars(lambda a, b: min(a, b)),
    "torch.sym_sum": _sum,
    "torch.sym_ite": _ite,
}
