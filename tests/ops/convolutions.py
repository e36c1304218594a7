"""Convolutions in NumPy, tap by tap: the references of the sample rows of convolutions."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

import numpy as np

Numbers = int | Sequence[int]


def repeated(value: Numbers, dims: int) -> tuple[int, ...]:
    given = (value,) if isinstance(value, int) else tuple(value)
    return given * dims if len(given) == 1 else given


class Geometry:
    """A convolution from `large` to `small` spatial sizes, with weights of the spatial size `kernel`."""

    def __init__(
        self, kernel: Sequence[int], stride: Numbers, padding: Numbers, dilation: Numbers, groups: int
    ) -> None:
        self.dims = len(kernel)
        self.kernel = tuple(kernel)
        self.stride, self.padding, self.dilation = (
            repeated(v, self.dims) for v in (stride, padding, dilation)
        )
        self.groups = groups

    def small(self, large: Sequence[int]) -> tuple[int, ...]:
        spans = (d * (k - 1) + 1 for d, k in zip(self.dilation, self.kernel, strict=True))
        return tuple(
            (n + 2 * p - span) // s + 1
            for n, p, span, s in zip(large, self.padding, spans, self.stride, strict=True)
        )

    def large(self, small: Sequence[int], output_padding: Numbers) -> tuple[int, ...]:
        extra = repeated(output_padding, self.dims)
        return tuple(
            (n - 1) * s - 2 * p + d * (k - 1) + e + 1
            for n, s, p, d, k, e in zip(
                small, self.stride, self.padding, self.dilation, self.kernel, extra, strict=True
            )
        )

    def padded(self, large: np.ndarray) -> np.ndarray:
        return np.pad(large, [(0, 0), (0, 0), *((p, p) for p in self.padding)])

    def unpadded(self, padded: np.ndarray, large: Sequence[int]) -> np.ndarray:
        inner = (slice(p, p + n) for p, n in zip(self.padding, large, strict=True))
        return padded[(slice(None), slice(None), *inner)]

    def taps(self, small: Sequence[int]) -> Iterator[tuple[tuple[int, ...], tuple[slice, ...]]]:
        """Yields each tap, and the slices of the padded large image that it touches."""
        for tap in itertools.product(*map(range, self.kernel)):
            window = (
                slice(t * d, t * d + (n - 1) * s + 1, s)
                for t, d, n, s in zip(tap, self.dilation, small, self.stride, strict=True)
            )
            yield tap, (slice(None), slice(None), *window)


def split(t: np.ndarray, groups: int, axis: int) -> list[np.ndarray]:
    return np.split(t, groups, axis)


def forward(x: np.ndarray, w: np.ndarray, geometry: Geometry) -> np.ndarray:
    small = geometry.small(x.shape[2:])
    padded, groups = geometry.padded(x), geometry.groups
    result = np.zeros((x.shape[0], w.shape[0], *small), x.dtype)
    for tap, window in geometry.taps(small):
        weights = w[(slice(None), slice(None), *tap)]
        parts = zip(split(padded[window], groups, 1), split(weights, groups, 0), strict=True)
        result += np.concatenate([np.einsum("nc...,oc->no...", a, b) for a, b in parts], 1)
    return result


def backward_data(y: np.ndarray, w: np.ndarray, large: Sequence[int], geometry: Geometry) -> np.ndarray:
    groups = geometry.groups
    sizes = [n + 2 * p for n, p in zip(large, geometry.padding, strict=True)]
    padded = np.zeros((y.shape[0], w.shape[1] * groups, *sizes), y.dtype)
    for tap, window in geometry.taps(y.shape[2:]):
        weights = w[(slice(None), slice(None), *tap)]
        parts = zip(split(y, groups, 1), split(weights, groups, 0), strict=True)
        padded[window] += np.concatenate([np.einsum("no...,oc->nc...", a, b) for a, b in parts], 1)
    return geometry.unpadded(padded, large)


def backward_weight(x: np.ndarray, y: np.ndarray, shape: Sequence[int], geometry: Geometry) -> np.ndarray:
    padded, groups = geometry.padded(x), geometry.groups
    result = np.zeros(shape, x.dtype)
    for tap, window in geometry.taps(y.shape[2:]):
        parts = zip(split(padded[window], groups, 1), split(y, groups, 1), strict=True)
        sums = [np.einsum("ncp,nop->oc", flat(a), flat(b)) for a, b in parts]
        result[(slice(None), slice(None), *tap)] = np.concatenate(sums, 0)
    return result


def flat(t: np.ndarray) -> np.ndarray:
    return t.reshape(*t.shape[:2], math.prod(t.shape[2:]))


def with_bias(y: np.ndarray, bias: np.ndarray | None) -> np.ndarray:
    return y if bias is None else y + bias.reshape(1, -1, *[1] * (y.ndim - 2))


def convolution(
    x: np.ndarray,
    w: np.ndarray,
    bias: np.ndarray | None,
    stride: Numbers,
    padding: Numbers,
    dilation: Numbers,
    transposed: bool,
    output_padding: Numbers,
    groups: int,
    *flags: bool,
) -> np.ndarray:
    geometry = Geometry(w.shape[2:], stride, padding, dilation, groups)
    if not transposed:
        return with_bias(forward(x, w, geometry), bias)
    return with_bias(backward_data(x, w, geometry.large(x.shape[2:], output_padding), geometry), bias)


def gradients(
    grad: np.ndarray,
    x: np.ndarray,
    w: np.ndarray,
    stride: Numbers,
    padding: Numbers,
    dilation: Numbers,
    transposed: bool,
    output_padding: Numbers,
    groups: int,
    output_mask: Sequence[bool] = (True, True, True),
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns the gradients of input, weight and bias."""
    geometry = Geometry(w.shape[2:], stride, padding, dilation, groups)
    bias = grad.sum((0, *range(2, grad.ndim)), dtype=grad.dtype)
    if transposed:
        return forward(grad, w, geometry), backward_weight(grad, x, w.shape, geometry), bias
    data = backward_data(grad, w, x.shape[2:], geometry)
    return data, backward_weight(x, grad, w.shape, geometry), bias
