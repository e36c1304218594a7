"""Functions that change shapes, join arrays, and read by indices; dtypes and their promotion."""

from __future__ import annotations

from ._arguments import accumulated, aten, dims, is_array, promote, promoted, record

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any


def broadcast_arrays(*arrays: Any) -> tuple[Any, ...]:
    """Views of the arrays with the shape to which all of them broadcast."""
    shape = aten.broadcast_shapes(*(x.shape for x in arrays))
    return tuple(x.expand(shape) for x in arrays)


def broadcast_shapes(*shapes: Any) -> tuple[int, ...]:
    """The shape to which arrays of these shapes broadcast."""
    try:
        return tuple(aten.broadcast_shapes(*shapes))
    except RuntimeError as error:
        raise ValueError(str(error)) from None


def broadcast_to(x: Any, /, shape: tuple[int, ...]) -> Any:
    """A view with the given shape."""
    return aten.broadcast_to(x, shape)


def concat(arrays: Any, /, *, axis: int | None = 0) -> Any:
    """The arrays one after another along `axis`; None: all their elements."""
    joined = promoted(*arrays)
    if axis is None:
        return aten.cat([x.reshape(-1) for x in joined])
    return aten.cat(joined, axis)


def stack(arrays: Any, /, *, axis: int = 0) -> Any:
    """The arrays along a new dimension."""
    return aten.stack(promoted(*arrays), axis)


def unstack(x: Any, /, *, axis: int = 0) -> tuple[Any, ...]:
    """The slices along `axis`."""
    return tuple(aten.unbind(x, axis))


def expand_dims(x: Any, /, axis: Any = 0) -> Any:
    """A view with new dimensions of size 1 at the places `axis`."""
    places = (axis,) if isinstance(axis, int) else tuple(axis)
    total = x.ndim + len(places)
    if any(not -total <= d < total for d in places):
        raise IndexError(f"axis {axis} is out of bounds for an array of {total} dimensions")
    wanted = sorted(d % total for d in places)
    if len(set(wanted)) != len(wanted):
        raise ValueError(f"axis {axis} names a dimension twice")
    for d in wanted:
        x = x.unsqueeze(d)
    return x


def squeeze(x: Any, /, axis: Any) -> Any:
    """A view without the dimensions `axis`, which have size 1."""
    dropped = dims(x, axis)
    if any(x.shape[d] != 1 for d in dropped):
        raise ValueError(f"squeeze(): the dimensions {axis} of {tuple(x.shape)} don't all have size 1")
    return x.reshape([n for d, n in enumerate(x.shape) if d not in dropped])


def flip(x: Any, /, *, axis: Any = None) -> Any:
    """The elements in reverse order along the dimensions `axis`."""
    return aten.flip(x, dims(x, axis))


def roll(x: Any, /, shift: Any, *, axis: Any = None) -> Any:
    """The elements moved by `shift` along `axis`, around the end; without an axis, in order."""
    if isinstance(shift, int) and isinstance(axis, tuple):
        shift = (shift,) * len(axis)
    return aten.roll(x, shift) if axis is None else aten.roll(x, shift, axis)


def moveaxis(x: Any, source: Any, destination: Any, /) -> Any:
    """A view in which the dimensions `source` are at the places `destination`."""
    come, go = dims(x, source), dims(x, destination)
    order = [d for d in range(x.ndim) if d not in come]
    for place, d in sorted(zip(go, come, strict=True)):
        order.insert(place, d)
    return x.permute(order)


def permute_dims(x: Any, /, axes: tuple[int, ...]) -> Any:
    """A view with the dimensions in another order."""
    return aten.permute(x, tuple(axes))


def matrix_transpose(x: Any, /) -> Any:
    """A view with the last two dimensions exchanged."""
    return x.mT


def repeat(x: Any, repeats: Any, /, *, axis: int | None = None) -> Any:
    """Each element, or slice along `axis`, as often as `repeats` says."""
    counts = repeats.to(aten.int64) if is_array(repeats) else repeats
    return aten.repeat_interleave(x, counts, axis)


def reshape(x: Any, /, shape: tuple[int, ...], *, copy: bool | None = None) -> Any:
    """The elements in another shape, copied if `copy` is true, and never if it is false."""
    if copy is False:
        return x.view(shape)
    return x.clone().reshape(shape) if copy else x.reshape(shape)


def tile(x: Any, repetitions: tuple[int, ...], /) -> Any:
    """The array repeated along each dimension."""
    return aten.tile(x, tuple(repetitions))


def take(x: Any, indices: Any, /, *, axis: int | None = None) -> Any:
    """The slices along `axis` at the indices."""
    if axis is None:
        if x.ndim != 1:
            raise ValueError("take(): an array of several dimensions needs an axis")
        axis = 0
    at = indices.to(aten.int64)
    wrapped = aten.where(at < 0, at + x.shape[axis], at)
    return aten.index_select(x, axis, wrapped)


