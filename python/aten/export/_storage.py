"""An archive's tensors: the raw bytes of storages, and the sizes, strides and offset of each tensor."""

from __future__ import annotations

from typing import Any

from .. import _C, uint8
from .._C import Tensor
from .._serialization._members import Members
from .._serialization._memory import memory
from ..nn.parameter import Parameter
from ._archived_values import dtype_name, integer, layout_of
from ._errors import ProgramError


class Storages:
    """Tensors by name; tensors that shared a storage when they were saved share it again."""

    def __init__(self, archive: Members, folder: str, described: dict[str, Any]) -> None:
        self._archive, self._folder = archive, folder
        self._described: dict[str, Any] = described["config"]
        self._sharing: dict[str, list[str]] = {}  # the names of the tensors in each file
        for name, entry in self._described.items():
            self._sharing.setdefault(entry["path_name"], []).append(name)
        self._storages: dict[str, Tensor] = {}
        self._parameters: dict[Any, Parameter] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._described

    def tensor(self, name: str) -> Tensor:
        if name not in self:
            raise ProgramError(f"load(): the archive has no tensor {name!r}")
        placed = self._placed(name)
        storage = self._storage(self._described[name]["path_name"])
        whole = storage.narrow(0, 0, storage.numel() // placed.item_size * placed.item_size)
        try:
            return whole.view(placed.dtype).as_strided(placed.sizes, placed.strides, placed.offset)
        except (RuntimeError, OverflowError) as error:
            raise ProgramError(f"load(): the tensor {name!r} doesn't fit its bytes: {error}") from error

    def parameter(self, name: str) -> Parameter:
        """The tensor as a parameter; one for names that are the same memory."""
        made = self.tensor(name)
        entry = self._described[name]
        requires_grad = entry["tensor_meta"]["requires_grad"] is True
        key = (
            entry["path_name"],
            made.dtype,
            made.shape,
            made.stride(),
            made.storage_offset(),
            requires_grad,
        )
        if key not in self._parameters:
            self._parameters[key] = Parameter(made, requires_grad)
        return self._parameters[key]

    def _placed(self, name: str) -> _Placed:
        entry = self._described[name]
        if entry["use_pickle"]:
            raise ProgramError(
                f"load(): the tensor {name!r} is pickled, which is not supported: it could execute code"
            )
        return _Placed(entry["tensor_meta"])

    def _storage(self, path: str) -> Tensor:
        """Returns the bytes of the file that its tensors cover."""
        if path not in self._storages:
            file = f"{self._folder}/{path}"
            reached = max(self._placed(name).extent for name in self._sharing[path])
            storage = _C._VariableFunctions.empty((min(reached, self._archive.size(file)),), dtype=uint8)
            self._archive.read_into(file, memory(storage))
            self._storages[path] = storage
        return self._storages[path]


class _Placed:
    """A tensor's sizes, strides and storage offset, as in the archive."""

    def __init__(self, meta: dict[str, Any]) -> None:
        layout_of(meta["layout"])
        self.dtype = getattr(_C, dtype_name(meta["dtype"]))
        self.item_size: int = self.dtype.itemsize
        self.sizes, self.strides = ([integer(v) for v in meta[key]] for key in ("sizes", "strides"))
        self.offset = integer(meta["storage_offset"])

    @property
    def extent(self) -> int:
        """The bytes from the storage's start to the tensor's end; as_strided rejects invalid values."""
        if 0 in self.sizes or len(self.sizes) != len(self.strides):
            return 0
        last = sum((size - 1) * stride for size, stride in zip(self.sizes, self.strides, strict=True))
        return max(0, (self.offset + last + 1) * self.item_size)
