"""The storages of an archive, and the devices to which they are loaded."""

from __future__ import annotations

import mmap
from pickle import UnpicklingError
from typing import Any

from .. import _C, frombuffer
from .._C import Tensor
from .._storage import UntypedStorage
from ._checks import shown
from ._members import Members
from ._memory import memory
from ._rebuild import StorageType, TypedStorage

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="attr-defined"

_functions = _C._VariableFunctions


class Storages:
    """Loads each storage once, so that tensors that shared one share it again."""

    def __init__(self, archive: Members, map_location: Any, mapped: mmap.mmap | None) -> None:
        self._archive, self._map_location, self._mapped = archive, map_location, mapped
        self._loaded: dict[str, tuple[int, UntypedStorage]] = {}

    def load(self, identifier: Any) -> UntypedStorage:
        """The storage of a persistent id: ("storage", type, key, location, number of elements)."""
        if type(identifier) is not tuple or len(identifier) != 5 or identifier[0] != "storage":
            raise UnpicklingError(f"expected the id of a storage, got {shown(identifier)}")
        _, kind, key, location, numel = identifier
        if type(kind) is not StorageType or type(key) is not str or type(location) is not str:
            raise UnpicklingError(
                "expected a storage's type, key and location, got "
                f"{shown(kind)}, {shown(key)} and {shown(location)}"
            )
        dtype = kind.dtype or _C.uint8
        if type(numel) is not int or not 0 <= numel < 1 << 62:
            raise UnpicklingError(f"storage {key!r}: expected a number of elements, got {shown(numel)}")
        storage = self._storage(key, numel * dtype.itemsize, dtype.itemsize, location)
        return storage if kind.dtype is None else TypedStorage(storage._bytes, kind.dtype)

    def _storage(self, key: str, size: int, alignment: int, location: str) -> UntypedStorage:
        if key in self._loaded:
            known, storage = self._loaded[key]
            if known != size:
                raise UnpicklingError(f"storage {key!r} is said to have {known} bytes, and then {size}")
            return storage
        path = f"data/{key}"
        if self._archive.size(path) < size:
            raise UnpicklingError(
                f"storage {key!r} is said to have {size} bytes, but {path} has {self._archive.size(path)}"
            )
        target = None if callable(self._map_location) else self._target(location)
        if target is not None and _is_meta(target):
            storage = _wrapped(_functions.empty((size,), dtype=_C.uint8, device="meta"))
        else:
            storage = self._restored(_wrapped(self._content(path, size, alignment)), location, target)
        self._loaded[key] = size, storage
        return storage

    def _content(self, path: str, size: int, alignment: int) -> Tensor:
        """The bytes on the CPU: mapped, if they lie at a multiple of an element's size, or read."""
        if self._mapped is not None and size:
            start = self._archive.offset(path)
            if start % alignment == 0:
                return frombuffer(self._mapped, dtype=_C.uint8, offset=start, count=size)
        self._archive.offset(path)  # is an error, before memory is taken, if the size is invalid
        content: Tensor = _functions.empty((size,), dtype=_C.uint8, device="cpu")
        self._archive.read_into(path, memory(content))
        return content

    def _target(self, location: str) -> str:
        """Where a storage of this location goes."""
        mapped = self._map_location
        if isinstance(mapped, dict):
            return str(mapped.get(location, location))
        if isinstance(mapped, bytes):
            return mapped.decode("ascii")
        return location if mapped is None else str(mapped)

    def _restored(self, storage: UntypedStorage, location: str, target: str | None) -> UntypedStorage:
        if target is None:
            found = self._map_location(storage, location)
            if isinstance(found, UntypedStorage):
                return found
            if found is not None:
                raise RuntimeError(
                    f"{self._archive.where}: map_location returned a {type(found).__name__}, expected an "
                    "UntypedStorage or None"
                )
            target = location
        try:
            device = _C.device(target)
            return storage if device.type == "cpu" else _wrapped(storage._bytes.to(device))
        except RuntimeError as error:
            raise RuntimeError(
                f"{self._archive.where}: a storage was saved on {location!r} and can't be moved to "
                f"{target!r} here: {error}. To load it on the CPU pass map_location='cpu'"
            ) from error


def _is_meta(target: str) -> bool:
    return target.partition(":")[0] == "meta"


def _wrapped(content: Tensor) -> UntypedStorage:
    """A storage of these bytes; unlike that of untyped_storage(), it may be on the meta device."""
    storage = UntypedStorage.__new__(UntypedStorage)
    storage._bytes = content
    return storage
