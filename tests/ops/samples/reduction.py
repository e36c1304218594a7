"""Sample rows of sums, products, all and any, variances and norms."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import promotion
from calls import Call, DType
from rows import Calls, Domain, Row, differs, first, loose, summed, unary_calls
from tensors import COMPLEX, FLOATS, LAYOUTS, REAL, Operand, numbers, operand

REDUCED = ((), (0,), (1,), (7,), (3, 5), (33, 17), (2, 3, 4, 5), (2, 1, 3, 2, 1, 2, 2), (257, 301))


def inputs(dtype: str, low: float = -2, high: float = 2, empty: bool = True) -> Iterator[Operand]:
    """Yields every shape in every layout that differs."""
    for shape in REDUCED:
        if 0 in shape and not empty:
            continue
        made = numbers(shape, dtype, low, high)
        for layout in LAYOUTS:
            if layout == "contiguous" or differs(shape, layout):
                yield operand(made, dtype, layout)


def whole(**options: Any) -> Calls:
    """Returns calls without a dimension."""
    return lambda dtype: (Call((x,)) for x in inputs(dtype, **options))


def along_one(**options: Any) -> Calls:
    """Returns calls with one dimension, from both ends, with keepdim and without."""

    def calls(dtype: str) -> Iterator[Call]:
        for x in inputs(dtype, **options):
            for dim in sorted({0, -1, x.stored.ndim // 2}) if x.stored.ndim else (0,):
                yield from (Call((x, dim)), Call((x, dim, True)))

    return calls


def along_some(**options: Any) -> Calls:
    """Returns calls with lists of dimensions."""

    def calls(dtype: str) -> Iterator[Call]:
        for x in inputs(dtype, **options):
            for dims in ([0], [-1], [0, -1], [0, 1, 2, 3]):
                wrapped = {d % max(x.stored.ndim, 1) for d in dims}
                if len(wrapped) == len(dims) and max(dims) < max(x.stored.ndim, 1):
                    yield from (Call((x, dims)), Call((x, dims, True)))

    return calls


def with_dtype(calls: Calls, *names: str) -> Calls:
    return lambda dtype: (Call(c.args, {"dtype": DType(n)}) for c in calls(dtype) for n in names)


def axes(x: np.ndarray, dim: Any) -> Any:
    if dim is None or x.ndim == 0:
        return None
    return tuple(dim) if isinstance(dim, (list, tuple)) else dim


def reduced(function: Callable[..., Any]) -> Callable[..., Any]:
    """Returns a NumPy reduction with our arguments."""

    def reference(x: np.ndarray, dim: Any = None, keepdim: bool = False, dtype: DType | None = None) -> Any:
        if dtype is not None:
            x = x.astype(np.float64 if promotion.CATEGORIES[dtype_text(dtype)] == 2 else dtype_text(dtype))
        elif x.dtype.kind in "iub" and function in (np.sum, np.prod):
            x = x.astype(np.int64)
        return function(x, axis=axes(x, dim), keepdims=keepdim and x.ndim > 0)

    return reference


def dtype_text(dtype: Any) -> str:
    return str(getattr(dtype, "name", dtype)).rpartition(".")[2]


def variance(x: np.ndarray, *args: Any, correction: Any = 1, keepdim: bool = False, **kwargs: Any) -> Any:
    """Computes the three overloads of var: (unbiased), (dim, unbiased, keepdim), (dim, *, correction,
    keepdim).
    """
    dim = None
    if args and isinstance(args[0], bool):
        correction = int(args[0])
    elif args:
        dim = args[0]
        if len(args) > 1:
            correction = int(args[1])
        if len(args) > 2:
            keepdim = args[2]
    axis = axes(x, dim)
    count = x.size if axis is None else int(np.prod([x.shape[d] for d in np.atleast_1d(axis)]))
    mean = np.mean(x, axis=axis, keepdims=True)
    total = np.sum(np.abs(x - mean) ** 2, axis=axis, keepdims=keepdim and x.ndim > 0)
    return total / np.asarray(max(0.0, count - float(1 if correction is None else correction)))


def variance_calls(dtype: str) -> Iterator[Call]:
    for x in inputs(dtype, empty=False):
        yield from (Call((x,)), Call((x, False)), Call((x, True)))
        dims = ([0], [-1]) if x.stored.ndim < 2 else ([0], [-1], [0, 1])
        for dim in dims:
            yield from (Call((x, dim)), Call((x, dim, False, True)))
            yield Call((x, dim), {"correction": 0, "keepdim": True})
            yield Call((x, dim), {"correction": 1.5})


def deviation(x: np.ndarray, *args: Any, **kwargs: Any) -> Any:
    return np.sqrt(variance(x, *args, **kwargs))


def vector_norm(
    x: np.ndarray, p: Any = 2, dim: Any = None, keepdim: bool = False, dtype: Any = None
) -> np.ndarray:
    wide = np.abs(x.astype(np.complex128 if x.dtype.kind == "c" else np.float64))
    axis = tuple(range(x.ndim)) if dim is None else tuple(dim)
    if not x.ndim:
        return np.asarray(float(wide != 0) if p == 0 else wide)
    if p == 0:
        return (wide != 0).sum(axis, keepdims=keepdim).astype(np.float64)
    if np.isinf(p):
        return (np.max if p > 0 else np.min)(wide, axis, keepdims=keepdim)
    return (wide**p).sum(axis, keepdims=keepdim) ** (1 / p)


def norm_calls(dtype: str) -> Iterator[Call]:
    for x in inputs(dtype, empty=False):
        yield from (Call((x,)), Call((x, 1)), Call((x, 3)))
        for dim in ([0], [-1]) if x.stored.ndim < 2 else ([0], [-1], [0, 1]):
            yield Call((x, 2, dim))
            for p in (0, 1, 0.5, math.inf, -math.inf):
                yield Call((x, p, dim, True))


def norm_dtype_calls(dtype: str) -> Iterator[Call]:
    for x in inputs(dtype, empty=False):
        yield Call((x, 2), {"dtype": DType("float64")})
        yield Call((x, 1, [0], False), {"dtype": DType("float64")})


def widened(call: Call) -> str:
    return "float64"


def real_first(call: Call) -> str:
    return promotion.to_real(first(call))


def truth(function: Callable[..., Any]) -> Callable[..., Any]:
    return reduced(lambda x, **kw: function(x != 0, **kw))


def truth_type(call: Call) -> str:
    """Returns the dtype: bool, except that uint8, the former dtype of masks, stays uint8."""
    return "uint8" if first(call) == "uint8" else "bool"


def along_last(dtype: str) -> Iterator[Call]:
    """Yields calls that reduce the last dimension of finite values."""
    for call in unary_calls(Domain(-2, 2, False))(dtype):
        if call.args[0].stored.ndim > 0:
            yield Call((call.args[0], -1))


def log_sum(x: np.ndarray, dim: Any) -> np.ndarray:
    return np.logaddexp.reduce(x, dim[0]) if x.shape[dim[0]] else np.full(x.shape[:-1], -math.inf)


def sum_to_size_calls(dtype: str) -> Iterator[Call]:
    for shape, size in (((3, 5), (3, 5)), ((3, 5), (1, 5)), ((33, 17), (17,)), ((2, 3, 4, 5), (3, 1, 5))):
        for layout in LAYOUTS:
            yield Call((operand(numbers(shape, dtype, -2, 2), dtype, layout), list(size)))


def sum_to_size(x: np.ndarray, size: list[int]) -> np.ndarray:
    shape = (1,) * (x.ndim - len(size)) + tuple(size)
    axes = tuple(d for d, n in enumerate(shape) if n == 1 and x.shape[d] != 1)
    return np.sum(x, axes, keepdims=True).reshape(size) if axes else x.reshape(size)


def logsumexp_calls(dtype: str) -> Iterator[Call]:
    for x in inputs(dtype):
        for dims in ([0], [-1], []):
            yield from (Call((x, dims)), Call((x, dims, True)))


def logsumexp(x: np.ndarray, dims: list[int], keep: bool = False) -> np.ndarray:
    over = tuple(dims) if dims and x.ndim else None
    return np.log(np.sum(np.exp(x.astype(float) if x.dtype.kind in "bui" else x), over, keepdims=keep))


def floating_first(call: Call) -> str:
    return promotion.to_float(first(call))


ROWS = (
    Row("sum", reduced(np.sum), whole(), summed, tolerance=loose, out_decides=True),
    Row("sum", reduced(np.sum), along_some(), summed, tolerance=loose, out_decides=True, label="dims"),
    Row(
        "sum",
        reduced(np.sum),
        with_dtype(whole(), "float64", "complex128"),
        summed,
        REAL,
        tolerance=loose,
        out_decides=True,
        label="dtype",
    ),
    Row("mean", reduced(np.mean), whole(), first, FLOATS + COMPLEX, tolerance=loose, out_decides=True),
    Row(
        "mean",
        reduced(np.mean),
        along_some(),
        first,
        FLOATS + COMPLEX,
        tolerance=loose,
        out_decides=True,
        label="dims",
    ),
    Row("prod", reduced(np.prod), whole(low=0.9, high=1.1), summed, REAL, tolerance=loose, out_decides=True),
    Row(
        "prod",
        reduced(np.prod),
        along_one(low=0.9, high=1.1),
        summed,
        REAL,
        tolerance=loose,
        out_decides=True,
        label="dim",
    ),
    Row(
        "prod",
        reduced(np.prod),
        whole(low=0.65, high=0.75),
        summed,
        COMPLEX,
        tolerance=loose,
        out_decides=True,
        label="complex",
    ),
    Row("any", truth(np.any), whole(), truth_type),
    Row("any", truth(np.any), along_one(), truth_type, label="dim"),
    Row("any", truth(np.any), along_some(), truth_type, label="dims"),
    Row("all", truth(np.all), whole(), truth_type),
    Row("all", truth(np.all), along_one(), truth_type, label="dim"),
    Row("all", truth(np.all), along_some(), truth_type, label="dims"),
    Row("var", variance, variance_calls, real_first, FLOATS + COMPLEX, tolerance=loose),
    Row("std", deviation, variance_calls, real_first, FLOATS + COMPLEX, tolerance=loose),
    Row("linalg_vector_norm", vector_norm, norm_calls, real_first, FLOATS + COMPLEX, tolerance=loose),
    Row("norm", vector_norm, norm_calls, real_first, FLOATS + COMPLEX, tolerance=loose),
    Row(
        "norm",
        vector_norm,
        norm_dtype_calls,
        widened,
        ("float32", "float64"),
        tolerance=loose,
        label="dtype",
    ),
    Row("sum_to_size", sum_to_size, sum_to_size_calls, first, FLOATS + COMPLEX, tolerance=loose),
    Row(
        "logsumexp", logsumexp, logsumexp_calls, floating_first, ("int64", *FLOATS, *COMPLEX), tolerance=loose
    ),
    Row(
        "special_logsumexp",
        log_sum,
        lambda dtype: (Call((c.args[0], [-1])) for c in along_last(dtype)),
        first,
        ("float32",),
    ),
)
