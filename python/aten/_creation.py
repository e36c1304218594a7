"""Tensors from Python data and from other libraries' arrays."""

from __future__ import annotations

from . import _C
from ._C import Tensor
from ._C import device as _device
from ._C import dtype as _dtype

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any


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
    result = _C._from_data(data, dtype) if type(data) in _PLAIN else _copied(data, dtype, device)
    if device is not None and type(data) in _PLAIN:
        result = result.to(device)
    if pin_memory:
        result = result.pin_memory()
    return result.requires_grad_() if requires_grad else result


_PLAIN = (list, tuple, float, int, bool)


def as_tensor(data: Any, dtype: _dtype | None = None, device: _device | str | int | None = None) -> Tensor:
    """`data` as a tensor; tensors, CPU arrays, and CUDA arrays with DLPack or `__cuda_array_interface__`
    share their memory if dtype and device allow it."""
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
    requires_grad: bool = False,
) -> Tensor:
    """`obj` as a tensor. It is copied if `copy` is true, and never if it is false (ValueError if a copy is
    needed); by default, only if necessary."""
    shared = _shared(obj)
    if shared is None:
        if copy is False:
            raise ValueError(f"asarray(): {type(obj).__name__} data can only be copied")
        result = _copied(obj, dtype, device)
    else:
        result = _moved(shared, dtype, device)
        if copy is False and result is not shared:
            raise ValueError("asarray(): another type or device needs a copy")
        if copy and result is shared:
            result = result.clone()
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
    if hasattr(type(data), "__array_interface__") and getattr(data, "shape", None) is not None:
        if not hasattr(data, "__dlpack__"):  # the array interface of a NumPy scalar is that of a copy
            return None
        try:
            return _C.from_numpy(data)
        except ValueError:  # negative strides or non-native byte order need a copy
            return _C.from_numpy(data.astype(data.dtype.newbyteorder("=")).copy())
    if hasattr(data, "__dlpack__"):
        return _C._from_dlpack(data, None, None)
    if hasattr(data, "__cuda_array_interface__"):
        return _C._from_cuda_array(data)
    return None


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
