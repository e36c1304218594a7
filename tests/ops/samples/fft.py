"""Sample rows of Fourier transforms."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import promotion
from calls import Call, DType
from rows import Calls, Row, first
from tensors import BOOL, COMPLEX, INTEGERS, numbers, operand

FLOATS = ("float32", "float64")
REAL = BOOL + INTEGERS + FLOATS
ALL = REAL + COMPLEX
SWAPPED = {None: "forward", "backward": "forward", "forward": "backward", "ortho": "ortho"}
# Lengths for every algorithm: each radix, several of them, and convolution, alone and combined.
LENGTHS = (1, 2, 3, 5, 7, 8, 16, 31, 60, 67, 96, 100, 128, 243, 251, 1000, 2048)
SHAPES = ((7,), (8,), (1, 6), (3, 10), (2, 3, 5), (20, 12), (40, 9))


def accuracy(dtype: str) -> tuple[float, float] | None:
    """Returns the tolerance: the error is relative to the whole transform, not to single points."""
    return {"float32": (1e-5, 5e-4), "complex64": (1e-5, 5e-4), "float64": (1e-12, 1e-10)}.get(
        dtype, (1e-12, 1e-10)
    )


def complex_of(call: Call) -> str:
    return {"float64": "complex128", "complex128": "complex128"}.get(first(call), "complex64")


def real_of(call: Call) -> str:
    return promotion.to_real(complex_of(call))


def tensors(dtype: str, shapes: tuple[tuple[int, ...], ...] = SHAPES) -> Iterator[Any]:
    for shape in shapes:
        for layout in ("contiguous", "transposed", "sliced") if len(shape) > 1 else ("contiguous", "sliced"):
            yield operand(numbers(shape, dtype, -2, 2), dtype, layout)


# ---- one dimension


def along_one(dtype: str) -> Iterator[Call]:
    for length in LENGTHS:
        for shape in ((length,), (3, length), (length, 20)):
            yield Call((operand(numbers(shape, dtype, -2, 2), dtype), None, 0 if shape[0] == length else -1))
    for x in tensors(dtype):
        for dim in sorted({0, -1}):
            for n, norm in ((None, None), (None, "ortho"), (6, "forward"), (15, "backward")):
                yield Call((x, n, dim, norm))


def halves(dtype: str) -> Iterator[Call]:
    """Yields calls on halves. The default number of points of a result is zero for a half of one point."""
    return (c for c in along_one(dtype) if c.args[1] is not None or c.args[0].stored.shape[c.args[2]] > 1)


def positional(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x, n=None, dim=-1, norm=None: function(x, n, dim, norm)


# ---- several dimensions


def over_two(dtype: str) -> Iterator[Call]:
    for x in tensors(dtype, SHAPES[2:]):
        yield Call((x,))
        for s, dim, norm in ((None, [0, 1], "ortho"), ([4, 9], [-1, 0], "forward"), ([5, 4], [-2, -1], None)):
            yield Call((x, s, dim, norm))


def over_many(dtype: str) -> Iterator[Call]:
    for x in tensors(dtype):
        if x.stored.shape[-1] > 1:
            yield Call((x,))
            yield Call((x, None, [0] if x.stored.shape[0] > 1 else [-1], "ortho"))
        if x.stored.ndim > 1:
            yield from (Call((x, [4, 9], [-1, 0], "forward")), Call((x, [5, 4])))
    yield from over_two(dtype)


def many(function: Callable[..., Any], last_two: bool = False) -> Callable[..., Any]:
    def reference(x: np.ndarray, s: Any = None, dim: Any = None, norm: str | None = None) -> Any:
        dims = list(range(x.ndim)) if dim is None else list(dim)
        if dim is None and (last_two or s is not None):
            dims = dims[-(2 if last_two else len(s)) :]
        return function(x, s, dims, norm)

    return reference


def hfftn(x: np.ndarray, s: Any, dims: Any, norm: str | None) -> Any:
    return np.fft.irfftn(np.conj(x), s, dims, SWAPPED[norm])


def ihfftn(x: np.ndarray, s: Any, dims: Any, norm: str | None) -> Any:
    return np.conj(np.fft.rfftn(x, s, dims, SWAPPED[norm]))


# ---- internal operators


def scale(points: int, normalization: int) -> float:
    return (1.0, points**-0.5, 1.0 / points)[normalization]


def points_of(x: np.ndarray, dims: list[int]) -> int:
    return int(np.prod([x.shape[d] for d in dims]))


def raw_calls(*rest: Any) -> Calls:
    def calls(dtype: str) -> Iterator[Call]:
        for x in tensors(dtype):
            for mode, dims in enumerate(([0], [-1], [0, -1] if x.stored.ndim > 1 else [0])):
                for last in rest:
                    yield Call((x, dims, mode, last))

    return calls


def c2c(x: np.ndarray, dims: list[int], mode: int, forward: bool) -> Any:
    made = np.fft.fftn(x, None, dims) if forward else np.fft.ifftn(x, None, dims, "forward")
    return made * scale(points_of(x, dims), mode)


def r2c(x: np.ndarray, dims: list[int], mode: int, onesided: bool) -> Any:
    made = np.fft.rfftn(x, None, dims) if onesided else np.fft.fftn(x, None, dims)
    return made * scale(points_of(x, dims), mode)


def to_real_calls(dtype: str) -> Iterator[Call]:
    for x in tensors(dtype):
        for mode, dims in enumerate(([0], [-1], [0, -1] if x.stored.ndim > 1 else [0])):
            half = x.stored.shape[dims[-1]]
            yield from (Call((x, dims, mode, n)) for n in (2 * half - 2, 2 * half - 1) if n > 0)


def c2r(x: np.ndarray, dims: list[int], mode: int, n: int) -> Any:
    sizes = [x.shape[d] for d in dims[:-1]] + [n]
    return np.fft.irfftn(x, sizes, dims, "forward") * scale(int(np.prod(sizes)), mode)


# ---- frequencies and shifts


def frequencies(dtype: str) -> Iterator[Call]:
    for args in ((8,), (7,), (1,), (9, 0.5)):
        yield Call(args, {"dtype": DType(dtype)})


def asked(call: Call) -> str:
    return call.kwargs["dtype"].name


def shift_calls(dtype: str) -> Iterator[Call]:
    for x in tensors(dtype):
        yield from (Call((x,)), Call((x, [0])), Call((x, [-1, 0] if x.stored.ndim > 1 else [-1])))


def row(name: str, function: Any, calls: Calls, dtype: Any, dtypes: tuple[str, ...] = ALL) -> Row:
    return Row(name, function, calls, dtype, dtypes, tolerance=accuracy, out_decides=True)


ROWS = (
    row("fft_fft", positional(np.fft.fft), along_one, complex_of),
    row("fft_ifft", positional(np.fft.ifft), along_one, complex_of),
    row("fft_rfft", positional(np.fft.rfft), along_one, complex_of, REAL),
    row("fft_irfft", positional(np.fft.irfft), halves, real_of),
    row("fft_hfft", positional(np.fft.hfft), halves, real_of),
    row("fft_ihfft", positional(np.fft.ihfft), along_one, complex_of, REAL),
    row("fft_fft2", many(np.fft.fftn, True), over_two, complex_of),
    row("fft_ifft2", many(np.fft.ifftn, True), over_two, complex_of),
    row("fft_rfft2", many(np.fft.rfftn, True), over_two, complex_of, REAL),
    row("fft_irfft2", many(np.fft.irfftn, True), over_two, real_of),
    row("fft_hfft2", many(hfftn, True), over_two, real_of),
    row("fft_ihfft2", many(ihfftn, True), over_two, complex_of, REAL),
    row("fft_fftn", many(np.fft.fftn), over_many, complex_of),
    row("fft_ifftn", many(np.fft.ifftn), over_many, complex_of),
    row("fft_rfftn", many(np.fft.rfftn), over_many, complex_of, REAL),
    row("fft_irfftn", many(np.fft.irfftn), over_many, real_of),
    row("fft_hfftn", many(hfftn), over_many, real_of),
    row("fft_ihfftn", many(ihfftn), over_many, complex_of, REAL),
    row("_fft_c2c", c2c, raw_calls(True, False), first, COMPLEX),
    row("_fft_r2c", r2c, raw_calls(True, False), complex_of, FLOATS),
    row("_fft_c2r", c2r, to_real_calls, real_of, COMPLEX),
    row("fft_fftfreq", lambda n, d=1.0, **_: np.fft.fftfreq(n, d), frequencies, asked, FLOATS),
    row("fft_rfftfreq", lambda n, d=1.0, **_: np.fft.rfftfreq(n, d), frequencies, asked, FLOATS),
    row("fft_fftshift", lambda x, dim=None: np.fft.fftshift(x, dim), shift_calls, first),
    row("fft_ifftshift", lambda x, dim=None: np.fft.ifftshift(x, dim), shift_calls, first),
)
