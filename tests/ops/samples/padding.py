"""Sample rows of padding."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from calls import Call
from rows import Row, first
from tensors import COMPLEX, DTYPES, FLOATS, NUMBERS, UNREPEATED, numbers, operand


def loose(dtype: str) -> tuple[float, float] | None:
    """Returns the tolerance of sums of a few elements."""
    return {"float16": (1e-2, 1e-2), "bfloat16": (5e-2, 5e-2)}.get(dtype)


# ---- where elements come from


def sources(mode: str, size: int, before: int, after: int) -> list[int | None]:
    """Returns the position in the input of each position of the output; None is the constant."""

    def source(i: int) -> int | None:
        if 0 <= i < size:
            return i
        if mode == "constant":
            return None
        if mode == "replicate":
            return min(max(i, 0), size - 1)
        return -i if i < 0 else 2 * (size - 1) - i

    return [source(i) for i in range(-before, size + after)]


def padded(x: np.ndarray, pad: list[int], mode: str, value: Any = 0) -> np.ndarray:
    for i in range(len(pad) // 2):
        axis = x.ndim - 1 - i
        if mode == "circular":
            before, after = pad[2 * i : 2 * i + 2]
            kept = np.moveaxis(x, axis, 0)[max(-before, 0) : x.shape[axis] - max(-after, 0)]
            widths = [(max(before, 0), max(after, 0)), *((0, 0) for _ in range(x.ndim - 1))]
            x = np.moveaxis(np.pad(kept, widths, "wrap"), 0, axis)
            continue
        places = sources(mode, x.shape[axis], pad[2 * i], pad[2 * i + 1])
        filled = np.full((1, *np.moveaxis(x, axis, 0).shape[1:]), value, x.dtype)
        rows = [filled[0] if p is None else np.moveaxis(x, axis, 0)[p] for p in places]
        stacked = np.stack(rows) if rows else filled[:0]
        x = np.moveaxis(stacked, 0, axis)
    return x


def folded(grad: np.ndarray, shape: tuple[int, ...], pad: list[int], mode: str) -> np.ndarray:
    """Returns the gradient, by the transpose of padding."""
    for i in range(len(pad) // 2):
        axis = grad.ndim - 1 - i
        summed = np.zeros((shape[axis], *np.moveaxis(grad, axis, 0).shape[1:]), grad.dtype)
        np.add.at(summed, sources(mode, shape[axis], pad[2 * i], pad[2 * i + 1]), np.moveaxis(grad, axis, 0))
        grad = np.moveaxis(summed, 0, axis)
    return grad


# ---- constant

CONSTANT = (
    ((7,), [1, 2]),
    ((3, 5), [2, 0]),
    ((3, 5), [1, 1, 2, 3]),
    ((3, 5), [-1, 2, 1, -1]),
    ((3, 5), [-1, -1]),
    ((0, 3), [1, 1, 1, 1]),
    ((2, 3, 4, 5), [1, 2, 3, 4]),
    ((2, 3, 4, 5), [0, 0, 0, 0, 2, 1]),
    ((2, 3, 4, 5), [1, 1, 1, 1, 1, 1, 1, 1]),
    ((2, 3, 4, 5), [0, 0, -1, 0, 0, 3]),
    ((1, 2, 3, 2, 5), [1, 0, 0, 1, 2, 1]),
    ((4, 70), [3, 5, 1, 0]),
    ((3,), []),
)


def constant_calls(dtype: str) -> Iterator[Call]:
    for shape, pad in CONSTANT:
        for layout in UNREPEATED:
            x = operand(numbers(shape, dtype), dtype, layout)
            yield Call((x, pad))
            yield Call((x, pad, 1))


def constant(x: np.ndarray, pad: list[int], value: Any = 0) -> np.ndarray:
    return padded(x, pad, "constant", value)


# ---- reflection and replication

FOLDING: dict[int, tuple[tuple[tuple[int, ...], list[int]], ...]] = {
    1: (
        ((2, 5), [1, 2]),
        ((2, 3, 5), [4, 4]),
        ((2, 3, 5), [-1, 3]),
        ((0, 2, 3), [1, 1]),
        ((3, 2, 40), [7, 9]),
    ),
    2: (
        ((2, 4, 5), [1, 2, 3, 1]),
        ((2, 3, 4, 5), [4, 0, 0, 3]),
        ((2, 3, 4, 5), [-1, 2, 1, -2]),
        ((2, 9, 4, 5), [1, 1, 1, 1]),
    ),
    3: (
        ((2, 3, 4, 5), [1, 2, 3, 1, 2, 0]),
        ((2, 3, 3, 4, 5), [1, 1, 1, 1, 1, 1]),
        ((1, 2, 3, 4, 5), [-1, 2, 1, -1, 0, 1]),
    ),
}


def folding_calls(dims: int) -> Callable[[str], Iterator[Call]]:
    def calls(dtype: str) -> Iterator[Call]:
        for shape, pad in FOLDING[dims]:
            for layout in UNREPEATED:
                yield Call((operand(numbers(shape, dtype), dtype, layout), pad))

    return calls


def folding_gradient_calls(dims: int) -> Callable[[str], Iterator[Call]]:
    def calls(dtype: str) -> Iterator[Call]:
        for shape, pad in FOLDING[dims]:
            out = list(shape)
            for i in range(dims):
                out[-1 - i] += pad[2 * i] + pad[2 * i + 1]
            for layout in UNREPEATED:
                grad = operand(numbers(tuple(out), dtype, -1, 1, 1), dtype, layout)
                for of in ("contiguous", layout):
                    yield Call((grad, operand(numbers(shape, dtype), dtype, of), pad))

    return calls


def folding_rows(name: str, mode: str) -> Iterator[Row]:
    for dims in (1, 2, 3):
        yield Row(
            f"{name}{dims}d",
            lambda x, pad: padded(x, pad, mode),
            folding_calls(dims),
            first,
            NUMBERS,
        )
        yield Row(
            f"{name}{dims}d_backward",
            lambda grad, x, pad: folded(grad, x.shape, pad, mode),
            folding_gradient_calls(dims),
            first,
            FLOATS + COMPLEX,
            tolerance=loose,
        )


# ---- pad

MODES = ("reflect", "replicate", "circular", "constant")


def pad_calls(by_name: bool) -> Callable[[str], Iterator[Call]]:
    def calls(dtype: str) -> Iterator[Call]:
        for dims, cases in FOLDING.items():
            for shape, pad in cases:
                if 0 in shape:
                    continue
                x = operand(numbers(shape, dtype), dtype)
                for number, mode in enumerate(MODES):
                    if mode == "circular" and any(p > s for p, s in zip(pad[::2], shape[::-1], strict=False)):
                        continue
                    how = mode if by_name else number
                    yield Call((x, pad, how))
                    if mode == "constant":
                        yield Call((x, pad, how, 2.0))
                if by_name and dims == 1:
                    yield Call((x, pad))

    return calls


def pad(x: np.ndarray, widths: list[int], mode: Any = "constant", value: float = 0) -> np.ndarray:
    return padded(x, widths, mode if isinstance(mode, str) else MODES[mode], value)


def circular_calls(dtype: str) -> Iterator[Call]:
    for shape, widths in (
        ((2, 5), [1, 2]),
        ((2, 3, 5), [5, 0]),
        ((2, 3, 5), [-1, 3]),
        ((2, 4), [-1, 3]),  # as many as remain
        ((2, 4), [3, -1]),
        ((2, 3, 4, 5), [2, 1, -1, 2]),
    ):
        yield Call((operand(numbers(shape, dtype), dtype), widths))


ROWS = (
    Row("constant_pad_nd", constant, constant_calls, first, DTYPES),
    *folding_rows("reflection_pad", "reflect"),
    *folding_rows("replication_pad", "replicate"),
    Row("pad", pad, pad_calls(by_name=True), first, NUMBERS),
    Row("_pad_enum", pad, pad_calls(by_name=False), first, NUMBERS),
    Row("_pad_circular", lambda x, widths: padded(x, widths, "circular"), circular_calls, first, DTYPES),
)
