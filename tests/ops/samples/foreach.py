"""Sample rows of operators on lists: the operator of single tensors, applied to each item."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from calls import Call
from references import erf, rsqrt, sigmoid
from rows import Row, first, floating, real, same
from tensors import COMPLEX, FLOATS, Operand, numbers, on_host, operand

from samples.elementwise_functions import erfc, lgamma

# Two that one loop processes, and two by themselves: 0-dim, and empty.
SHAPES = ((3, 5), (7,), (), (0,))
DTYPES = ("int64", *FLOATS, "complex128")
REALS = ("int64", *FLOATS)
FLOATING = (*FLOATS, "complex128")

Form = Callable[[str], Call]


def items(dtype: str, low: float, high: float, seed: int = 0) -> list[Operand]:
    return [operand(numbers(shape, dtype, low, high, seed), dtype) for shape in SHAPES]


def each(call: Call) -> Iterator[Call]:
    """Yields the calls of single tensors: items of lists, and what all have in common."""
    for i in range(len(SHAPES)):
        yield Call(tuple(a[i] if isinstance(a, list) else a for a in call.args), call.kwargs)


def on_items(f: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *args, **kwargs: [f(*c.args, **c.kwargs) for c in each(Call(args, kwargs))]


def dtypes_of(rule: Callable[[Call], str]) -> Callable[[Call], list[str]]:
    return lambda call: [rule(c) for c in each(call)]


def row(
    name: str,
    reference: Callable[..., Any],
    rule: Callable[[Call], str],
    forms: tuple[Form, ...],
    dtypes: tuple[str, ...],
    **options: Any,
) -> Row:
    def calls(dtype: str) -> Iterator[Call]:
        return (form(dtype) for form in forms)

    return Row(f"_foreach_{name}", on_items(reference), calls, dtypes_of(rule), dtypes, **options)


def unary(
    name: str,
    reference: Callable[..., Any],
    rule: Callable[[Call], str] = floating,
    dtypes: tuple[str, ...] = DTYPES,
    low: float = -4,
    high: float = 4,
    **options: Any,
) -> Row:
    return row(name, reference, rule, (lambda dtype: Call((items(dtype, low, high),)),), dtypes, **options)


# ---- two operands


def of_lists(low: float, high: float, **kwargs: Any) -> Form:
    return lambda dtype: Call((items(dtype, low, high), items(dtype, low, high, 1)), kwargs)


def of_scalar(low: float, high: float, number: Any) -> Form:
    return lambda dtype: Call((items(dtype, low, high), number))


def of_scalars(low: float, high: float) -> Form:
    return lambda dtype: Call((items(dtype, low, high), [2, 2, 3, 1]))


def of_tensor(low: float, high: float, **kwargs: Any) -> Form:
    def form(dtype: str) -> Call:
        return Call((items(dtype, low, high), operand(numbers((), dtype, 2, 3, 1), dtype)), kwargs)

    return form


def binary(
    name: str,
    reference: Callable[..., Any],
    rule: Callable[[Call], str] = same,
    dtypes: tuple[str, ...] = DTYPES,
    low: float = -4,
    high: float = 4,
    more: tuple[Form, ...] = (),
) -> Row:
    scalars = (of_scalar(low, high, 2), of_scalar(low, high, 1.5), of_scalars(low, high))
    return row(name, reference, rule, (of_lists(low, high), *scalars, *more), dtypes)


def with_alpha(combine: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x, y, alpha=1: combine(x, alpha * np.asarray(y))


# ---- three operands


def of_three(low: float, high: float, *last: Any, **kwargs: Any) -> Form:
    def form(dtype: str) -> Call:
        return Call((*(items(dtype, low, high, seed) for seed in range(3)), *last), kwargs)

    return form


def of_packed_scalars(name: str, combine: Callable[..., Any], dtypes: tuple[str, ...]) -> Row:
    """Returns the row of an operator with a tensor of scalars, which is on the CPU always."""

    def reference(*args: Any) -> list[Any]:
        return [x + value * combine(a, b) for x, a, b, value in zip(*args, strict=True)]

    def calls(dtype: str) -> Iterator[Call]:
        yield Call((*of_three(1, 3)(dtype).args, on_host(operand(np.array([2, 2, 3, 1]), dtype))))

    options = {"label": "packed", "data_dependent": True}
    return Row(f"_foreach_{name}", reference, calls, dtypes_of(first), dtypes, **options)


def pointwise(name: str, combine: Callable[..., Any], dtypes: tuple[str, ...]) -> Row:
    def reference(x: Any, a: Any, b: Any, value: Any = 1) -> Any:
        return x + value * combine(a, b)

    forms = (of_three(1, 3, 2), of_three(1, 3), of_three(1, 3, [2, 2, 3, 1]))
    return row(name, reference, first, forms, dtypes)


def lerp(x: Any, end: Any, weight: Any) -> Any:
    return x + weight * (end - x)


def of_weights(*weight: Any) -> Form:
    return lambda dtype: Call((items(dtype, -4, 4), items(dtype, -4, 4, 1), *weight))


# ---- not elementwise


def square(dtype: str) -> list[Operand]:
    return [operand(numbers(shape, dtype, -2, 2), dtype) for shape in ((3, 3), (2, 2), (1, 1), (0, 0))]


def filled(dtype: str) -> list[Operand]:
    return [operand(numbers(shape, dtype, -4, 4), dtype) for shape in ((3, 5), (7,), (), (1,))]


def norm(x: Any, order: Any = 2) -> Any:
    return np.linalg.norm(np.ravel(x), order)


def power_sum(x: Any, order: Any = 2) -> Any:
    return (np.abs(x) ** order).sum()


def replaced(x: Any, source: Any, non_blocking: bool = False) -> Any:
    return source


LISTS, TENSORS = of_lists(-4, 4, alpha=2), of_tensor(-4, 4, alpha=2)
ROWS = (
    unary("abs", np.abs, same, REALS),
    unary("abs", np.abs, real, COMPLEX, label="complex", inplace=False),
    unary("acos", np.arccos, low=-1, high=1),
    unary("asin", np.arcsin, low=-1, high=1),
    unary("atan", np.arctan),
    unary("ceil", np.ceil, same, REALS),
    unary("cos", np.cos),
    unary("cosh", np.cosh),
    unary("erf", erf, dtypes=REALS),
    unary("erfc", erfc, dtypes=REALS),
    unary("exp", np.exp),
    unary("expm1", np.expm1),
    unary("floor", np.floor, same, REALS),
    unary("frac", lambda x: x - np.trunc(x), same, FLOATS),
    unary("lgamma", lgamma, dtypes=REALS, low=1),
    unary("log", np.log, low=1),
    unary("log10", np.log10, low=1),
    unary("log1p", np.log1p, low=0),
    unary("log2", np.log2, low=1),
    unary("neg", np.negative, same),
    unary("reciprocal", lambda x: 1 / x, low=1),
    unary("round", np.round, same, REALS),
    unary("rsqrt", rsqrt, low=1),
    unary("sigmoid", sigmoid),
    unary("sign", np.sign, same, REALS),
    unary("sin", np.sin),
    unary("sinh", np.sinh),
    unary("sqrt", np.sqrt, low=0),
    unary("tan", np.tan, low=-1, high=1),
    unary("tanh", np.tanh),
    unary("trunc", np.trunc, same, REALS),
    unary("zero", np.zeros_like, same),
    unary("clone", lambda x: x, same),
    binary("add", with_alpha(np.add), more=(of_tensor(-4, 4), LISTS, TENSORS)),
    binary("sub", with_alpha(np.subtract), more=(LISTS,)),
    binary("mul", np.multiply, more=(of_tensor(-4, 4),)),
    binary("div", np.true_divide, floating, low=1, more=(of_tensor(1, 4),)),
    binary("clamp_max", np.minimum, dtypes=REALS),
    binary("clamp_min", np.maximum, dtypes=REALS),
    binary("maximum", np.maximum, dtypes=REALS),
    binary("minimum", np.minimum, dtypes=REALS),
    binary("pow", np.power, low=1, more=(lambda dtype: Call((2, items(dtype, 1, 4))),)),
    pointwise("addcmul", np.multiply, DTYPES),
    pointwise("addcdiv", np.true_divide, FLOATING),
    of_packed_scalars("addcmul", np.multiply, DTYPES),
    of_packed_scalars("addcdiv", np.true_divide, FLOATING),
    row("lerp", lerp, first, (of_three(0, 2), of_weights(0.25), of_weights([2, 2, 3, 1])), FLOATING),
    row("copy", replaced, first, (of_lists(-4, 4),), DTYPES),
    row("max", np.max, first, (lambda dtype: Call((filled(dtype),)),), REALS),
    row(
        "norm",
        norm,
        real,
        tuple(
            lambda dtype, o=order: Call((filled(dtype), *o)) for order in ((), (1,), (3.5,), (float("inf"),))
        ),
        FLOATING,
    ),
    row(
        "powsum",
        power_sum,
        real,
        tuple(lambda dtype, o=o: Call((filled(dtype), *o)) for o in ((), (3,))),
        FLOATING,
    ),
    row("mm", np.matmul, first, (lambda dtype: Call((square(dtype), square(dtype))),), FLOATING),
)
