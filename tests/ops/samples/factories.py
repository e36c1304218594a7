"""Sample rows of factories."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from calls import Call, DType
from rows import Calls, Row, first, loose
from tensors import COMPLEX, DTYPES, FLOATS, INTEGERS, LAYOUTS, NUMBERS, SHAPES, numbers, operand

SMALL = tuple(s for s in SHAPES if len(s) < 5)


def sized(*rest: Any) -> Calls:
    return lambda dtype: (Call((list(s), *rest), {"dtype": DType(dtype)}) for s in SMALL)


def like(*rest: Any, **kwargs: Any) -> Calls:
    def calls(dtype: str) -> Iterator[Call]:
        for shape in SMALL:
            for layout in LAYOUTS:
                x = operand(numbers(shape, dtype), dtype, layout)
                yield from (Call((x, *rest), kwargs), Call((x, *rest), {**kwargs, "dtype": DType("float32")}))

    return calls


def new(*rest: Any) -> Calls:
    def calls(dtype: str) -> Iterator[Call]:
        x = operand(numbers((2, 3), dtype), dtype)
        for s in SMALL:
            yield from (Call((x, list(s), *rest)), Call((x, list(s), *rest), {"dtype": DType("int32")}))

    return calls


def asked(call: Call) -> str:
    return call.kwargs["dtype"].name if "dtype" in call.kwargs else first(call)


def of_shape(value: Any) -> Callable[..., np.ndarray]:
    return lambda size, *args, **_: np.full(
        size, args[0] if args and not isinstance(args[0], list) else value
    )


def of_like(value: Any) -> Callable[..., np.ndarray]:
    return lambda x, *args, **_: np.full(x.shape, args[0] if args else value)


def of_new(value: Any) -> Callable[..., np.ndarray]:
    return lambda x, size, *args, **_: np.full(
        size, args[0] if args and not isinstance(args[0], list) else value
    )


def strided_sizes(dtype: str) -> Iterator[Call]:
    for size, stride in (([2, 3], [3, 1]), ([2, 3], [1, 2]), ([0, 3], [1, 1]), ([4], [3]), ([], [])):
        yield Call((size, stride), {"dtype": DType(dtype)})


def permuted_sizes(dtype: str) -> Iterator[Call]:
    for size, order in (([2, 3, 4], [2, 0, 1]), ([0, 3], [1, 0]), ([4], [0]), ([], [])):
        yield Call((size, order), {"dtype": DType(dtype)})


def new_strided(dtype: str) -> Iterator[Call]:
    x = operand(numbers((2,), dtype), dtype)
    return (Call((x, *c.args)) for c in strided_sizes(dtype))


def ranges(dtype: str) -> Iterator[Call]:
    for args in ((5,), (0,), (2, 9), (1, 10, 3), (9, 0, -2), (0, 1000), (0.0, 1.0, 0.125)):
        if all(isinstance(a, int) for a in args) or "float" in dtype:
            yield Call(args, {"dtype": DType(dtype)})


RANGED = ("int16", "int32", "int64", "float32", "float64")


def row(name: str, reference: Callable[..., Any], calls: Calls, **options: Any) -> Row:
    """Returns the row of a factory, whose out= decides the dtype."""
    return Row(name, reference, calls, asked, out_decides=True, **options)


# ---- sequences and identity matrices


def eye_calls(dtype: str) -> Iterator[Call]:
    for size in ((0,), (1,), (5,), (3, 7), (7, 3), (0, 4)):
        yield Call(size, {"dtype": DType(dtype)})


def between(*rest: Any) -> Calls:
    """Returns calls with ends in numbers and, for floats, in tensors."""

    def calls(dtype: str) -> Iterator[Call]:
        for steps in (0, 1, 2, 9, 100):
            for ends in ((0, 8), (5, 1), (2, 2)):
                yield Call((*ends, steps, *rest), {"dtype": DType(dtype)})
        if dtype in FLOATS:
            yield Call((-1.5, 2.5, 33, *rest), {"dtype": DType(dtype)})
        if dtype in COMPLEX:
            yield Call((1j, 2 - 1j, 33, *rest), {"dtype": DType(dtype)})

    return calls


def between_tensors(*rest: Any) -> Calls:
    def calls(dtype: str) -> Iterator[Call]:
        low, high = operand(np.array(1), dtype), operand(np.array(4), dtype)
        for ends in ((low, high), (low, 4), (1, high)):
            yield Call((*ends, 9, *rest), {"dtype": DType("float64")})

    return calls


def name_of(dtype: Any) -> str:
    return str(dtype).rpartition(".")[2]


def linspace(start: Any, end: Any, steps: int, dtype: Any) -> np.ndarray:
    made = np.linspace(start, end, steps)
    return np.trunc(made) if name_of(dtype) in INTEGERS else made


def logspace(start: Any, end: Any, steps: int, base: float = 10.0, dtype: Any = None) -> np.ndarray:
    made = base ** np.linspace(start, end, steps)
    return np.trunc(made + 1e-9) if name_of(dtype) in INTEGERS else made


def loose_powers(dtype: str) -> tuple[float, float] | None:
    return {"float16": (1e-2, 1e-2), "bfloat16": (5e-2, 1e-2), "float32": (1e-5, 1e-5)}.get(
        dtype, (1e-5, 1e-5) if dtype == "complex64" else loose(dtype)
    )


def inclusive_calls(dtype: str) -> Iterator[Call]:
    for args in ((0, 5), (2, 9, 1), (1, 10, 3), (9, 0, -2), (0, 1000), (0.0, 1.0, 0.125)):
        if all(isinstance(a, int) for a in args) or "float" in dtype:
            yield Call(args, {"dtype": DType(dtype)})


def inclusive(start: Any, end: Any, step: Any = 1, **_: Any) -> np.ndarray:
    return np.arange(int((end - start) / step) + 1) * step + start


# ---- windows


def window_calls(*rest: Any) -> Calls:
    def calls(dtype: str) -> Iterator[Call]:
        for n in (0, 1, 2, 5, 64):
            if not rest:
                yield Call((n,), {"dtype": DType(dtype)})
            yield from (Call((n, periodic, *rest), {"dtype": DType(dtype)}) for periodic in (False, True))

    return calls


def window(f: Callable[..., np.ndarray]) -> Callable[..., np.ndarray]:
    """Returns the reference of a window that is f(angles over one period, ...)."""

    def reference(n: int, periodic: bool = True, *rest: float, **_: Any) -> np.ndarray:
        if n < 2:
            return np.ones(n)
        return f(2 * np.pi * np.arange(n) / (n if periodic else n - 1), *rest)

    return reference


def hamming(t: np.ndarray, alpha: float = 0.54, beta: float = 0.46) -> np.ndarray:
    return alpha - beta * np.cos(t)


def blackman(t: np.ndarray) -> np.ndarray:
    return 0.42 - 0.5 * np.cos(t) + 0.08 * np.cos(2 * t)


def kaiser(t: np.ndarray, beta: float = 12.0) -> np.ndarray:
    x = np.clip(1 - (t / np.pi - 1) ** 2, 0, None)
    return np.i0(beta * np.sqrt(x)) / np.i0(beta)


def windows(name: str, f: Callable[..., np.ndarray], *rest: float, label: str = "") -> Row:
    return row(f"{name}_window", window(f), window_calls(*rest), dtypes=FLOATS, tolerance=loose, label=label)


ROWS = (
    row("zeros", of_shape(0), sized()),
    row("ones", of_shape(1), sized()),
    row("full", of_shape(0), sized(1)),
    row("empty", of_shape(0), sized(), compare=False),
    row("zeros_like", of_like(0), like()),
    row("ones_like", of_like(1), like()),
    row("full_like", of_like(0), like(1)),
    row("empty_like", of_like(0), like(), compare=False),
    row("new_zeros", of_new(0), new()),
    row("new_ones", of_new(1), new()),
    row("new_full", of_new(0), new(1)),
    row("new_empty", of_new(0), new(), compare=False),
    row("empty_strided", of_shape(0), strided_sizes, compare=False),
    row("empty_permuted", of_shape(0), permuted_sizes, compare=False),
    row("new_empty_strided", of_new(0), new_strided, compare=False),
    row("arange", lambda *a, **_: np.arange(*a), ranges, dtypes=RANGED),
    row("scalar_tensor", lambda v, **_: np.asarray(v), lambda d: iter([Call((1,), {"dtype": DType(d)})])),
    row("eye", lambda n, m=None, **_: np.eye(n, m), eye_calls, dtypes=DTYPES),
    row("linspace", linspace, between(), dtypes=NUMBERS, tolerance=loose),
    Row(
        "linspace",
        linspace,
        between_tensors(),
        lambda call: "float64",
        FLOATS,
        out_decides=True,
        label="tensors",
        data_dependent=True,  # the values of start and end
    ),
    row(
        "logspace",
        logspace,
        between(2.0),
        dtypes=("int32", "int64", *FLOATS, *COMPLEX),
        tolerance=loose_powers,
    ),
    Row(
        "logspace",
        logspace,
        between_tensors(),
        lambda call: "float64",
        FLOATS,
        out_decides=True,
        label="tensors",
        data_dependent=True,  # the values of start and end
    ),
    row("range", inclusive, inclusive_calls, dtypes=("int16", "int32", "int64", "float32", "float64")),
    windows("bartlett", lambda t: 1 - np.abs(t / np.pi - 1)),
    windows("blackman", blackman),
    windows("hann", lambda t: 0.5 - 0.5 * np.cos(t)),
    windows("hamming", hamming),
    windows("hamming", hamming, 0.6, label="alpha"),
    windows("hamming", hamming, 0.6, 0.3, label="beta"),
    windows("kaiser", kaiser),
    windows("kaiser", kaiser, 5.0, label="beta"),
)
