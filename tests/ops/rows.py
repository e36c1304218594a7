"""Sample rows: an operator, calls of it, and the expected results from NumPy."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import promotion
from calls import Call
from tensors import COMPLEX, DTYPES, FLOATS, LAYOUTS, SHAPES, Operand, numbers, operand, value_type

Calls = Callable[[str], Iterator[Call]]


@dataclass(frozen=True)
class Row:
    """One operator. `calls(dtype)` makes its calls; `reference(*args, **kwargs)` gets values for operands
    and gives those of the results; `dtype(call)` names the results' dtypes."""

    name: str
    reference: Callable[..., Any]
    calls: Calls
    dtype: Callable[[Call], Any]
    dtypes: tuple[str, ...] = DTYPES
    common: bool = False  # the reference gets all operands in the promoted dtype
    tolerance: Callable[[str], tuple[float, float] | None] = lambda dtype: None
    label: str = ""
    compare: bool = True  # False: values are random or undefined, only their shape is checked
    inplace: bool = True
    reshapes: bool = False  # the in-place form changes the shape, not the values
    out_decides: bool = False  # the computation uses the dtype of out=
    data_dependent: bool = False  # the result's shape depends on values, which the Meta device lacks

    def __str__(self) -> str:
        return f"{self.name}-{self.label}" if self.label else self.name


# ---- dtypes of results


def same(call: Call) -> str:
    return promotion.result_type([*call.args, *(v for v in call.kwargs.values() if isinstance(v, Operand))])


def floating(call: Call) -> str:
    return promotion.to_float(same(call))


def boolean(call: Call) -> str:
    return "bool"


def real(call: Call) -> str:
    return promotion.to_real(same(call))


def first(call: Call) -> str:
    """Returns the dtype of the first operand."""
    return call.operands[0].dtype


def index(call: Call) -> str:
    return "int64"


def with_positions(call: Call) -> tuple[str, str]:
    """Returns the dtypes of the first operand's elements and of their positions."""
    return first(call), "int64"


def summed(call: Call) -> str:
    """Returns the dtype of a sum: sums and products of integers are int64; a given dtype has precedence."""
    asked = call.kwargs.get("dtype")
    return asked.name if asked else "int64" if promotion.CATEGORIES[first(call)] < 2 else first(call)


# ---- values for references: floats get more bits than the operator has, integers keep theirs


def wide(values: np.ndarray) -> np.ndarray:
    kind = values.dtype.kind
    return values.astype("float64") if kind == "f" else values.astype("complex128") if kind == "c" else values


# ---- tolerances

LOOSE = {
    "float32": (1e-5, 1e-4),
    "complex64": (1e-5, 1e-4),
    "float16": (1e-2, 1e-2),
    "bfloat16": (2e-2, 2e-2),
}


def loose(dtype: str) -> tuple[float, float] | None:
    """Returns the tolerance of long sums, which lose more than one rounding."""
    return LOOSE.get(dtype)


def loose_products(dtype: str) -> tuple[float, float] | None:
    """Returns the tolerance of sums of some hundred products of rounded values."""
    return {"float16": (1e-2, 2e-2), "bfloat16": (5e-2, 1e-1), "float32": (1e-5, 1e-4)}.get(dtype)


# ---- calls of elementwise operators


@dataclass(frozen=True)
class Domain:
    """The range of an operator's arguments."""

    low: float = -5
    high: float = 5
    special: bool = True  # also NaN and infinities

    def values(self, shape: tuple[int, ...], dtype: str, seed: int = 0) -> np.ndarray:
        made = numbers(shape, dtype, self.low, self.high, seed)
        if self.special and dtype in FLOATS and made.size >= 7:
            flat = made.reshape(-1).copy()
            flat[seed % 3 : seed % 3 + 4] = [np.nan, np.inf, -np.inf, -0.0]
            made = flat.reshape(shape)
        return made


FINITE = Domain(special=False)


def unary_calls(domain: Domain) -> Calls:
    def calls(dtype: str) -> Iterator[Call]:
        for shape in SHAPES:
            for layout in LAYOUTS:
                if layout == "contiguous" or differs(shape, layout):
                    yield Call((operand(domain.values(shape, dtype), dtype, layout),))

    return calls


def differs(shape: tuple[int, ...], layout: str) -> bool:
    """Whether the layout's strides differ for the shape and are worth a test: large shapes are only
    transposed.
    """
    if math.prod(shape) > 10_000 and layout != "transposed":
        return False
    probe = np.zeros(shape, np.int8)
    return LAYOUTS[layout](probe).strides != probe.strides


PAIRS: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = (
    ((), ()),
    ((0,), (0,)),
    ((0,), (1,)),
    ((1,), (7,)),
    ((7,), (7,)),
    ((7,), ()),
    ((), (3, 5)),
    ((3, 5), (5,)),
    ((3, 1), (1, 5)),
    ((33, 17), (33, 17)),
    ((2, 3, 4, 5), (3, 1, 5)),
    ((2, 1, 3, 2, 1, 2, 2), (2, 1, 2, 3, 1, 2)),
    ((257, 301), (257, 301)),
)


