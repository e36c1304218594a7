"""The memory of a tensor without its shape."""

from __future__ import annotations

import os
from _operator import index

from . import _C
from ._C import Tensor

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="attr-defined"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ._C import device as _device


class UntypedStorage:
    """The bytes of memory that a tensor, its views and its base share: Tensor.untyped_storage(). A new one is
    made of a size, UntypedStorage(8), whose bytes are not initialized, or of a sequence of bytes.
    """

    filename: str | None = None  # of memory made by from_file()

    def __init__(self, *args: int | Sequence[int], device: _device | str | None = None) -> None:
        if len(args) > 1:
            raise TypeError(
                f"UntypedStorage(): takes a size or a sequence of bytes, got {len(args)} arguments"
            )
        self._bytes = _new_bytes(args[0] if args else 0, device)

    @classmethod
    def _of(cls, tensor: Tensor) -> UntypedStorage:
        """The memory that a tensor is a part of."""
        return cls._of_bytes(tensor.detach()._storage_bytes())

    @classmethod
    def _of_bytes(cls, of: Tensor) -> UntypedStorage:
        """The memory that is the whole of `of`, whose dtype is uint8; no operator is called."""
        made = cls.__new__(cls)
        made._bytes = of
        return made

    def __len__(self) -> int:
        return self._bytes.numel()

    def __getitem__(self, index: int | slice) -> Any:
        """A byte; for a slice, the memory of these bytes, which are shared."""
        if not isinstance(index, slice):
            return self._bytes[index].item()
        begin, end, step = index.indices(len(self))
        if step != 1:
            raise RuntimeError(f"Trying to slice with a step of {step}, but only a step of 1 is supported")
        return UntypedStorage._of(_C._from_dlpack(self._bytes[begin : max(begin, end)], None, None))

    @staticmethod
    def from_file(filename: str | os.PathLike[str], shared: bool = False, nbytes: int = 0) -> UntypedStorage:
        """The first `nbytes` of a file, mapped to memory. Writing changes the file only if `shared` is true,
        which also makes it as long as `nbytes`."""
        from ._buffers import from_file

        made = UntypedStorage._of(from_file(os.fspath(filename), shared, nbytes, dtype=_C.uint8))
        made.filename = os.fspath(filename)
        return made

    def __setitem__(self, index: int, value: int) -> None:
        self._bytes[index] = value

    def __eq__(self, other: object) -> bool:
        """Whether both are the same memory."""
        if not isinstance(other, UntypedStorage):
            return NotImplemented
        return self._bytes._storage_id() == other._bytes._storage_id()

    def __hash__(self) -> int:
        return hash(self._bytes._storage_id())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.nbytes()} bytes on {self.device})"

    @property
    def device(self) -> _device:
        """Where the memory is."""
        return self._bytes.device

    @property
    def is_cuda(self) -> bool:
        """Whether the memory is a CUDA device's."""
        return self.device.type == "cuda"

    def get_device(self) -> int:
        """The device's index; -1 on the CPU."""
        return self._bytes.get_device()

    def is_pinned(self, device: _device | str = "cuda") -> bool:
        """Whether the memory is page-locked for the device."""
        return self._bytes.is_pinned(device)

    def is_shared(self) -> bool:
        """Whether other processes see what is written: the tensor's share_memory_() was called."""
        return self._bytes.is_shared()

    def resizable(self) -> bool:
        """False: memory keeps its size, since tensors may lie in all of it."""
        return False

    def resize_(self, size: int) -> UntypedStorage:
        """Returns itself where that is the size. RuntimeError for another one: memory keeps its size."""
        if size != self.nbytes():
            raise RuntimeError(
                f"UntypedStorage.resize_(): memory keeps its size, {self.nbytes()} bytes, since tensors lie "
                f"in it; make UntypedStorage({size}) and copy"
            )
        return self

    def nbytes(self) -> int:
        """How many bytes there are."""
        return self._bytes.numel()

    def size(self) -> int:
        """How many bytes there are."""
        return self._bytes.numel()

    def element_size(self) -> int:
        """1: the elements are bytes."""
        return 1

    def data_ptr(self) -> int:
        """The address of the first byte."""
        return self._bytes.data_ptr()

    def tolist(self) -> list[int]:
        """The bytes as integers."""
        values: list[int] = self._bytes.tolist()
        return values

    def untyped(self) -> UntypedStorage:
        """Itself."""
        return self

    def clone(self) -> UntypedStorage:
        """A copy of the memory."""
        return UntypedStorage._of(self._bytes.clone())

    def cpu(self) -> UntypedStorage:
        """This memory if it is the CPU's, otherwise a copy of it on the CPU."""
        return self._on("cpu")

    def cuda(self, device: _device | int | None = None) -> UntypedStorage:
        """This memory if it is that CUDA device's, otherwise a copy of it there."""
        return self._on(f"cuda:{device}" if isinstance(device, int) else device or "cuda")

    def _on(self, device: _device | str) -> UntypedStorage:
        moved = self._bytes.to(device)
        return self if moved is self._bytes else UntypedStorage._of(moved)

    def copy_(self, source: UntypedStorage) -> UntypedStorage:
        """Writes the bytes of `source`, of the same size, to this memory."""
        self._bytes.copy_(source._bytes)
        return self

    def fill_(self, value: int) -> UntypedStorage:
        """Writes the value to each byte."""
        self._bytes.fill_(value)
        return self


def _new_bytes(content: int | Sequence[int], device: _device | str | None) -> Tensor:
    functions: Any = _C._VariableFunctions
    if hasattr(content, "__index__"):
        size = index(content)
        if size < 0:
            raise RuntimeError(f"UntypedStorage(): expected a size of at least 0, got {size}")
        made: Tensor = functions.empty((size,), dtype=_C.uint8, device=device or "cpu")
        return made
    if not isinstance(content, (list, tuple, range, bytes, bytearray)):
        raise TypeError(
            f"UntypedStorage(): expected a size or a sequence of bytes, got {type(content).__name__}; "
            "a tensor's is tensor.untyped_storage()"
        )
    values = bytearray(content)  # a ValueError or TypeError for what is no byte
    return functions.empty((0,), dtype=_C.uint8) if not values else _uint8(values).to(device or "cpu")


def _uint8(values: bytearray) -> Tensor:
    from ._buffers import frombuffer

    return frombuffer(values, dtype=_C.uint8)


def is_storage(obj: object) -> bool:
    """Whether `obj` is the memory of a tensor."""
    return isinstance(obj, UntypedStorage)
