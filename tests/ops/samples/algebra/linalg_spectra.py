"""Sample rows of singular values and eigenvalues, and of what is computed by them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from calls import Call
from matrices import DTYPES, SQUARE, TALL, WIDE, adjoint, general, hermitian, in_layouts, loose
from rows import Row, first, index
from tensors import Operand, numbers, operand

ANY = (*SQUARE, *TALL, *WIDE)


def real_of(call: Call) -> str:
    dtype = first(call)
    return {"complex64": "float32", "complex128": "float64"}.get(dtype, dtype)


def vectors_and_values(call: Call) -> tuple[str, str, str]:
    return first(call), real_of(call), first(call)


def values_and_vectors(call: Call) -> tuple[str, str]:
    return real_of(call), first(call)


def calls_of(*more: dict[str, Any], shapes: Any = ANY, make: Any = general) -> Any:
    """Returns calls with matrices of all shapes and layouts; with arguments in each shape's first layout."""

    def calls(dtype: str) -> Iterator[Call]:
        for shape in shapes:
            for i, a in enumerate(in_layouts(make(shape, dtype), dtype)):
                yield Call((a,))
                if i == 0:
                    yield from (Call((a,), kwargs) for kwargs in more)

    return calls


SMALL = ((3, 3), (2, 4, 4))


def without_vectors(argument: str, make: Any) -> Any:
    """Returns calls that give no vectors, and so have no gradient."""
    return lambda dtype: (Call((operand(make(s, dtype), dtype),), {argument: False}) for s in SMALL)


# ---- singular values


def svd(a: np.ndarray, full_matrices: bool = True) -> Any:
    return np.linalg.svd(a, full_matrices)


def raw_svd(a: np.ndarray, full_matrices: bool = False, compute_uv: bool = True) -> Any:
    if compute_uv:
        return np.linalg.svd(a, full_matrices)
    return np.zeros(0), svdvals(a), np.zeros(0)


def svd_v(a: np.ndarray, some: bool = True, compute_uv: bool = True) -> Any:
    if compute_uv:
        u, s, vh = np.linalg.svd(a, not some)
        return u, s, adjoint(vh)
    batch, (m, n) = a.shape[:-2], a.shape[-2:]
    return np.zeros((*batch, m, m)), svdvals(a), np.zeros((*batch, n, n))


def svdvals(a: np.ndarray) -> np.ndarray:
    return np.linalg.svd(a, compute_uv=False)


# ---- eigenvalues


def eigh(a: np.ndarray, UPLO: str = "L") -> Any:
    return np.linalg.eigh(a, UPLO)


def raw_eigh(a: np.ndarray, UPLO: str = "L", compute_v: bool = True) -> Any:
    return np.linalg.eigh(a, UPLO) if compute_v else (np.linalg.eigvalsh(a, UPLO), np.zeros(0))


def eigvalsh(a: np.ndarray, UPLO: str = "L") -> np.ndarray:
    return np.linalg.eigvalsh(a, UPLO)


# ---- what is computed by them

# These count singular values above 0 as 0, and "hermitian" reads one triangle: derivatives are those of the
# pseudoinverse of the whole matrix.
NARROW = ("float32", "complex64")
WHOLE = ("float64", "complex128")
TOLERANCES = ({"rtol": 0.3}, {"atol": 1.5, "rtol": 0.1}, {"atol": 0.5}, {"hermitian": True})


def several(dtype: str, *values: float) -> Operand:
    return operand(np.asarray(values), "float64" if dtype in WHOLE else "float32")


def tolerance_calls(dtype: str) -> Iterator[Call]:
    for shape in ((3, 3), (2, 4, 4), (0, 3, 3), (2, 0, 0)):
        a = operand(hermitian(shape, dtype), dtype)
        yield from (Call((a,), kwargs) for kwargs in ({}, *TOLERANCES))
    a = operand(hermitian((2, 3, 3), dtype), dtype)
    limits = several(dtype, 0.1, 2.0)
    yield from (Call((a,), {"atol": limits}), Call((a,), {"rtol": limits, "hermitian": True}))


def whole_calls(dtype: str) -> Iterator[Call]:
    for shape in ((3, 3), (2, 0, 0), *TALL, *WIDE):
        for a in in_layouts(general(shape, dtype), dtype):
            yield Call((a,))
    a = operand(general((2, 4, 3), dtype), dtype)
    yield from (Call((a,), {"rtol": 1e-6}), Call((a,), {"atol": several(dtype, 1e-6, 1e-7)}))


