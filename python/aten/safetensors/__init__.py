"""Files of the format safetensors, which the package of this name reads and writes for PyTorch.

Files are mapped to memory: their bytes are read when a program uses a tensor's values, and are the tensor's
memory. A change of such a tensor is its own, and not written to the file.
"""

from __future__ import annotations

import mmap
import os
from itertools import pairwise
from math import prod

from .. import _C, _buffers
from .._serialization._memory import memory
from . import _header
from ._header import SafetensorError as SafetensorError

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="attr-defined,no-any-return"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from .._C import Tensor
    from .._C import device as _device

_functions: Any = _C._VariableFunctions

__all__ = ["SafetensorError", "load", "load_file", "safe_open", "save", "save_file"]


def save_file(
    tensors: Mapping[str, Tensor], filename: str | os.PathLike[str], metadata: dict[str, str] | None = None
) -> None:
    """Writes tensors by their names, and texts by theirs.

    The tensors are contiguous, or it is a ValueError; no two of them have memory in common: RuntimeError.
    """
    pieces = list(_pieces(tensors, metadata))  # an error leaves a file that is there as it is
    with open(filename, "wb") as file:
        file.writelines(pieces)


def save(tensors: Mapping[str, Tensor], metadata: dict[str, str] | None = None) -> bytes:
    """Returns the bytes of the file that save_file() writes."""
    return b"".join(_pieces(tensors, metadata))


def load_file(filename: str | os.PathLike[str], device: _device | str | int = "cpu") -> dict[str, Tensor]:
    """The tensors of a file, on the device; on the CPU they are mapped.
    SafetensorError for a damaged file."""
    with safe_open(filename, device) as file:
        return file.get_tensors()


def load(data: bytes) -> dict[str, Tensor]:
    """The tensors of a file's bytes, which are copied. SafetensorError for damaged ones."""
    header = _header.read(data)
    content = bytearray(data)
    return {name: _tensor(name, part, content, header.size) for name, part in header.parts.items()}


class safe_open:
    """A file whose tensors are mapped when they are asked for; also a context, which changes nothing at its
    end. Tensors outlive it.

    device: where get_tensor() puts tensors. SafetensorError for a damaged file.
    """

    def __init__(self, filename: str | os.PathLike[str], device: _device | str | int = "cpu") -> None:
        self._device = _C.device(device)
        with open(filename, "rb") as file:
            empty = os.fstat(file.fileno()).st_size == 0  # can't be mapped
            # Writable memory, whose changes are private.
            self._bytes: Any = b"" if empty else mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
        self._header = _header.read(self._bytes)

    def __enter__(self) -> safe_open:
        return self

    def __exit__(self, *error: object) -> None:
        """Lets errors pass."""

    def keys(self) -> list[str]:
        """The names of the tensors, sorted."""
        return sorted(self._header.parts)

    def offset_keys(self) -> list[str]:
        """The names of the tensors, in the order of the file."""
        return list(self._header.parts)

    def metadata(self) -> dict[str, str] | None:
        """The texts by their names; None if there are none."""
        return self._header.metadata

    def get_tensor(self, name: str) -> Tensor:
        """The tensor of a name. SafetensorError if the file has none."""
        if name not in self._header.parts:
            raise SafetensorError(f"File does not contain tensor {name}")
        made = _tensor(name, self._header.parts[name], self._bytes, self._header.size)
        return made if self._device.type == "cpu" else made.to(self._device)

    def get_tensors(self) -> dict[str, Tensor]:
        """All tensors by their names."""
        return {name: self.get_tensor(name) for name in self.keys()}


def _pieces(tensors: Mapping[str, Tensor], metadata: dict[str, str] | None) -> Iterator[bytes | memoryview]:
    """Yields the header, and the memory of each tensor, which is copied only from another device."""
    here = {name: _on_cpu(name, tensor) for name, tensor in tensors.items()}
    _check_apart(here)
    header, order = _header.write(
        {name: (_header.code_of(name, t.dtype), tuple(t.shape), t.nbytes) for name, t in here.items()},
        metadata,
    )
    yield header
    for name in order:
        yield memory(here[name])


def _on_cpu(name: str, tensor: Tensor) -> Tensor:
    if not isinstance(name, str) or not isinstance(tensor, _C.Tensor):
        raise ValueError(
            f"Key `{name}` is invalid, expected {_C.Tensor.__name__} but received {type(tensor)}"
        )
    if not tensor.is_contiguous():
        raise ValueError(f"{name!r} is not contiguous: save tensor.contiguous()")
    return tensor.detach().cpu().resolve_conj().resolve_neg()


def _check_apart(tensors: Mapping[str, Tensor]) -> None:
    areas = sorted((t.data_ptr(), t.data_ptr() + t.nbytes, name) for name, t in tensors.items() if t.nbytes)
    for (_, end, name), (begin, _, other) in pairwise(areas):
        if begin < end:
            raise RuntimeError(
                f"{name!r} and {other!r} have memory in common, which a file can't say: save one of them, or "
                "tensor.clone()"
            )


def _tensor(name: str, part: _header.Part, content: Any, start: int) -> Tensor:
    """The tensor of a part of the bytes from `start` on; a copy only if they are not aligned."""
    if part.dtype not in _header.DTYPES:
        raise SafetensorError(f"{name!r} has the dtype {part.dtype}, of which there are no tensors here")
    dtype, count, offset = _header.DTYPES[part.dtype], prod(part.shape), start + part.begin
    if not count:
        return _functions.empty(part.shape, dtype=dtype)
    if offset % dtype.itemsize:
        content, offset = bytearray(memoryview(content)[offset : start + part.end]), 0
    return _buffers.frombuffer(content, dtype=dtype, count=count, offset=offset).view(part.shape)
