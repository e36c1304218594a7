"""Functions that make arrays."""

from __future__ import annotations

from ._arguments import aten

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any


def asarray(obj: Any, /, *, dtype: Any = None, device: Any = None, copy: bool | None = None) -> Any:
    """`obj`, an array, a buffer or nested sequences of scalars, as an array."""
    return aten.asarray(obj, dtype=dtype, device=device, copy=copy)


def arange(
    start: float, /, stop: float | None = None, step: float = 1, *, dtype: Any = None, device: Any = None
) -> Any:
    """The numbers from `start` (or 0) to `stop`, which is not one of them, in steps of `step`."""
    if stop is None:
        start, stop = 0, start
    if (stop - start) * step <= 0:
        if dtype is None:
            whole = all(isinstance(v, int) for v in (start, stop, step))
            dtype = aten.int64 if whole else aten.get_default_dtype()
        return aten.empty(0, dtype=dtype, device=device)
    if dtype in (aten.uint16, aten.uint32, aten.uint64):
        return aten.arange(start, stop, step, dtype=aten.int64, device=device).to(dtype)
    return aten.arange(start, stop, step, dtype=dtype, device=device)


def empty(shape: Any, *, dtype: Any = None, device: Any = None) -> Any:
    """An array that is not initialised."""
    return aten.empty(_shape(shape), dtype=dtype, device=device)


def ones(shape: Any, *, dtype: Any = None, device: Any = None) -> Any:
    """An array of ones."""
    return aten.ones(_shape(shape), dtype=dtype, device=device)


def zeros(shape: Any, *, dtype: Any = None, device: Any = None) -> Any:
    """An array of zeros."""
    return aten.zeros(_shape(shape), dtype=dtype, device=device)


def full(shape: Any, fill_value: Any, *, dtype: Any = None, device: Any = None) -> Any:
    """An array of `fill_value`."""
    return aten.full(_shape(shape), fill_value, dtype=dtype, device=device)


def _shape(shape: Any) -> tuple[int, ...]:
    return (shape,) if isinstance(shape, int) else tuple(shape)


def empty_like(x: Any, /, *, dtype: Any = None, device: Any = None) -> Any:
    """An array of x's shape that is not initialised."""
    return aten.empty_like(x, dtype=dtype, device=device)


def ones_like(x: Any, /, *, dtype: Any = None, device: Any = None) -> Any:
    """An array of x's shape of ones."""
    return aten.ones_like(x, dtype=dtype, device=device)


def zeros_like(x: Any, /, *, dtype: Any = None, device: Any = None) -> Any:
    """An array of x's shape of zeros."""
    return aten.zeros_like(x, dtype=dtype, device=device)


def full_like(x: Any, /, fill_value: Any, *, dtype: Any = None, device: Any = None) -> Any:
    """An array of x's shape of `fill_value`."""
    return aten.full_like(x, fill_value, dtype=dtype, device=device)


def eye(
    n_rows: int, n_cols: int | None = None, /, *, k: int = 0, dtype: Any = None, device: Any = None
) -> Any:
    """A matrix with ones on its k-th diagonal, else zeros."""
    made = aten.zeros((n_rows, n_rows if n_cols is None else n_cols), dtype=dtype, device=device)
    if -made.shape[0] < k < made.shape[1]:
        made.diagonal(k).fill_(1)
    return made


def linspace(
    start: Any,
    stop: Any,
    /,
    num: int,
    *,
    dtype: Any = None,
    device: Any = None,
    endpoint: bool = True,
) -> Any:
    """`num` numbers at equal distances from `start` to `stop`, which is one of them unless endpoint=False."""
    if dtype is None and any(isinstance(v, complex) for v in (start, stop)):
        dtype = aten.get_default_dtype().to_complex()
    made = aten.linspace(start, stop, num if endpoint else num + 1, dtype=dtype, device=device)
    return made if endpoint else made[:num]


def meshgrid(*arrays: Any, indexing: str = "xy") -> tuple[Any, ...]:
    """For each vector its values at the points of the grid that the vectors span."""
    return tuple(aten.meshgrid(*arrays, indexing=indexing))


def tril(x: Any, /, *, k: int = 0) -> Any:
    """The elements on and below the k-th diagonal, else zeros."""
    return aten.tril(x, k)


def triu(x: Any, /, *, k: int = 0) -> Any:
    """The elements on and above the k-th diagonal, else zeros."""
    return aten.triu(x, k)


def from_dlpack(x: Any, /, *, device: Any = None, copy: bool | None = None) -> Any:
    """An array over the memory of an object with `__dlpack__`."""
    return aten.from_dlpack(x, device=device, copy=copy)


NAMES = (
    "arange asarray empty empty_like eye from_dlpack full full_like linspace meshgrid ones ones_like "
    "tril triu zeros zeros_like"
).split()
