"""Tensors over memory of buffers and files, and the function form of Tensor.__dlpack__."""

from __future__ import annotations

from . import _C
from ._C import Tensor
from ._C import dtype as _dtype

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

# NumPy's names of the dtypes; bfloat16 and complex32, which it hasn't, are read as integers of their size.
_KINDS = {
    "bool": "|b1", "uint8": "|u1", "int8": "|i1", "uint16": "<u2", "int16": "<i2", "uint32": "<u4",
    "int32": "<i4",
    "uint64": "<u8", "int64": "<i8", "float16": "<f2", "float32": "<f4", "float64": "<f8", "complex64": "<c8",
    "complex128": "<c16", "bfloat16": "<i2", "complex32": "<i4",
}  # fmt: skip


class _Interface:
    """NumPy's protocol over a buffer, which it keeps."""

    def __init__(self, buffer: Any, address: int, count: int, kind: str, read_only: bool) -> None:
        self._buffer = buffer
        self.__array_interface__ = {
            "version": 3, "data": (address, read_only), "shape": (count,), "typestr": kind,
        }  # fmt: skip


def _address(view: memoryview) -> tuple[int, Any]:
    """Returns where a buffer's bytes are, and what keeps them there."""
    import ctypes

    if not view.readonly:
        held = (ctypes.c_char * max(view.nbytes, 1)).from_buffer(view)
        return ctypes.addressof(held), held
    found = (ctypes.c_void_p * 16)()  # a Py_buffer, whose first field is the address
    ctypes.pythonapi.PyObject_GetBuffer(ctypes.py_object(view), ctypes.byref(found), ctypes.c_int(0))
    address = found[0] or 0
    ctypes.pythonapi.PyBuffer_Release(ctypes.byref(found))
    return address, view


def frombuffer(
    buffer: Any, *, dtype: _dtype, count: int = -1, offset: int = 0, requires_grad: bool = False
) -> Tensor:
    """A vector over the memory of an object with Python's buffer protocol: `count` elements (-1: all) from
    the byte `offset` on. The tensor of a read-only buffer is read-only. ValueError if the buffer is too
    short."""
    view = memoryview(buffer).cast("B")
    size = dtype.itemsize
    if view.nbytes == 0 or count == 0:
        raise ValueError(
            f"frombuffer(): the buffer's length ({view.nbytes} bytes) and count ({count}) must not be 0"
        )
    if not 0 <= offset < view.nbytes:
        raise ValueError(
            f"frombuffer(): offset ({offset} bytes) must be within the {view.nbytes} bytes of the buffer"
        )
    left = view.nbytes - offset
    if count < 0:
        if left % size:
            raise ValueError(
                f"frombuffer(): {left} bytes after offset are no multiple of {size}, an element's size"
            )
        count = left // size
    if count * size > left:
        raise ValueError(
            f"frombuffer(): {count} elements take {count * size} bytes, but {left} are left after offset"
        )
    address, held = _address(view)
    kind = _KINDS[str(dtype).rpartition(".")[2]]
    made = _C.from_numpy(_Interface(held, address + offset, count, kind, view.readonly))
    if made.dtype != dtype:
        made = made.view(dtype)
    return made.requires_grad_() if requires_grad else made


def from_file(
    filename: str,
    shared: bool | None = None,
    size: int | None = 0,
    *,
    dtype: _dtype | None = None,
    layout: Any = None,
    device: Any = None,
    pin_memory: bool | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """A vector of `size` elements over a file that is mapped into memory. With `shared`, writes go to the
    file, which is made as long as necessary; otherwise they stay in memory."""
    import mmap
    import os

    dtype = dtype or _C.get_default_dtype()
    if (size or 0) < 0:
        raise RuntimeError(f"from_file(): expected a size of at least 0, got {size}")
    length = (size or 0) * dtype.itemsize
    if shared:
        with open(os.open(filename, os.O_RDWR | os.O_CREAT, 0o666), "r+b") as file:
            if os.fstat(file.fileno()).st_size < length:
                file.truncate(length)
            mapped = mmap.mmap(file.fileno(), length) if length else None
    else:
        with open(filename, "rb") as file:
            have = os.fstat(file.fileno()).st_size
            if have < length:
                raise RuntimeError(
                    f"from_file(): {filename!r} has {have} bytes, {size} elements take {length}"
                )
            mapped = mmap.mmap(file.fileno(), length, access=mmap.ACCESS_COPY) if length else None
    if mapped is None:
        made: Tensor = _C._VariableFunctions.empty(0, dtype=dtype)
    else:
        made = frombuffer(mapped, dtype=dtype)
    made = made if device is None else made.to(device)
    return made.requires_grad_() if requires_grad else made


def to_dlpack(tensor: Tensor, /) -> Any:
    """A DLPack capsule of the tensor's memory; the same as tensor.__dlpack__()."""
    return tensor.__dlpack__()