def single_tolerance_calls(dtype: str) -> Iterator[Call]:
    a = operand(hermitian((2, 3, 3), dtype), dtype)
    limits = several(dtype, 0.1, 2.0)
    yield from (Call((a, 0.3)), Call((a, 0.3, True)), Call((a, limits)), Call((a, limits, True)))


def single_whole_calls(dtype: str) -> Iterator[Call]:
    a = operand(general((2, 4, 3), dtype), dtype)
    yield from (Call((a, 1e-6)), Call((a, several(dtype, 1e-6, 1e-7))))


def limit(sizes: np.ndarray, shape: tuple[int, ...], atol: Any, rtol: Any, dtype: np.dtype) -> np.ndarray:
    precise = np.finfo(dtype).eps * max(shape[-2:])
    if rtol is None:
        rtol = precise if atol is None else np.where(np.asarray(atol) > 0, 0, precise)
    atol, rtol = np.asarray(0 if atol is None else atol), np.asarray(rtol)
    return np.maximum(atol[..., None], rtol[..., None] * sizes.max(-1, keepdims=True))


def rank(a: np.ndarray, atol: Any = None, rtol: Any = None, hermitian: bool = False) -> np.ndarray:
    if not a.size:
        return np.zeros(a.shape[:-2], np.int64)
    sizes = svdvals(a)
    return np.sum(sizes > limit(sizes, a.shape, atol, rtol, a.dtype), -1)


def pinv(a: np.ndarray, atol: Any = None, rtol: Any = None, hermitian: bool = False) -> np.ndarray:
    if not a.size:
        return np.swapaxes(a, -1, -2)
    u, s, vh = np.linalg.svd(a, False)
    kept = s > limit(s, a.shape, atol, rtol, a.dtype)
    factors = np.where(kept, 1 / np.where(kept, s, 1), 0)
    return adjoint(vh) * factors[..., None, :] @ adjoint(u)


def rank_above(a: np.ndarray, tol: Any, hermitian: bool = False) -> np.ndarray:
    return rank(a, tol, 0.0)


def pinv_above(a: np.ndarray, rcond: Any, hermitian: bool = False) -> np.ndarray:
    return pinv(a, 0.0, rcond)


def pinverse_calls(dtype: str) -> Iterator[Call]:
    a = operand(numbers((3, 4), dtype, -1, 1), dtype)
    yield from (Call((a,)), Call((a, 0.5 if dtype in NARROW else 1e-6)))


def pinverse(a: np.ndarray, rcond: float = 1e-15) -> np.ndarray:
    return pinv(a, 0.0, rcond)


def row(
    name: str,
    reference: Any,
    calls: Any,
    dtype: Any = first,
    dtypes: tuple[str, ...] = DTYPES,
    **options: Any,
) -> Row:
    return Row(name, reference, calls, dtype, dtypes, **{"tolerance": loose, **options})


UPPER: Any = ({"UPLO": "U"}, {"UPLO": "l"})
ROWS = (
    row("linalg_svd", svd, calls_of({"full_matrices": False}), vectors_and_values),
    row(
        "_linalg_svd",
        raw_svd,
        calls_of({"full_matrices": True}, shapes=((3, 3), (2, 4, 3), (2, 4))),
        vectors_and_values,
    ),
    row(
        "_linalg_svd",
        raw_svd,
        without_vectors("compute_uv", general),
        vectors_and_values,
        NARROW,
        label="values",
    ),
    row("svd", svd_v, calls_of({"some": False}, {"compute_uv": False}), vectors_and_values),
    row("linalg_svdvals", svdvals, calls_of(), real_of),
    row("linalg_eigh", eigh, calls_of(*UPPER, shapes=SQUARE, make=hermitian), values_and_vectors),
    row("_linalg_eigh", raw_eigh, calls_of({"UPLO": "U"}, shapes=SMALL, make=hermitian), values_and_vectors),
    row(
        "_linalg_eigh",
        raw_eigh,
        without_vectors("compute_v", hermitian),
        values_and_vectors,
        NARROW,
        label="values",
    ),
    row("linalg_eigvalsh", eigvalsh, calls_of(*UPPER, shapes=SQUARE, make=hermitian), real_of),
    row("linalg_matrix_rank", rank, tolerance_calls, index),
    row("linalg_matrix_rank", rank_above, single_tolerance_calls, index, label="tol"),
    row("linalg_pinv", pinv, tolerance_calls, dtypes=NARROW, label="truncated"),
    row("linalg_pinv", pinv, whole_calls),
    row("linalg_pinv", pinv_above, single_tolerance_calls, dtypes=NARROW, label="rcond"),
    row("linalg_pinv", pinv_above, single_whole_calls, label="small"),
    row("pinverse", pinverse, pinverse_calls),
)
