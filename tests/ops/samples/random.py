"""Sample rows of random numbers: shapes, dtypes and strides. test_random.py checks the drawn values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from calls import Call, DType, Seeded
from rows import Calls, Row, first, index
from tensors import BOOL, COMPLEX, FLOATS, INTEGERS, LAYOUTS, numbers, on_host, operand

SIZES = ((), (0,), (7,), (3, 5), (33, 17))


def generators(call: Call) -> Iterator[Call]:
    """Yields the call with the default generator and with a new one."""
    yield call
    yield Call(call.args, {**call.kwargs, "generator": Seeded()})


def sized(*leading: Any, **kwargs: Any) -> Calls:
    def calls(dtype: str) -> Iterator[Call]:
        for size in SIZES:
            yield from generators(Call((*leading, list(size)), {"dtype": DType(dtype), **kwargs}))

    return calls


def like(*rest: Any, low: float = -5, high: float = 5, typed: bool = True) -> Calls:
    def calls(dtype: str) -> Iterator[Call]:
        for size in SIZES:
            for layout in LAYOUTS:
                x = operand(numbers(size, dtype, low, high), dtype, layout)
                yield from generators(Call((x, *rest)))
                if typed:
                    yield from generators(Call((x, *rest), {"dtype": DType("float32")}))

    return calls


def between(*makers: Calls) -> Calls:
    return lambda dtype: (c for make in makers for c in make(dtype))


def with_tensor(dtype: str) -> Iterator[Call]:
    """Yields calls in which a tensor holds the upper bound."""
    for c in like(typed=False)(dtype):
        yield Call((c.args[0], on_host(operand(np.asarray(5), "int64"))), c.kwargs)


def probabilities(dtype: str) -> Iterator[Call]:
    for c in like(typed=False)(dtype):
        yield Call(
            (c.args[0], operand(numbers(c.args[0].stored.shape, "float32", 0, 1), "float32")), c.kwargs
        )


def normals(dtype: str) -> Iterator[Call]:
    for size in ((7,), (3, 5)):
        a, b = (operand(numbers(size, dtype, 0, 5, s), dtype) for s in (1, 2))
        for args in ((a, 2.0), (1.0, b), (a, b)):
            yield from generators(Call(args))


def normal_sized(dtype: str) -> Iterator[Call]:
    for size in SIZES:
        yield from generators(Call((1.0, 2.0, list(size)), {"dtype": DType(dtype)}))


def weights(dtype: str) -> Iterator[Call]:
    """Yields draws with and without replacement, of one row and of several."""
    for shape in ((9,), (3, 5), (0, 4)):
        x = operand(numbers(shape, dtype, 0.1, 5), dtype)
        for args in ((1,), (4,), (1, True), (20, True)):
            yield from generators(Call((x, *args)))


def parameters(low: float, high: float, count: int = 1) -> Calls:
    """Returns calls with a tensor for each parameter of a distribution."""

    def calls(dtype: str) -> Iterator[Call]:
        for size in ((0,), (7,), (3, 5)):
            for layout in LAYOUTS:
                x = operand(numbers(size, dtype, low, high), dtype, layout)
                yield from generators(Call((x,) * count))

    return calls


def without_generator(calls: Calls) -> Calls:
    return lambda dtype: (Call(c.args) for c in calls(dtype) if not c.kwargs)


def drawn(x: np.ndarray, count: int, replacement: bool = False, **_: Any) -> np.ndarray:
    return np.zeros((*x.shape[:-1], count))


def permutations(dtype: str) -> Iterator[Call]:
    for n in (0, 1, 2, 100):
        yield from generators(Call((n,), {"dtype": DType(dtype)}))


def made(*args: Any, dtype: Any = None, **_: Any) -> np.ndarray:
    """Returns zeros; only the shape counts: that of the first array, or the size."""
    arrays = [a for a in args if isinstance(a, np.ndarray)]
    sizes = [a for a in args if isinstance(a, list)]
    return np.zeros(arrays[0].shape if arrays else sizes[-1] if sizes else args[0])


def asked(call: Call) -> str:
    return call.kwargs["dtype"].name if "dtype" in call.kwargs else first(call)


def row(
    name: str, calls: Calls, dtypes: tuple[str, ...], reference: Callable[..., Any] = made, **options: Any
) -> Row:
    return Row(
        name,
        reference,
        calls,
        options.pop("dtype", asked),
        dtypes,
        compare=False,
        out_decides=True,
        **options,
    )


REALS = INTEGERS + FLOATS
ROWS = (
    row("rand", sized(), FLOATS + COMPLEX),
    row("randn", sized(), FLOATS + COMPLEX),
    row("randint", between(sized(10), sized(2, 10)), REALS),
    row("rand_like", like(), FLOATS + COMPLEX),
    row("randn_like", like(), FLOATS + COMPLEX),
    row("randint_like", between(like(10), like(2, 10)), REALS),
    row("randint_like", with_tensor, REALS, label="tensor", data_dependent=True),
    row("randperm", permutations, (*INTEGERS, "float32", "float64")),
    row("bernoulli", between(like(low=0, high=1, typed=False), like(0.25, typed=False)), FLOATS),
    row(
        "bernoulli", between(like(0.25, typed=False), probabilities), BOOL + REALS, label="given", dtype=first
    ),
    row("normal_functional", like(1.0, 2.0, typed=False), FLOATS),
    row("normal", like(1.0, 2.0, typed=False), FLOATS + COMPLEX, label="fill"),
    row("normal", normals, ("float32", "float64"), dtype=lambda c: first(c)),
    row("normal", normal_sized, FLOATS, label="sized"),
    row("random", between(like(2, 10, typed=False), like(2, None, typed=False)), REALS),
    row("random", between(like(10, typed=False), like(typed=False)), REALS, label="without from"),
    row("uniform", like(1.0, 2.0, typed=False), FLOATS),
    row("exponential", between(like(typed=False), like(2.0, typed=False)), FLOATS),
    row("cauchy", between(like(typed=False), like(1.0, 2.0, typed=False)), FLOATS),
    row("log_normal", between(like(typed=False), like(1.0, 0.5, typed=False)), FLOATS),
    row("geometric", like(0.4, typed=False), REALS),
    row("multinomial", weights, FLOATS, drawn, dtype=index),
    row("poisson", parameters(0, 20), FLOATS),
    row("binomial", parameters(0, 1, 2), FLOATS),
    row("_standard_gamma", parameters(0.1, 5), FLOATS),
    row("_sample_dirichlet", parameters(0.1, 5), FLOATS),
    row("_standard_gamma_grad", without_generator(parameters(0.1, 5, 2)), FLOATS),
    row("_dirichlet_grad", without_generator(parameters(0.1, 0.9, 3)), FLOATS),
)