def binary_calls(domain: Domain, second: Domain | None = None, **kwargs: Any) -> Calls:
    """Returns broadcast pairs in all layouts."""

    def calls(dtype: str) -> Iterator[Call]:
        for a, b in PAIRS:
            left, right = domain.values(a, dtype), (second or domain).values(b, dtype, 1)
            yield Call((operand(left, dtype), operand(right, dtype)), kwargs)
            for layout in LAYOUTS:
                if differs(a, layout):
                    yield Call((operand(left, dtype, layout), operand(right, dtype)), kwargs)
                if differs(b, layout):
                    yield Call((operand(left, dtype), operand(right, dtype, layout)), kwargs)

    return calls


def mixed_calls(given: Domain, mixed: tuple[str, ...] = DTYPES, **kwargs: Any) -> Calls:
    """Returns calls with every other dtype, with dimensions and without, and with scalars of each kind."""

    def calls(dtype: str) -> Iterator[Call]:
        for other in mixed:
            with_complex = {dtype, other} & set(COMPLEX)
            if "float16" in (dtype, other) and with_complex:
                continue  # complex32, which NumPy lacks
            domain = replace(
                given, special=given.special and not with_complex
            )  # a real infinity converted to complex has NaNs
            left = operand(domain.values((3, 5), dtype), dtype)
            for shape in ((3, 5), (5,), ()):
                yield Call((left, operand(domain.values(shape, other, 1), other)), kwargs)
            yield Call(
                (operand(domain.values((), dtype), dtype), operand(domain.values((5,), other, 1), other)),
                kwargs,
            )

    return calls


def scalar_calls(domain: Domain, numbers_: tuple[Any, ...], order: str = "ts", **kwargs: Any) -> Calls:
    """Returns calls with a tensor and a scalar ("ts"), or a scalar and a tensor ("st")."""

    def calls(dtype: str) -> Iterator[Call]:
        for shape in ((), (0,), (7,), (3, 5), (33, 17)):
            for number in numbers_:
                if isinstance(number, complex) and dtype == "float16":
                    continue
                t = operand(domain.values(shape, dtype), dtype)
                yield Call((t, number) if order == "ts" else (number, t), kwargs)

    return calls


def chain(*makers: Calls) -> Calls:
    def calls(dtype: str) -> Iterator[Call]:
        for make in makers:
            yield from make(dtype)

    return calls


def also(calls: Calls, *given: dict[str, Any] | tuple[Any, ...]) -> Calls:
    """Returns the calls with more arguments: each of `given` in turn, positional ones or keywords."""

    def made(dtype: str) -> Iterator[Call]:
        for call in calls(dtype):
            for more in given:
                if isinstance(more, dict):
                    yield Call(call.args, {**call.kwargs, **more})
                else:
                    yield Call((*call.args, *more), call.kwargs)

    return made


# ---- rows of elementwise operators


def unary(
    name: str,
    reference: Callable[..., Any],
    dtype: Callable[[Call], str] = floating,
    *,
    low: float = -5,
    high: float = 5,
    dtypes: tuple[str, ...] = DTYPES,
    special: bool = True,
    **options: Any,
) -> Row:
    """Returns the row of an elementwise operator of one argument."""
    return Row(
        name, reference, unary_calls(Domain(low, high, special)), dtype, dtypes, common=True, **options
    )


def binary(
    name: str,
    reference: Callable[..., Any],
    dtype: Callable[[Call], str] = same,
    *,
    low: float = -5,
    high: float = 5,
    dtypes: tuple[str, ...] = DTYPES,
    numbers: tuple[Any, ...] = (),
    order: str = "ts",
    special: bool = True,
    mixed: bool = True,
    others: tuple[str, ...] = DTYPES,
    second: Domain | None = None,
    label: str = "",
    **kwargs: Any,
) -> Row:
    """Returns the row of an elementwise operator of two arguments; keyword arguments go to the operator."""
    domain = Domain(low, high, special)
    makers = [binary_calls(domain, second, **kwargs)] if order == "ts" else []
    makers += [mixed_calls(domain, others, **kwargs)] if mixed and order == "ts" else []
    makers += [scalar_calls(domain, numbers, order, **kwargs)] if numbers else []
    return Row(name, reference, chain(*makers), dtype, dtypes, common=True, label=label)


def gradient(name: str, reference: Any, dtypes: tuple[str, ...] = FLOATS + COMPLEX, **options: Any) -> Row:
    """Returns the row of an elementwise operator of the result's gradient and another operand."""
    return binary(name, reference, same, low=-2, high=2, dtypes=dtypes, mixed=False, special=False, **options)


def cast(value: Any, dtype: str) -> Any:
    """Returns an operand's values for the reference, in the operator's compute type."""
    if isinstance(value, Operand):
        return wide(np.asarray(value.values).astype(value_type(dtype)))
    if isinstance(value, (bool, int, float, complex)):
        return wide(np.asarray(value).astype(value_type(dtype)))
    return value
