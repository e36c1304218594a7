"""Functions over dimensions: sums, extrema, tests, orders, sets and searches."""

from __future__ import annotations

from ._arguments import accumulated, aten, dims, is_array, promoted, record

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any


def sum(x: Any, /, *, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    """The sum over the dimensions `axis`; integers are added as 64-bit ones of their kind."""
    if axis == () or x.ndim == 0:
        return accumulated(x, dtype, lambda t: t.clone())
    return accumulated(x, dtype, lambda t: aten.sum(t, dims(x, axis), keepdims))


def prod(x: Any, /, *, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    """The product over the dimensions `axis`; integers are multiplied as 64-bit ones of their kind."""

    def product(t: Any) -> Any:
        made = t.clone()
        for d in dims(x, axis):
            made = aten.prod(made, d, True)
        return made if keepdims else _without(made, dims(x, axis))

    return accumulated(x, dtype, product)


def _without(x: Any, dropped: tuple[int, ...]) -> Any:
    return x.reshape([n for d, n in enumerate(x.shape) if d not in dropped])


def _extremum(name: str) -> Any:
    def function(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Any:
        return x.clone() if axis == () else getattr(aten, name)(x, dims(x, axis), keepdims)

    return function


max = _extremum("amax")
min = _extremum("amin")
max.__doc__ = "The largest element over the dimensions `axis`."
min.__doc__ = "The smallest element over the dimensions `axis`."


def mean(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Any:
    """The mean over the dimensions `axis`."""
    return x.clone() if axis == () else aten.mean(x, dims(x, axis), keepdims)


def var(x: Any, /, *, axis: Any = None, correction: float = 0.0, keepdims: bool = False) -> Any:
    """The variance over the dimensions `axis`, divided by the number of elements less `correction`."""
    if axis == ():
        return aten.zeros_like(x)
    return aten.var(x, dims(x, axis), correction=correction, keepdim=keepdims)


def std(x: Any, /, *, axis: Any = None, correction: float = 0.0, keepdims: bool = False) -> Any:
    """The square root of var()."""
    if axis == ():
        return aten.zeros_like(x)
    return aten.std(x, dims(x, axis), correction=correction, keepdim=keepdims)


def all(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Any:
    """Whether all elements over the dimensions `axis` are other than 0."""
    made = x.to(aten.bool)
    return made.clone() if axis == () else aten.all(made, dims(x, axis), keepdims)


def any(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Any:
    """Whether one of the elements over the dimensions `axis` is other than 0."""
    made = x.to(aten.bool)
    return made.clone() if axis == () else aten.any(made, dims(x, axis), keepdims)


def count_nonzero(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Any:
    """How many elements over the dimensions `axis` are other than 0."""
    return sum(x != 0, axis=axis, keepdims=keepdims)


def _place(name: str) -> Any:
    def function(x: Any, /, *, axis: int | None = None, keepdims: bool = False) -> Any:
        made = getattr(aten, name)(x, axis, keepdims and axis is not None)
        return made.reshape((1,) * x.ndim) if keepdims and axis is None else made

    return function


argmax = _place("argmax")
argmin = _place("argmin")
argmax.__doc__ = "The index of the largest element along `axis`, or in order."
argmin.__doc__ = "The index of the smallest element along `axis`, or in order."


def _cumulative(x: Any, name: str, axis: int | None, dtype: Any, first: int | None) -> Any:
    if axis is None:
        if x.ndim != 1:
            raise ValueError(f"cumulative: an array of {x.ndim} dimensions needs an axis")
        axis = 0
    made = accumulated(x, dtype, lambda t: getattr(aten, name)(t, axis))
    if first is None:
        return made
    shape = list(x.shape)
    shape[axis] = 1
    return aten.cat([aten.full(shape, first, dtype=made.dtype, device=x.device), made], axis)


def cumulative_sum(
    x: Any, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False
) -> Any:
    """The sum of the elements up to each along `axis`; with `include_initial`, 0 before the first."""
    return _cumulative(x, "cumsum", axis, dtype, 0 if include_initial else None)


def cumulative_prod(
    x: Any, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False
) -> Any:
    """The product of the elements up to each along `axis`; with `include_initial`, 1 before the first."""
    return _cumulative(x, "cumprod", axis, dtype, 1 if include_initial else None)


def diff(x: Any, /, *, axis: int = -1, n: int = 1, prepend: Any = None, append: Any = None) -> Any:
    """The n-th differences of neighbours along `axis`."""
    return aten.diff(x, n, axis, prepend, append)


def sort(x: Any, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Any:
    """The elements along `axis` in order."""
    return aten.sort(x, dim=axis, descending=descending, stable=stable).values


def argsort(x: Any, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Any:
    """The indices that sort the elements along `axis`."""
    return aten.sort(x, dim=axis, descending=descending, stable=stable).indices


def nonzero(x: Any, /) -> tuple[Any, ...]:
    """The indices of the elements other than 0, an array for each dimension."""
    if x.ndim == 0:
        raise ValueError("nonzero(): an array of 0 dimensions has no indices")
    return tuple(aten.nonzero(x, as_tuple=True))


def searchsorted(x1: Any, x2: Any, /, *, side: str = "left", sorter: Any = None) -> Any:
    """Where to insert the elements x2 into the sorted vector x1."""
    x1, x2 = promoted(x1, x2)
    return aten.searchsorted(x1, x2, side=side, sorter=sorter)


def where(condition: Any, x1: Any, x2: Any, /) -> Any:
    """x1 where the condition is true, x2 elsewhere."""
    if is_array(x1) or is_array(x2):
        x1, x2 = promoted(x1, x2)
    return aten.where(condition, x1, x2)


def isin(x1: Any, x2: Any, /, *, invert: bool = False) -> Any:
    """Whether each element of x1 is one of x2, or with `invert`, whether it is none."""
    x1, x2 = promoted(x1, x2)
    found = (x1.unsqueeze(-1) == x2.reshape(-1)).any(-1)
    return found.logical_not() if invert else found


UniqueAll = record(
    "UniqueAll", "What unique_all() returns.", "values", "indices", "inverse_indices", "counts"
)


UniqueCounts = record("UniqueCounts", "What unique_counts() returns.", "values", "counts")


UniqueInverse = record("UniqueInverse", "What unique_inverse() returns.", "values", "inverse_indices")


def unique_all(x: Any, /) -> Any:
    """The different elements, where each occurs first, which of them each element is, and how often they
    occur. Each NaN is different from the others."""
    flat = x.reshape(-1)
    ordered, order = aten.sort(flat, stable=True)
    starts = aten.ones(flat.shape, dtype=aten.bool, device=x.device)
    starts[1:] = ordered[1:] != ordered[:-1]
    number = aten.cumsum(starts, 0) - 1
    inverse = aten.empty(flat.shape, dtype=aten.int64, device=x.device).scatter_(0, order, number)
    values, indices = ordered[starts], order[starts]
    places = aten.nonzero(starts).reshape(-1)
    ends = aten.cat(
        [places[1:], aten.full((min_one(flat),), flat.numel(), dtype=aten.int64, device=x.device)]
    )
    return UniqueAll(values, indices, inverse.reshape(x.shape), ends - places)


def min_one(x: Any) -> int:
    return 1 if x.numel() else 0


def unique_counts(x: Any, /) -> Any:
    """The different elements, and how often each occurs."""
    found = unique_all(x)
    return UniqueCounts(found.values, found.counts)


def unique_inverse(x: Any, /) -> Any:
    """The different elements, and which of them each element is."""
    found = unique_all(x)
    return UniqueInverse(found.values, found.inverse_indices)


def unique_values(x: Any, /) -> Any:
    """The different elements."""
    return unique_all(x).values


NAMES = (
    "all any argmax argmin argsort count_nonzero cumulative_prod cumulative_sum diff isin max mean min "
    "nonzero prod searchsorted sort std sum unique_all unique_counts unique_inverse unique_values var "
    "where"
).split()
