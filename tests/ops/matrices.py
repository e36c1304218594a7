"""Matrices for samples of linear algebra, and what their references share."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from tensors import Operand, numbers, operand

DTYPES = ("float32", "float64", "complex64", "complex128")
# No elements, no matrices, one element, one matrix, and batches of one and more dimensions.
SQUARE: tuple[tuple[int, ...], ...] = ((0, 0), (0, 3, 3), (1, 1), (2, 3, 3), (4, 4), (2, 1, 2, 2), (17, 17))
TALL: tuple[tuple[int, ...], ...] = ((3, 0), (0, 4, 2), (3, 1), (4, 3), (2, 5, 3), (2, 1, 3, 2))
WIDE: tuple[tuple[int, ...], ...] = ((0, 3), (2, 4), (2, 3, 5))
LAYOUTS = ("contiguous", "transposed", "sliced")


def adjoint(a: np.ndarray) -> np.ndarray:
    """Returns the conjugate transpose."""
    return np.swapaxes(a, -1, -2).conj()


def general(shape: tuple[int, ...], dtype: str, seed: int = 0) -> np.ndarray:
    """Returns matrices whose leading square blocks are far from singular, but that need pivots."""
    found = numbers(shape, dtype, -1, 1, seed)
    n = min(shape[-2:])
    found[..., range(n), [(i + 1) % n for i in range(n)]] += 3
    return found


def symmetric(shape: tuple[int, ...], dtype: str, seed: int = 0) -> np.ndarray:
    """Returns symmetric matrices; complex ones are not Hermitian."""
    found = numbers(shape, dtype, -1, 1, seed)
    return (found + np.swapaxes(found, -1, -2)).astype(dtype)


def hermitian(shape: tuple[int, ...], dtype: str, seed: int = 0) -> np.ndarray:
    found = numbers(shape, dtype, -1, 1, seed)
    return (found + adjoint(found)).astype(dtype)


def positive(shape: tuple[int, ...], dtype: str, seed: int = 0) -> np.ndarray:
    """Returns Hermitian matrices with eigenvalues above 1."""
    found = numbers(shape, dtype, -1, 1, seed)
    return (found @ adjoint(found) + np.eye(shape[-1])).astype(dtype)


def in_layouts(values: np.ndarray, dtype: str) -> Iterator[Operand]:
    """Yields the matrices by rows and, of some sizes, also by columns and with gaps."""
    layouts = LAYOUTS if values.shape[-2:] in ((3, 3), (4, 3)) else LAYOUTS[:1]
    yield from (operand(values, dtype, layout) for layout in layouts)


def loose(dtype: str) -> tuple[float, float] | None:
    """Returns the tolerance of results that a condition number magnifies."""
    return {"float32": (2e-4, 2e-4), "complex64": (2e-4, 2e-4)}.get(dtype, (1e-7, 1e-7))


def solved(a: np.ndarray, b: np.ndarray, left: bool = True) -> np.ndarray:
    """Returns X of A X = B, or of X A = B."""
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    a, b = (np.broadcast_to(x, (*batch, *x.shape[-2:])) for x in (a, b))
    if left:
        return np.linalg.solve(a, b)
    return np.swapaxes(np.linalg.solve(np.swapaxes(a, -1, -2), np.swapaxes(b, -1, -2)), -1, -2)


# The sizes of the matrix and of the right side, and whether the matrix is on the left.
SYSTEMS: tuple[tuple[tuple[int, ...], tuple[int, ...], bool], ...] = (
    ((0, 0), (0, 2), True),
    ((3, 3), (3, 0), True),
    ((0, 2, 2), (0, 2, 1), True),
    ((1, 1), (1, 3), True),
    ((4, 4), (4, 3), True),
    ((2, 4, 4), (4, 2), True),
    ((3, 3), (2, 1, 3, 2), True),
    ((2, 1, 3, 3), (3, 3, 2), True),
    ((4, 4), (3, 4), False),
    ((2, 1, 3, 3), (3, 2, 3), False),
)
