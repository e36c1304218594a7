"""An archive's tensors: raw bytes of whole storages, in which each tensor says where it lies."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from .. import _C, uint8
from .._C import Tensor
from ._archived_values import dtype_name, integer, layout_of
from ._errors import ProgramError


class Storages:
    """Tensors by name; those that shared memory when they were saved share it again."""

    def __init__(self, read: Callable[[str], bytes], folder: str, described: dict[str, Any]) -> None:
        self._read, self._folder = read, folder
        self._described = described["config"]
        self._storages: dict[tuple[str, str], Tensor] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._described

    def tensor(self, name: str) -> Tensor:
        if name not in self:
            raise ProgramError(f"load(): the archive has no tensor {name!r}")
        entry = self._described[name]
        if entry["use_pickle"]:
            raise ProgramError(
                f"load(): the tensor {name!r} is pickled, which is not read: it could run anything"
            )
        meta = entry["tensor_meta"]
        layout_of(meta["layout"])
        whole = self._storage(entry["path_name"], dtype_name(meta["dtype"]))
        sizes, strides = ([integer(v) for v in meta[key]] for key in ("sizes", "strides"))
        try:
            return whole.as_strided(sizes, strides, integer(meta["storage_offset"]))
        except (RuntimeError, OverflowError) as error:
            raise ProgramError(f"load(): the tensor {name!r} doesn't fit its bytes: {error}") from error

    def _storage(self, path: str, dtype: str) -> Tensor:
        if (path, dtype) not in self._storages:
            content = self._read(f"{self._folder}/{path}")
            bytes_ = _C._VariableFunctions.empty((len(content),), dtype=uint8)
            if content:
                ctypes.memmove(bytes_.data_ptr(), content, len(content))
            self._storages[path, dtype] = bytes_.view(getattr(_C, dtype))
        return self._storages[path, dtype]
