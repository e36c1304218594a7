"""Sample rows of LU and LDL factors, linear systems, inverses and determinants."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from calls import Call
from matrices import (
    DTYPES,
    SQUARE,
    SYSTEMS,
    TALL,
    WIDE,
    adjoint,
    general,
    hermitian,
    in_layouts,
    loose,
    solved,
    symmetric,
)
from promotion import to_real
from rows import Calls, Row, first
from tensors import numbers, operand

Arrays = tuple[np.ndarray, ...]


def square_calls(dtype: str) -> Iterator[Call]:
    for shape in SQUARE:
        yield from (Call((a,)) for a in in_layouts(general(shape, dtype), dtype))


def dense_calls(dtype: str) -> Iterator[Call]:
    """Yields matrices whose values, as references get them, have the order that the operand has."""
    for shape in SQUARE:
        for layout in ("contiguous", "transposed"):
            yield Call((operand(general(shape, dtype), dtype, layout),))


def any_calls(dtype: str) -> Iterator[Call]:
    for shape in (*SQUARE, *TALL, *WIDE):
        yield Call((operand(general(shape, dtype), dtype, "transposed"),))


def of_dtypes(*kinds: str) -> Any:
    """Returns the dtypes of results: those of the operand, real ones of its width, int32."""

    def dtype(call: Call) -> tuple[str, ...]:
        own = first(call)
        return tuple({"own": own, "real": to_real(own)}.get(kind, kind) for kind in kinds)

    return dtype


# ---- LU factors


def factored(a: np.ndarray) -> Arrays:
    """Returns the LU factors in one matrix, and the exchanged rows, counted from 1."""
    lu = a.astype(np.complex128 if a.dtype.kind == "c" else np.float64).copy()
    count = min(a.shape[-2:])
    pivots = np.zeros((*a.shape[:-2], count), np.int32)
    for index in np.ndindex(a.shape[:-2]):
        m = lu[index]
        for k in range(count):
            column = np.abs(m[k:, k].real) + np.abs(m[k:, k].imag)
            p = k + int(np.argmax(column))
            pivots[(*index, k)] = p + 1
            m[[k, p]] = m[[p, k]]
            m[k + 1 :, k] /= m[k, k]
            m[k + 1 :, k + 1 :] -= np.outer(m[k + 1 :, k], m[k, k + 1 :])
    return lu, pivots


def no_info(a: np.ndarray) -> np.ndarray:
    return np.zeros(a.shape[:-2], np.int32)


def lu_factor_ex(a: np.ndarray) -> Arrays:
    return (*factored(a), no_info(a))


def unpacked(lu: np.ndarray, pivots: np.ndarray) -> Arrays:
    m, n = lu.shape[-2:]
    k = min(m, n)
    exchange = np.zeros((*lu.shape[:-2], m, m), lu.dtype)
    for index in np.ndindex(lu.shape[:-2]):
        order = list(range(m))
        for i, p in enumerate(pivots[index]):
            order[i], order[p - 1] = order[p - 1], order[i]
        exchange[index][order, range(m)] = 1
    return exchange, np.tril(lu[..., :k], -1) + np.eye(m, k), np.triu(lu[..., :k, :])


def unpack_calls(dtype: str) -> Iterator[Call]:
    for call in any_calls(dtype):
        lu, pivots = factored(call.operands[0].values)
        yield Call((operand(lu, dtype), operand(pivots, "int32")))


# ---- systems

VECTORS = (((3, 3), (3,), True), ((2, 3, 3), (2, 3), True))


def solve_calls(dtype: str) -> Iterator[Call]:
    for shape, right, left in (*SYSTEMS, *VECTORS):
        b = operand(numbers(right, dtype, -2, 2, 1), dtype, "transposed" if left else "contiguous")
        for a in in_layouts(general(shape, dtype), dtype):
            yield Call((a, b), {} if left else {"left": False})


def solve(a: np.ndarray, b: np.ndarray, left: bool = True) -> np.ndarray:
    vector = b.ndim == 1 or (b.ndim == a.ndim - 1 and b.shape == a.shape[:-1])
    return solved(a, b[..., None], left)[..., 0] if vector else solved(a, b, left)


def solve_ex(a: np.ndarray, b: np.ndarray, left: bool = True) -> Arrays:
    return solve(a, b, left), no_info(a)


def solve_with_factors(a: np.ndarray, b: np.ndarray, left: bool = True) -> Arrays:
    return (solve(a, b, left), *lu_factor_ex(a))


def lu_solve_calls(first_is_b: bool) -> Calls:
    def calls(dtype: str) -> Iterator[Call]:
        for shape, right, left in SYSTEMS:
            b = operand(numbers(right, dtype, -2, 2, 1), dtype)
            lu, pivots = factored(general(shape, dtype))
            factors = (operand(lu, dtype, "transposed"), operand(pivots, "int32"))
            if first_is_b and left:
                yield Call((b, *factors))
            elif not first_is_b:
                for adjoint_ in (False, True):
                    yield Call((*factors, b), {"left": left, "adjoint": adjoint_})

    return calls


def linalg_lu_solve(
    lu: np.ndarray, pivots: np.ndarray, b: np.ndarray, left: bool = True, adjoint: bool = False
) -> np.ndarray:
    p, lower, upper = unpacked(lu, pivots)
    a = p @ lower @ upper
    return solved(np.swapaxes(a, -1, -2).conj() if adjoint else a, b, left)


def lu_solve(b: np.ndarray, lu: np.ndarray, pivots: np.ndarray) -> np.ndarray:
    return linalg_lu_solve(lu, pivots, b)


def tensorinv(a: np.ndarray, ind: int = 2) -> np.ndarray:
    return np.linalg.tensorinv(a, ind)


def tensorsolve(a: np.ndarray, b: np.ndarray, dims: list[int] | None = None) -> np.ndarray:
    return np.linalg.tensorsolve(a, b, dims)


def tensorinv_calls(dtype: str) -> Iterator[Call]:
    a = general((6, 6), dtype)
    yield Call((operand(a.reshape(2, 3, 6), dtype),))
    yield Call((operand(a.reshape(6, 3, 2), dtype), 1))


def tensorsolve_calls(dtype: str) -> Iterator[Call]:
    a = general((6, 6), dtype)
    b = operand(numbers((2, 3), dtype, -2, 2, 1), dtype)
    yield Call((operand(a.reshape(2, 3, 6), dtype), b))
    yield Call((operand(np.moveaxis(a.reshape(2, 3, 2, 3), 2, 0).copy(), dtype), b, [0, 3]))


# ---- inverses and determinants


def inverse_ex(a: np.ndarray) -> Arrays:
    return np.linalg.inv(a), no_info(a)


def slogdet(a: np.ndarray) -> Arrays:
    sign, logarithm = np.linalg.slogdet(a)
    return sign, logarithm


def as_factored(a: np.ndarray) -> np.ndarray:
    """Returns the matrix whose factors the operator gives: of a real one by rows, the transpose."""
    by_rows = a.dtype.kind != "c" and a.flags.c_contiguous
    return np.swapaxes(a, -1, -2) if by_rows else a


def det_with_factors(a: np.ndarray) -> Arrays:
    return (np.linalg.det(a), *factored(as_factored(a)))


def slogdet_with_factors(a: np.ndarray) -> Arrays:
    return (*slogdet(a), *factored(as_factored(a)))


def logdet(a: np.ndarray) -> np.ndarray:
    sign, logarithm = np.linalg.slogdet(a)
    if a.dtype.kind == "c":
        return logarithm + np.log(sign)
    return np.where(sign < 0, np.nan, logarithm)


# ---- LDL factors, here without exchanged rows: those of matrices whose diagonal is large


def ldl_calls(dtype: str) -> Iterator[Call]:
    for shape in SQUARE:
        for make, flag in ((symmetric, False), (hermitian, True)):
            a = make(shape, dtype) + 10 * np.eye(shape[-1], dtype=dtype)
            yield from (Call((x,), {"hermitian": flag}) for x in in_layouts(a, dtype))


def ldl_factor(a: np.ndarray, hermitian: bool = False) -> Arrays:
    ld = np.zeros(a.shape, a.dtype)
    for index in np.ndindex(a.shape[:-2]):
        m = a[index].copy()
        for k in range(m.shape[0]):
            column = m[k + 1 :, k] / m[k, k]
            m[k + 1 :, k + 1 :] -= np.outer(column, (m[k + 1 :, k].conj() if hermitian else m[k + 1 :, k]))
            m[k + 1 :, k] = column
        ld[index] = np.tril(m)
    return ld, np.broadcast_to(np.arange(1, a.shape[-1] + 1, dtype=np.int32), a.shape[:-1])


def ldl_factor_ex(a: np.ndarray, hermitian: bool = False) -> Arrays:
    return (*ldl_factor(a, hermitian), no_info(a))


def ldl_solve_calls(dtype: str) -> Iterator[Call]:
    for shape, right, left in SYSTEMS:
        for make, flag in ((symmetric, False), (hermitian, True)):
            a = make(shape, dtype) + 10 * np.eye(shape[-1], dtype=dtype)
            ld, pivots = ldl_factor(a, flag)
            if left:
                factors = (operand(ld, dtype, "transposed"), operand(pivots, "int32"))
                yield Call((*factors, operand(numbers(right, dtype, -2, 2, 1), dtype)), {"hermitian": flag})


def ldl_solve(ld: np.ndarray, pivots: np.ndarray, b: np.ndarray, hermitian: bool = False) -> np.ndarray:
    lower = np.tril(ld, -1) + np.eye(ld.shape[-1])
    middle = ld * np.eye(ld.shape[-1])
    other = adjoint(lower) if hermitian else np.swapaxes(lower, -1, -2)
    return solved(lower @ middle @ other, b)


def row(name: str, reference: Any, calls: Calls, dtype: Any = first, **options: Any) -> Row:
    return Row(name, reference, calls, dtype, DTYPES, tolerance=loose, **options)


FACTORS = of_dtypes("own", "int32")
FACTORS_EX = of_dtypes("own", "int32", "int32")
THREE = of_dtypes("own", "own", "own")

ROWS = (
    row("linalg_lu_factor", factored, any_calls, FACTORS),
    row("linalg_lu_factor_ex", lu_factor_ex, any_calls, FACTORS_EX),
    row("_lu_with_info", lu_factor_ex, any_calls, FACTORS_EX),
    row("linalg_lu", lambda a: unpacked(*factored(a)), any_calls, THREE),
    row("lu_unpack", unpacked, unpack_calls, THREE),
    row("linalg_lu_solve", linalg_lu_solve, lu_solve_calls(first_is_b=False)),
    row("lu_solve", lu_solve, lu_solve_calls(first_is_b=True)),
    row("_linalg_solve_ex", solve_with_factors, solve_calls, of_dtypes("own", "own", "int32", "int32")),
    row("linalg_solve_ex", solve_ex, solve_calls, FACTORS),
    row("linalg_solve", solve, solve_calls),
    row("linalg_inv_ex", inverse_ex, square_calls, FACTORS),
    row("linalg_inv", np.linalg.inv, square_calls),
    row("inverse", np.linalg.inv, square_calls),
    row("linalg_tensorinv", tensorinv, tensorinv_calls),
    row("linalg_tensorsolve", tensorsolve, tensorsolve_calls),
    row("_linalg_det", det_with_factors, dense_calls, of_dtypes("own", "own", "int32")),
    row("linalg_det", np.linalg.det, square_calls),
    row("det", np.linalg.det, square_calls),
    row("_linalg_slogdet", slogdet_with_factors, dense_calls, of_dtypes("own", "real", "own", "int32")),
    row("linalg_slogdet", slogdet, square_calls, of_dtypes("own", "real")),
    row("slogdet", slogdet, square_calls, of_dtypes("own", "real")),
    row("logdet", logdet, square_calls),
    row("linalg_ldl_factor", ldl_factor, ldl_calls, FACTORS),
    row("linalg_ldl_factor_ex", ldl_factor_ex, ldl_calls, FACTORS_EX),
    row("linalg_ldl_solve", ldl_solve, ldl_solve_calls),
)
