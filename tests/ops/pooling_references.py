"""References for pooling, element by element: windows are lists of indices along each dimension."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Window:
    """A window's positions along one dimension, and the number of elements that an average divides by."""

    places: range
    count: int


def fixed(
    size: int, kernel: int, stride: int, pad: int, dilation: int, ceil: bool, padding: bool
) -> list[Window]:
    """Returns adjacent windows; with `ceil` the last one may end beyond the padding, but begins before it."""
    reach = (kernel - 1) * dilation + 1
    made = []
    for start in itertools.count(-pad, stride):
        if start + reach > size + pad and not (ceil and start < size and start + reach - stride < size + pad):
            return made
        places = [p for p in range(start, start + reach, dilation) if 0 <= p < size]
        inside = range(places[0], places[-1] + 1, dilation) if places else range(0)
        made.append(Window(inside, min(start + kernel, size + pad) - start if padding else len(places)))
    raise AssertionError


def adaptive(size: int, output: int) -> list[Window]:
    """Returns `output` windows that cover the dimension."""
    bounds = [(o * size // output, -((-(o + 1) * size) // output)) for o in range(output)]
    return [Window(range(a, b), b - a) for a, b in bounds]


def fractional(size: int, kernel: int, output: int, sample: float) -> list[Window]:
    """Returns windows of the kernel's size, at distances that depend on `sample`."""
    if output == 1:
        starts = [size - kernel]
    else:
        alpha = (size - kernel) / (output - 1)
        starts = [int((o + sample) * alpha) - int(sample * alpha) for o in range(output - 1)] + [
            size - kernel
        ]
    return [Window(range(s, s + kernel), kernel) for s in starts]


def positions(axes: list[list[Window]]) -> Iterator[tuple[tuple[int, ...], tuple[Window, ...]]]:
    """Yields the position of each result, and its windows."""
    for where in itertools.product(*(range(len(a)) for a in axes)):
        yield where, tuple(a[i] for a, i in zip(axes, where, strict=True))


def block(windows: tuple[Window, ...]) -> tuple[Any, ...]:
    """Returns the index that selects a window's elements of all planes."""
    return (..., *np.ix_(*(list(w.places) for w in windows)))


def shape_of(x: np.ndarray, axes: list[list[Window]]) -> tuple[int, ...]:
    return (*x.shape[: x.ndim - len(axes)], *(len(a) for a in axes))


def divisor_of(windows: tuple[Window, ...], override: int | None) -> int:
    return override if override else int(np.prod([w.count for w in windows]))


def average(x: np.ndarray, axes: list[list[Window]], override: int | None = None) -> np.ndarray:
    out = np.zeros(shape_of(x, axes), x.dtype)
    tail = tuple(range(-len(axes), 0))
    for where, windows in positions(axes):
        total = x[block(windows)].sum(tail)
        divided = total / divisor_of(windows, override)
        out[(..., *where)] = np.trunc(divided) if x.dtype.kind == "i" else divided
    return out


def average_backward(
    grad: np.ndarray, x: np.ndarray, axes: list[list[Window]], override: int | None = None
) -> np.ndarray:
    out = np.zeros(x.shape, grad.dtype)
    for where, windows in positions(axes):
        part = grad[(..., *where)] / divisor_of(windows, override)
        out[block(windows)] += np.expand_dims(part, tuple(range(-len(axes), 0)))
    return out


def maximum(x: np.ndarray, axes: list[list[Window]]) -> tuple[np.ndarray, np.ndarray]:
    """Returns the first of the largest elements, but the last of NaNs; and its index in its plane."""
    dims = len(axes)
    lead, plane = x.shape[: x.ndim - dims], x.shape[x.ndim - dims :]
    out, indices = np.zeros(shape_of(x, axes), x.dtype), np.zeros(shape_of(x, axes), np.int64)
    places = np.arange(int(np.prod(plane))).reshape(plane)
    has_nan = bool(np.isnan(x.astype(float)).any())
    for where, windows in positions(axes):
        index = block(windows)
        inside = places[index].reshape(-1)
        found = x[index].reshape(*lead, inside.size)
        chosen = first_largest(found) if has_nan else np.argmax(found, -1)
        out[(..., *where)] = np.take_along_axis(found, chosen[..., None], -1)[..., 0]
        indices[(..., *where)] = inside[chosen]
    return out, indices


def first_largest(rows: np.ndarray) -> np.ndarray:
    """Returns the index of each row's first largest element, but of the last NaN where there is one."""
    nan = np.isnan(rows.astype(float))
    last = rows.shape[-1] - 1 - np.argmax(nan[..., ::-1], -1)
    return np.where(nan.any(-1), last, np.argmax(np.where(nan, -np.inf, rows), -1))


def scattered(
    values: np.ndarray, indices: np.ndarray, shape: tuple[int, ...], dims: int, add: bool
) -> np.ndarray:
    """Returns planes of zeros with values written at the indices; added up, or the last one."""
    lead = shape[: len(shape) - dims]
    out = np.zeros((*lead, int(np.prod(shape[len(shape) - dims :]))), values.dtype)
    for at in np.ndindex(*lead):
        if add:
            np.add.at(out[at], indices[at].reshape(-1), values[at].reshape(-1))
        else:
            out[at][indices[at].reshape(-1)] = values[at].reshape(-1)
    return out.reshape(shape)
