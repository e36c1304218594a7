"""Decompositions whose vectors are determined up to a phase (a sign, if they are real), and maybe up to their
order: their results in terms that depend on neither, for arrays and for tensors of both libraries.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def adjoint(a: Any) -> Any:
    swapped = np.swapaxes(a, -1, -2) if isinstance(a, np.ndarray) else a.transpose(-2, -1)
    return swapped.conj()


def square_of(a: Any) -> Any:
    return abs(a) * abs(a)


def singular(u: Any, s: Any, vh: Any) -> list[Any]:
    """Vectors beyond the singular values are only determined together, by the others."""
    if not vectors(u):
        return [s]
    u, vh = u[..., : s.shape[-1]], vh[..., : s.shape[-1], :]
    return [s, square_of(u), square_of(vh), u @ vh, (u * s[..., None, :]) @ vh]


def singular_v(u: Any, s: Any, v: Any) -> list[Any]:
    return singular(u, s, adjoint(v))


def hermitian(values: Any, v: Any) -> list[Any]:
    return [values, square_of(v), (v * values[..., None, :]) @ adjoint(v)] if vectors(v) else [values]


def unordered(values: Any, *columns: Any) -> list[Any]:
    """Sums over the eigenvalues, which have no order."""
    terms = [values, values * values, values * values * values]
    found = [t.sum(-1) for t in terms]
    return found + [(square_of(v) * t[..., None, :]).sum(-1) for v in columns for t in terms[:2]]


def vectors(v: Any) -> bool:
    """Whether vectors were computed."""
    return len(v.shape) > 1


GAUGES: dict[str, Callable[..., list[Any]]] = {
    "linalg_svd": singular,
    "svd": singular_v,
    "linalg_eigh": hermitian,
    "linalg_eig": unordered,
    "linalg_eigvals": unordered,
}


def gauge_of(name: str) -> Callable[..., list[Any]] | None:
    """Returns what an operator's results are compared by: aten's name, or that of a Python function."""
    return GAUGES.get(name.partition(".")[0].removeprefix("_")) or GAUGES.get(name.replace(".", "_"))


def fixed(name: str, results: Any) -> Any:
    """Returns the results of an operator in terms that are unique; those of others as they are."""
    gauge = gauge_of(name)
    if gauge is None:
        return results
    return gauge(*results) if isinstance(results, (list, tuple)) else gauge(results)
