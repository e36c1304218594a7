"""Sample rows of QR factors, Householder reflectors and least squares."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from calls import Call
from matrices import DTYPES, SQUARE, TALL, WIDE, adjoint, general, in_layouts, loose
from promotion import to_real
from rows import Calls, Row, first
from tensors import numbers, operand

Arrays = tuple[np.ndarray, ...]
SHAPES = (*SQUARE, *TALL, *WIDE)


def any_calls(dtype: str) -> Iterator[Call]:
    for shape in SHAPES:
        for a in in_layouts(general(shape, dtype), dtype):
            yield Call((a,))


def qr_calls(dtype: str) -> Iterator[Call]:
    for shape in SHAPES:
        a = operand(general(shape, dtype), dtype)
        yield from (Call((a, mode)) for mode in ("reduced", "complete", "r"))


def legacy_calls(dtype: str) -> Iterator[Call]:
    for shape in SHAPES:
        a = operand(general(shape, dtype), dtype, "transposed")
        yield from (Call((a,)), Call((a, False)))


def reflected(a: np.ndarray) -> Arrays:
    """Returns QR factors as LAPACK's geqrf does: signs included."""
    factors = a.astype(np.complex128 if a.dtype.kind == "c" else np.float64).copy()
    count = min(a.shape[-2:])
    tau = np.zeros((*a.shape[:-2], count), factors.dtype)
    for index in np.ndindex(a.shape[:-2]):
        m = factors[index]
        for k in range(count):
            tau[(*index, k)] = reflect(m, k)
    return factors, tau


def reflect(m: np.ndarray, k: int) -> Any:
    """Applies the reflector of column k to those behind it; returns its factor."""
    alpha, rest = m[k, k], m[k + 1 :, k]
    if not np.any(rest) and np.imag(alpha) == 0:
        return 0
    beta = -np.copysign(np.linalg.norm(m[k:, k]), np.real(alpha))
    tau = (beta - alpha) / beta
    v = np.concatenate([[1], rest / (alpha - beta)])
    later = m[k:, k + 1 :]
    later -= np.conj(tau) * np.outer(v, v.conj() @ later)
    m[k, k], m[k + 1 :, k] = beta, v[1:]
    return tau


def all_of_q(factors: np.ndarray, tau: np.ndarray) -> np.ndarray:
    size = factors.shape[-2]
    q = np.broadcast_to(np.eye(size, dtype=factors.dtype), (*factors.shape[:-2], size, size)).copy()
    for i in reversed(range(tau.shape[-1])):
        v = np.tril(factors, -1)[..., i : i + 1].copy()
        v[..., :i, :] = 0
        v[..., i, :] = 1
        q -= tau[..., i, None, None] * v @ (adjoint(v) @ q)
    return q


def qr(a: np.ndarray, mode: str = "reduced") -> Arrays:
    factors, tau = reflected(a)
    count = a.shape[-2] if mode == "complete" else tau.shape[-1]
    r = np.triu(factors)[..., :count, :]
    return (np.zeros(0) if mode == "r" else all_of_q(factors, tau)[..., :count]), r


def legacy(a: np.ndarray, some: bool = True) -> Arrays:
    return qr(a, "reduced" if some else "complete")


def reflectors(shape: tuple[int, ...], dtype: str) -> Arrays:
    return tuple(x.astype(dtype) for x in reflected(general(shape, dtype)))


def product_calls(dtype: str) -> Iterator[Call]:
    for shape in (*SQUARE, *TALL):
        factors, tau = reflectors(shape, dtype)
        yield Call((operand(factors, dtype), operand(tau, dtype)))
        if tau.shape[-1] > 1:  # fewer reflectors than columns
            yield Call((operand(factors, dtype, "transposed"), operand(tau[..., :-1], dtype)))


def product(factors: np.ndarray, tau: np.ndarray) -> np.ndarray:
    return all_of_q(factors, tau)[..., : factors.shape[-1]]


def ormqr_calls(dtype: str) -> Iterator[Call]:
    for shape in ((3, 3), (4, 2), (2, 1, 3, 2), (0, 4, 2), (3, 0)):
        factors, tau = (operand(x, dtype) for x in reflectors(shape, dtype))
        *batch, size, _ = shape
        for left in (True, False):
            other = (*batch, size, 2) if left else (*batch, 2, size)
            for transpose in (False, True):
                c = operand(numbers(other, dtype, -2, 2, 1), dtype)
                yield Call((factors, tau, c, left, transpose))


def ormqr(
    factors: np.ndarray, tau: np.ndarray, other: np.ndarray, left: bool = True, transpose: bool = False
) -> np.ndarray:
    q = all_of_q(factors, tau)
    q = adjoint(q) if transpose else q
    return q @ other if left else other @ q


# ---- least squares: the matrix and the right side

PROBLEMS: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = (
    ((3, 3), (3, 2)),
    ((5, 3), (5, 2)),
    ((2, 4), (2, 3)),
    ((5, 3), (5,)),
    ((2, 4, 2), (2, 4)),
    ((2, 1, 4, 3), (2, 1, 4, 2)),
    ((0, 3), (0, 2)),
    ((3, 0), (3, 2)),
    ((0, 4, 3), (0, 4, 2)),
)
DRIVERS = ("gels", "gelsy", "gelsd", "gelss")


def lstsq_calls(driver: str) -> Calls:
    def calls(dtype: str) -> Iterator[Call]:
        for shape, right in PROBLEMS:
            a, b = operand(general(shape, dtype), dtype), operand(numbers(right, dtype, -2, 2, 1), dtype)
            yield Call((a, b), {"driver": driver} if driver != "gelsy" else {})

    return calls


def lstsq(a: np.ndarray, b: np.ndarray, driver: str = "gelsy") -> Arrays:
    vector = b.ndim == 1 or b.shape == a.shape[:-1]
    right = b[..., None] if vector else b
    m, n = a.shape[-2:]
    x = np.linalg.pinv(a) @ right if a.size else np.zeros((*a.shape[:-2], n, right.shape[-1]), a.dtype)
    none = np.zeros(0)
    residuals = (np.abs(a @ x - right) ** 2).sum(-2) if m > n and driver != "gelsy" else none
    by_values = driver in ("gelsd", "gelss")
    if by_values and m > n == 0 and a.shape[:-2] != (0,):
        residuals = (np.abs(right) ** 2).sum(-2)
    rank = np.full(a.shape[:-2], min(m, n)) if driver != "gels" else none
    values = np.linalg.svd(a, compute_uv=False) if by_values else none
    return x[..., 0] if vector else x, residuals, rank, values


def lstsq_dtypes(call: Call) -> tuple[str, ...]:
    real = to_real(first(call))
    return first(call), real, "int64", real


def twice(call: Call) -> tuple[str, str]:
    return first(call), first(call)


def row(name: str, reference: Any, calls: Calls, dtype: Any = first, **options: Any) -> Row:
    return Row(name, reference, calls, dtype, DTYPES, tolerance=loose, **options)


ROWS = (
    row("linalg_qr", qr, qr_calls, twice),
    row("qr", legacy, legacy_calls, twice),
    row("geqrf", reflected, any_calls, twice),
    row("linalg_householder_product", product, product_calls),
    row("orgqr", product, product_calls),
    row("ormqr", ormqr, ormqr_calls),
    *(
        row("linalg_lstsq", lstsq, lstsq_calls(driver), lstsq_dtypes, label=driver, data_dependent=True)
        for driver in DRIVERS
    ),
)
