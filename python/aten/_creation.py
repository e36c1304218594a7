"""Tensors from Python data and from other libraries' arrays."""

from __future__ import annotations

from . import _C, _buffers
from ._C import Tensor
from ._C import device as _device
from ._C import dtype as _dtype
from ._devices import wanted_device
from ._storage import UntypedStorage

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

_NAMESPACE = "aten"


def tensor(
    data: Any,
    *,
    dtype: _dtype | None = None,
    device: _device | str | int | None = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:
    """A new tensor with a copy of `data`: a scalar, nested sequences of scalars, an array, or a tensor.

    Without `dtype`, bools give bool, ints int64, floats the default dtype; arrays and tensors keep theirs.
    Raises ValueError for ragged sequences, TypeError for elements that are not scalars.
    """
    if not isinstance(requires_grad, bool):
        got = type(requires_grad).__name__
        raise TypeError(f"tensor(): argument 'requires_grad' must be bool, not {got}")
    if device is None:
        device = wanted_device()
    result = _C._from_data(data, dtype) if type(data) in _PLAIN else _copied(data, dtype, device)
    if device is not None and type(data) in _PLAIN:
        result = result.to(device)
    if pin_memory:
        result = result.pin_memory()
    return result.requires_grad_() if requires_grad else result


_PLAIN = (list, tuple, float, int, bool)


def range(
    start: float = 0,
    end: float | None = None,
    step: float = 1,
    *,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    layout: Any = None,
    device: _device | str | int | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """The numbers from `start` to `end`, which may be the last, in steps of `step`. PyTorch deprecates it:
    arange() takes the same arguments and leaves `end` out."""
    from ._ops import ops

    if end is None:
        raise TypeError("range(): missing argument 'end'")
    operator = getattr(ops, _NAMESPACE).range
    if out is not None:
        written: Tensor = operator.out(start, end, step, out=out)
        return written
    place = wanted_device() if device is None else device
    kind = _C.get_default_dtype() if dtype is None else dtype
    made: Tensor = operator.step(start, end, step, dtype=kind, device=place)
    return made.requires_grad_() if requires_grad else made


def as_tensor(data: Any, *, dtype: _dtype | None = None, device: _device | str | int | None = None) -> Tensor:
    """`data` as a tensor; tensors, CPU arrays, and CUDA arrays with DLPack or `__cuda_array_interface__`
    share their memory if dtype and device allow it."""
    if device is None:
        device = wanted_device()
    shared = _shared(data)
    if shared is None:
        return _copied(data, dtype, device)
    return _moved(shared, dtype, device)


def asarray(
    obj: Any,
    *,
    dtype: _dtype | None = None,
    device: _device | str | int | None = None,
    copy: bool | None = None,
    requires_grad: bool | None = None,
) -> Tensor:
    """`obj` as a tensor. It is copied if `copy` is true, and never if it is false (ValueError if a copy is
    needed); by default, only if necessary. The bytes of objects with Python's buffer protocol that are no
    arrays are read as elements of `dtype`, or of the default dtype. A false `requires_grad` detaches."""
    if device is None:
        device = wanted_device()
    shared = _shared(obj)
    if shared is None and type(obj) not in _PLAIN and not _is_numpy_scalar(obj) and _is_buffer(obj):
        shared = _buffers.frombuffer(obj, dtype=_C.get_default_dtype() if dtype is None else dtype)
    if shared is None:
        if copy is False and _is_numpy_scalar(obj):
            raise RuntimeError("asarray(): a scalar of NumPy can only be copied; make it an array")
        if copy is False:
            raise ValueError(f"asarray(): {type(obj).__name__} data can only be copied")
        result = _copied(obj, dtype, device)
    else:
        result = _moved(shared, dtype, device)
        if copy is False and result is not shared:
            raise ValueError("asarray(): another type or device needs a copy")
        if copy and result is shared:
            result = result.clone()
    if requires_grad is False and result.requires_grad:
        result = result.detach()
    return result.requires_grad_() if requires_grad else result


def from_dlpack(
    source: Any, *, device: _device | str | int | None = None, copy: bool | None = None
) -> Tensor:
    """A tensor over the memory of an object with `__dlpack__`, or of a DLPack capsule, which is consumed.

    Memory that its owner marks as read-only remains so: operators that would write to it raise an error.
    Raises BufferError for memory that cannot be shared (negative strides, unknown dtypes), ValueError for a
    capsule that was already consumed.
    """
    if copy is not None and not isinstance(copy, bool):
        raise TypeError(f"from_dlpack(): argument 'copy': expected bool or None, got {type(copy).__name__}")
    wanted = None if device is None else _device(device)
    if wanted is None:
        return _C._from_dlpack(source, None, copy)
    place = _C._VariableFunctions.empty(0, device=wanted).__dlpack_device__()
    return _C._from_dlpack(source, None if _is_there(source, place) else place, copy)


def _is_there(source: Any, place: tuple[int, int]) -> bool:
    ask = getattr(source, "__dlpack_device__", None)
    return ask is None or tuple(ask()) == place


def _shared(data: Any) -> Tensor | None:
    """Returns a tensor over the memory of `data`; None if it can't be shared."""
    if isinstance(data, Tensor):
        return data
    if isinstance(data, UntypedStorage):
        return data._bytes
    if hasattr(type(data), "__array_interface__") and getattr(data, "shape", None) is not None:
        return None if _is_numpy_scalar(data) else _over_array(data)
    if hasattr(data, "__dlpack__"):
        return _C._from_dlpack(data, None, None)
    if hasattr(data, "__cuda_array_interface__"):
        return _C._from_cuda_array(data)
    return None


def _over_array(array: Any) -> Tensor:
    try:
        return _C.from_numpy(array)
    except ValueError:
        strides = getattr(array, "strides", None)
        if strides is None or not array.dtype.isnative or any(s < 0 or s % array.itemsize for s in strides):
            raise
        return _C.from_numpy(array.copy())  # what isn't aligned to its type can't be shared


def _is_numpy_scalar(data: Any) -> bool:
    return any(c.__module__ == "numpy" and c.__name__ == "generic" for c in type(data).__mro__)


def _is_buffer(data: Any) -> bool:
    try:
        memoryview(data)
    except TypeError:
        return False
    return True


def _copied(data: Any, dtype: _dtype | None, device: _device | str | int | None) -> Tensor:
    shared = _shared(data)
    if shared is None:
        return _moved(_C._from_data(data, dtype), None, device)
    result = _moved(shared, dtype, device)
    return result.clone().detach() if result is shared else result.detach()


def _moved(t: Tensor, dtype: _dtype | None, device: _device | str | int | None) -> Tensor:
    if dtype is None and device is None:
        return t
    return t.to(device=device, dtype=dtype)
