"""PyTorch's calls in double precision: the exact values of results in narrower dtypes.

PyTorch rounds intermediate sums, factors or positions in some of its paths, or leaves an out= unwritten;
which path runs depends on the machine. Where our result isn't PyTorch's, it has to be the exact one, rounded
once.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

import torch
from compare import assert_values
from oracle import assert_same, values_of
from tensors import dtype_name, to_array

WIDER = {
    torch.float16: torch.float64,
    torch.bfloat16: torch.float64,
    torch.float32: torch.float64,
    torch.complex32: torch.complex128,
    torch.complex64: torch.complex128,
}
# The relative error of rounding to nearest; results computed in the dtype itself have an error of two units.
# And the error of sums in float32 or float64, relative to the largest element.
SINGLE, DOUBLE = 5e-6, 1e-14
ROUNDINGS = {
    "float16": (2.0**-11, SINGLE),
    "bfloat16": (2.0**-8, SINGLE),
    "complex32": (2.0**-10, SINGLE),
    "float32": (2.0**-22, SINGLE),
    "complex64": (2.0**-22, SINGLE),
    "float64": (2.0**-51, DOUBLE),
    "complex128": (2.0**-51, DOUBLE),
}


class Exact:
    """One call with the arguments as they are now, run in double precision on demand."""

    def __init__(self, call: Callable[..., Any], args: Any, kwargs: Any) -> None:
        self._call = call
        self._args, self._kwargs = widened((args, kwargs), {})

    @functools.cached_property
    def results(self) -> list[torch.Tensor]:
        return list(tensors_of(self._call(*self._args, **self._kwargs)))

    @property
    def arguments(self) -> list[torch.Tensor]:
        """Returns the arguments after the call."""
        assert self.results is not None
        return list(tensors_of((self._args, self._kwargs)))


def widened(value: Any, seen: dict[int, torch.Tensor]) -> Any:
    """Returns a copy with wider tensors and dtypes; the same tensor given twice stays one tensor."""
    if isinstance(value, torch.Tensor) and value.layout is torch.strided:
        if id(value) not in seen:
            seen[id(value)] = value.detach().to(WIDER.get(value.dtype, value.dtype), copy=True)
        return seen[id(value)]
    if isinstance(value, torch.dtype):
        return WIDER.get(value, value)
    if isinstance(value, dict):
        return {k: widened(v, seen) for k, v in value.items()}
    if type(value) in (list, tuple):
        return type(value)(widened(v, seen) for v in value)
    return value


def tensors_of(value: Any) -> Iterator[Any]:
    """Yields the tensors in a result or argument, PyTorch's or ours."""
    if hasattr(value, "data_ptr"):
        yield value
    elif isinstance(value, dict):
        yield from tensors_of(list(value.values()))
    elif isinstance(value, (list, tuple)):
        for v in value:
            yield from tensors_of(v)


def assert_same_or_exact(
    got: Any, expected: Any, what: str, exact: Callable[[], list[torch.Tensor]], dtype: Any = None, **how: Any
) -> None:
    """Checks that our result is PyTorch's, or the exact one rounded once, to `dtype` where its own type is
    wider.
    """
    __tracebackhide__ = True
    try:
        assert_same(got, expected, what, **how)
    except AssertionError:
        if not how.get("values", True):
            raise
        assert_same(got, expected, what, **{**how, "values": False})
        if not is_exact(list(tensors_of(got)), list(tensors_of(expected)), exact, dtype, how):
            raise


def is_exact(got: list[Any], expected: list[Any], exact: Any, dtype: Any, how: dict[str, Any]) -> bool:
    """Compares tensor by tensor; False also where PyTorch has no such call in double precision."""
    try:
        wide = exact()
        for g, e, x in zip(got, expected, wide, strict=False):
            try:
                assert_same(g, e, "", **how)
            except AssertionError:
                assert_rounded(g, x, dtype_name(g) if dtype is None else str(dtype).rpartition(".")[2])
    except Exception:
        return False
    return 0 < len(got) <= len(wide)


def assert_rounded(got: Any, exact: torch.Tensor, dtype: str) -> None:
    values = values_of(exact)
    finite = values[abs(values) < float("inf")] if dtype in ROUNDINGS else values[:0]
    largest = float(abs(finite).max()) if finite.size else 0.0
    rounding, sums = ROUNDINGS.get(dtype, (0, 0))
    assert_values(to_array(got), values, (rounding, sums * largest), "rounded once")
