"""The memory of a tensor without its shape."""

from __future__ import annotations

import os

from . import _C
from ._C import Tensor

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="attr-defined"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

    from ._C import device as _device


class UntypedStorage:
    """The bytes of memory that a tensor, its views and its base share. It is made by
    Tensor.untyped_storage()."""

    def __init__(self, of: Tensor) -> None:
        self._bytes = of.detach()._storage_bytes()

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
        return UntypedStorage(_C._from_dlpack(self._bytes[begin : max(begin, end)], None, None))

    @staticmethod
    def from_file(filename: str | os.PathLike[str], shared: bool = False, nbytes: int = 0) -> UntypedStorage:
        """The first `nbytes` of a file, mapped to memory. Writing changes the file only if `shared` is true,
        which also makes it as long as `nbytes`."""
        from ._buffers import from_file

        return UntypedStorage(from_file(os.fspath(filename), shared, nbytes, dtype=_C.uint8))

    def __setitem__(self, index: int, value: int) -> None:
        self._bytes[index] = value

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.nbytes()} bytes on {self.device})"

    @property
    def device(self) -> _device:
        """Where the memory is."""
        return self._bytes.device

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
        return UntypedStorage(self._bytes.clone())

    def cpu(self) -> UntypedStorage:
        """This memory if it is the CPU's, otherwise a copy of it on the CPU."""
        return self._on("cpu")

    def cuda(self, device: _device | int | None = None) -> UntypedStorage:
        """This memory if it is that CUDA device's, otherwise a copy of it there."""
        return self._on(f"cuda:{device}" if isinstance(device, int) else device or "cuda")

    def _on(self, device: _device | str) -> UntypedStorage:
        moved = self._bytes.to(device)
        return self if moved is self._bytes else UntypedStorage(moved)

    def copy_(self, source: UntypedStorage) -> UntypedStorage:
        """Writes the bytes of `source`, of the same size, to this memory."""
        self._bytes.copy_(source._bytes)
        return self

    def fill_(self, value: int) -> UntypedStorage:
        """Writes the value to each byte."""
        self._bytes.fill_(value)
        return self


def is_storage(obj: object) -> bool:
    """Whether `obj` is the memory of a tensor."""
    return isinstance(obj, UntypedStorage)