def take_along_axis(x: Any, indices: Any, /, *, axis: int = -1) -> Any:
    """The elements along `axis` at the indices, which broadcast with x elsewhere."""
    d = axis % x.ndim
    shape = list(aten.broadcast_shapes(_but_one(x.shape, d), _but_one(indices.shape, d)))
    from_, at = list(shape), list(shape)
    from_[d], at[d] = x.shape[d], indices.shape[d]
    places = indices.to(aten.int64).expand(at)
    return aten.gather(x.expand(from_), d, aten.where(places < 0, places + x.shape[d], places))


def _but_one(shape: Any, d: int) -> list[int]:
    return [1 if i == d else n for i, n in enumerate(shape)]


def tensordot(x1: Any, x2: Any, /, *, axes: Any = 2) -> Any:
    """The sum of products over dimensions of both."""
    x1, x2 = promoted(x1, x2)
    return aten.tensordot(x1, x2, axes)


def matmul(x1: Any, x2: Any, /) -> Any:
    """The matrix product."""
    return aten.matmul(*promoted(x1, x2))


def vecdot(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    """The products along `axis`, of which the first is conjugated, added."""
    x1, x2 = promoted(x1, x2)
    if x1.shape[axis] != x2.shape[axis]:
        raise ValueError(f"vecdot(): the sizes {x1.shape[axis]} and {x2.shape[axis]} along the axis differ")
    return accumulated(aten.conj(x1) * x2, x1.dtype, lambda t: t.sum(axis))


def astype(x: Any, dtype: Any, /, *, copy: bool = True, device: Any = None) -> Any:
    """The array with another dtype; itself if it has it and `copy` is false."""
    return x.to(dtype=dtype, device=device, copy=copy)


def can_cast(from_: Any, to: Any, /) -> bool:
    """Whether promotion leads from one dtype to the other."""
    given = from_.dtype if is_array(from_) else from_
    try:
        return bool(promote(given, to) == to)
    except TypeError:
        return False


_SCALARS = [bool, int, float, complex]


def result_type(*arrays_and_dtypes: Any) -> Any:
    """The dtype of what is computed of these arrays, dtypes and scalars."""
    dtypes = [x.dtype if is_array(x) else x for x in arrays_and_dtypes]
    scalars = [x for x in dtypes if isinstance(x, (bool, int, float, complex))]
    found = [x for x in dtypes if not isinstance(x, (bool, int, float, complex))]
    if not found:
        raise ValueError("result_type(): needs an array or a dtype")
    wanted = found[0]
    for dtype in found[1:]:
        wanted = promote(wanted, dtype)
    kind = max((_SCALARS.index(type(s)) for s in scalars), default=0)
    return aten.result_type(aten.empty((1,), dtype=wanted), _SCALARS[kind](1)) if scalars else wanted


FInfo = record("FInfo", "What finfo() returns.", "bits", "eps", "max", "min", "smallest_normal", "dtype")


IInfo = record("IInfo", "What iinfo() returns.", "bits", "max", "min", "dtype")


def finfo(type: Any, /) -> Any:
    """The limits of a floating-point dtype, or of an array's; for a complex one those of its parts."""
    dtype = type.dtype if is_array(type) else type
    found = aten.finfo(dtype)
    return FInfo(found.bits, found.eps, found.max, found.min, found.smallest_normal, dtype.to_real())


def iinfo(type: Any, /) -> Any:
    """The limits of an integer dtype, or of an array's."""
    dtype = type.dtype if is_array(type) else type
    found = aten.iinfo(dtype)
    return IInfo(found.bits, found.max, found.min, dtype)


_SIGNED, _UNSIGNED = ("int8", "int16", "int32", "int64"), ("uint8", "uint16", "uint32", "uint64")
_REAL, _COMPLEX = ("float32", "float64"), ("complex64", "complex128")
KINDS = {
    "bool": ("bool",),
    "signed integer": _SIGNED,
    "unsigned integer": _UNSIGNED,
    "integral": _SIGNED + _UNSIGNED,
    "real floating": _REAL,
    "complex floating": _COMPLEX,
    "numeric": _SIGNED + _UNSIGNED + _REAL + _COMPLEX,
}


def isdtype(dtype: Any, kind: Any) -> bool:
    """Whether a dtype is of a kind, such as "integral", is the dtype `kind`, or one of several."""
    if isinstance(kind, tuple):
        return any(isdtype(dtype, k) for k in kind)
    if isinstance(kind, str):
        if kind not in KINDS:
            raise ValueError(f"isdtype(): there is no kind {kind!r} of dtypes")
        return any(dtype == getattr(aten, n) for n in KINDS[kind])
    return bool(dtype == kind)


NAMES = (
    "astype broadcast_arrays broadcast_shapes broadcast_to can_cast concat expand_dims finfo flip iinfo "
    "isdtype matmul matrix_transpose moveaxis permute_dims repeat reshape result_type roll squeeze "
    "stack take take_along_axis tensordot tile unstack vecdot"
).split()
