"""Files of the format safetensors, by the package of this name: `pip install safetensors numpy`.

Files are mapped to memory: their bytes are read when a program uses a tensor's values, and are the tensor's
memory. A change of such a tensor is its own, and not written to the file.
"""

from __future__ import annotations

import json
import mmap
import os
import struct
from itertools import pairwise
from math import prod

from . import _C, _buffers

# Types of the compiled module are only in the package's stubs.
# The package has no types where it isn't installed.
# mypy: disable-error-code="attr-defined,no-any-return,import-not-found,no-untyped-call"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from ._C import Tensor
    from ._C import device as _device

try:
    import numpy as _numpy  # noqa: F401  # safe_open() reads headers with it
    from safetensors import SafetensorError as SafetensorError
    from safetensors import TensorSpec as _TensorSpec
    from safetensors import deserialize as _deserialize
    from safetensors import safe_open as _opened
    from safetensors import serialize as _serialize
    from safetensors import serialize_file as _serialize_file
except ImportError as error:
    raise ImportError(
        f"{__name__} needs the packages safetensors and numpy: pip install safetensors numpy"
    ) from error

_functions: Any = _C._VariableFunctions

__all__ = ["SafetensorError", "load", "load_file", "safe_open", "save", "save_file"]

_DTYPES = {
    "BOOL": _C.bool,
    "U8": _C.uint8,
    "I8": _C.int8,
    "U16": _C.uint16,
    "I16": _C.int16,
    "U32": _C.uint32,
    "I32": _C.int32,
    "U64": _C.uint64,
    "I64": _C.int64,
    "F16": _C.float16,
    "BF16": _C.bfloat16,
    "F32": _C.float32,
    "F64": _C.float64,
    "C64": _C.complex64,
}


def save_file(
    tensors: Mapping[str, Tensor], filename: str | os.PathLike[str], metadata: dict[str, str] | None = None
) -> None:
    """Writes tensors by their names, and texts by theirs.

    The tensors are contiguous, or it is a ValueError; no two of them have memory in common: RuntimeError.
    """
    held, specs = _described(tensors)
    _serialize_file(specs, filename, metadata)
    del held


def save(tensors: Mapping[str, Tensor], metadata: dict[str, str] | None = None) -> bytes:
    """Returns the bytes of the file that save_file() writes."""
    held, specs = _described(tensors)
    content = _serialize(specs, metadata)
    del held
    return bytes(content)


def load_file(filename: str | os.PathLike[str], device: _device | str | int = "cpu") -> dict[str, Tensor]:
    """The tensors of a file, on the device; on the CPU they are mapped.
    SafetensorError for a damaged file."""
    with safe_open(filename, device) as file:
        return file.get_tensors()


def load(data: bytes) -> dict[str, Tensor]:
    """The tensors of a file's bytes, which are copied. SafetensorError for damaged ones."""
    return {
        name: _tensor(name, part["dtype"], part["shape"], part["data"], 0)
        for name, part in _deserialize(data)
    }


class safe_open:
    """A file whose tensors are mapped when they are asked for; also a context, which changes nothing at its
    end. Tensors outlive it.

    device: where get_tensor() puts tensors. SafetensorError for a damaged file.
    """

    def __init__(self, filename: str | os.PathLike[str], device: _device | str | int = "cpu") -> None:
        self._file: Any = _opened(filename, framework="numpy")
        self._device = _C.device(device)
        with open(filename, "rb") as file:
            # Writable memory, whose changes are private.
            self._bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
        self._begin = 8 + struct.unpack_from("<Q", self._bytes)[0]
        # The package has checked the header.
        self._parts: dict[str, Any] = json.loads(self._bytes[8 : self._begin])

    def __enter__(self) -> safe_open:
        return self

    def __exit__(self, *error: object) -> None:
        """Lets errors pass."""

    def keys(self) -> list[str]:
        """The names of the tensors."""
        return self._file.keys()

    def offset_keys(self) -> list[str]:
        """The names of the tensors, in the order of the file."""
        return self._file.offset_keys()

    def metadata(self) -> dict[str, str] | None:
        """The texts by their names; None if there are none."""
        return self._file.metadata()

    def get_tensor(self, name: str) -> Tensor:
        """The tensor of a name. SafetensorError if the file has none."""
        if name not in self._parts or name == "__metadata__":
            raise SafetensorError(f"File does not contain tensor {name}")
        part = self._parts[name]
        begin = self._begin + part["data_offsets"][0]
        made = _tensor(name, part["dtype"], part["shape"], self._bytes, begin)
        return made if self._device.type == "cpu" else made.to(self._device)

    def get_tensors(self) -> dict[str, Tensor]:
        """All tensors by their names."""
        return {name: self.get_tensor(name) for name in self.keys()}


def _described(tensors: Mapping[str, Tensor]) -> tuple[list[Tensor], dict[str, Any]]:
    """The tensors on the CPU, and their descriptions, which have the addresses of these."""
    held, specs, areas = [], {}, []
    for name, tensor in tensors.items():
        if not isinstance(tensor, _C.Tensor):
            raise ValueError(
                f"Key `{name}` is invalid, expected {_C.Tensor.__name__} but received {type(tensor)}"
            )
        if not tensor.is_contiguous():
            raise ValueError(f"{name!r} is not contiguous: save tensor.contiguous()")
        here = tensor.detach().cpu().resolve_conj().resolve_neg()
        held.append(here)
        begin, size = here.data_ptr(), here.numel() * here.element_size()
        if size:
            areas.append((begin, begin + size, name))
        code = str(here.dtype).rpartition(".")[2]
        specs[name] = _TensorSpec(dtype=code, shape=list(here.shape), data_ptr=begin, data_len=size)
    areas.sort()
    for (_, end, name), (begin, _, other) in pairwise(areas):
        if begin < end:
            raise RuntimeError(
                f"{name!r} and {other!r} have memory in common, which a file can't say: save one of them, or "
                "tensor.clone()"
            )
    return held, specs


def _tensor(name: str, code: str, shape: list[int], content: Any, offset: int) -> Tensor:
    """The tensor whose bytes begin at the offset; a copy only if they are not aligned."""
    if code not in _DTYPES:
        raise SafetensorError(f"{name!r} has the dtype {code}, of which there are no tensors here")
    dtype, count = _DTYPES[code], prod(shape)
    if not count:
        return _functions.empty(shape, dtype=dtype)
    if offset % dtype.itemsize:
        content, offset = bytearray(memoryview(content)[offset : offset + count * dtype.itemsize]), 0
    return _buffers.frombuffer(content, dtype=dtype, count=count, offset=offset).view(shape)
