"""Pickles objects with PyTorch's names for tensors and their parts."""

from __future__ import annotations

import functools
import pickle
import sys
from collections import OrderedDict
from typing import Any, BinaryIO

from .. import _C
from .._C import Tensor
from .._storage import UntypedStorage
from ._globals import DTYPES, FORMATS, STORAGES
from ._rebuild import parameter_class

# Types of the compiled module, and attributes of Python's pickler, are not in stubs.
# mypy: disable-error-code="attr-defined,assignment,misc"

_STORAGE_OF = {getattr(_C, dtype): name for name, dtype in STORAGES.items()}


class _Name:
    """A global of PyTorch's, which needs no PyTorch to be pickled."""

    def __init__(self, module: str, name: str) -> None:
        self.module, self.name = module, name

    def __call__(self, *args: object) -> None:
        raise NotImplementedError(f"{self.module}.{self.name} is only pickled, never called")


_name = functools.cache(_Name)
# What else has a name of PyTorch's, by id.
_NAMED = {id(getattr(_C, name)): _name("torch", name) for name in (*DTYPES, *FORMATS)} | {
    id(cls): _name(module, cls.__name__)
    for module, cls in (
        ("torch", Tensor),
        ("torch", _C.Size),
        ("torch", _C.device),
        ("torch", _C.dtype),
        ("torch.storage", UntypedStorage),
    )
}


class _Reference:
    """Stands for a storage in the arguments of a tensor's function; pickled as its persistent id."""

    def __init__(self, identifier: tuple[Any, ...]) -> None:
        self.identifier = identifier


class _Saved:
    """A storage with its key in the archive and the dtype of the tensors on it."""

    def __init__(self, storage: UntypedStorage, key: str, dtype: _C.dtype) -> None:
        self.storage, self.key, self.dtype = storage, key, dtype
        self.location = sys.intern(str(storage.device))  # one object is pickled once


class Pickler(pickle._Pickler):
    """Collects the storages of the tensors that it pickles in `storages`, by key."""

    dispatch = dict(pickle._Pickler.dispatch)

    def __init__(self, file: BinaryIO, protocol: int) -> None:
        super().__init__(file, protocol)
        self._saved: dict[Any, _Saved] = {}

    @property
    def storages(self) -> dict[str, UntypedStorage]:
        return {s.key: s.storage for s in self._saved.values()}

    def persistent_id(self, obj: Any) -> Any:
        if type(obj) is _Reference:
            return obj.identifier
        return self._stored(obj, None).identifier if isinstance(obj, UntypedStorage) else None

    def reducer_override(self, obj: Any) -> Any:
        if isinstance(obj, Tensor):
            return self._tensor(obj)
        if isinstance(obj, _C.device):
            return _name("torch", "device"), (obj.type, *(() if obj.index is None else (obj.index,)))
        if isinstance(obj, _C.Size):
            return _name("torch", "Size"), (tuple(obj),)
        if isinstance(obj, _C.layout):
            return _name("torch.serialization", "_get_layout"), ("torch.strided",)
        return NotImplemented

    def save_global(self, obj: Any, name: str | None = None) -> None:
        found = _NAMED.get(id(obj))
        if found is None and obj is parameter_class():
            found = _name("torch.nn.parameter", "Parameter")
        if found is None:
            super().save_global(obj, name)
        else:
            self.save_name(found, obj)

    def save_name(self, name: _Name, obj: Any = None) -> None:
        """Writes the global of a name, remembered for `obj` (the name itself)."""
        if self.proto >= 4:
            self.save(name.module)
            self.save(name.name)
            self.write(pickle.STACK_GLOBAL)
        else:
            self.write(pickle.GLOBAL + f"{name.module}\n{name.name}\n".encode())
        self.memoize(name if obj is None else obj)

    def _tensor(self, obj: Tensor) -> Any:
        cls, state = type(obj), obj.__dict__ or None
        if cls is parameter_class():
            arguments = _plain(obj), obj.requires_grad, _no_hooks()
            if state:
                return _name("torch._utils", "_rebuild_parameter_with_state"), (*arguments, state)
            return _name("torch._utils", "_rebuild_parameter"), arguments
        if cls.__reduce_ex__ is not Tensor.__reduce_ex__:
            return NotImplemented
        function, arguments = self._function(_plain(obj), obj.requires_grad)
        if cls is Tensor and not state:
            return function, arguments
        return _name("torch._tensor", "_rebuild_from_type_v2"), (function, cls, arguments, state)

    def _function(self, obj: Tensor, requires_grad: bool) -> tuple[_Name, tuple[Any, ...]]:
        """The function that makes a tensor, and its arguments."""
        shape, stride = tuple(obj.shape), tuple(obj.stride())
        if obj.is_meta:
            return _name("torch._utils", "_rebuild_meta_tensor_no_storage"), (
                obj.dtype, shape, stride, requires_grad
            )  # fmt: skip
        typed = obj.dtype in _STORAGE_OF
        reference = self._stored(obj.untyped_storage(), obj.dtype if typed else None)
        arguments = (reference, obj.storage_offset(), shape, stride, requires_grad, _no_hooks())
        if typed:
            return _name("torch._utils", "_rebuild_tensor_v2"), arguments
        return _name("torch._utils", "_rebuild_tensor_v3"), (*arguments, obj.dtype)

    def _stored(self, storage: UntypedStorage, dtype: _C.dtype | None) -> _Reference:
        """The reference to a storage, which is kept: another one mustn't take its address."""
        if storage.device.type == "meta":
            raise RuntimeError("save(): a storage on the meta device has no data to save")
        kind = dtype or _C.uint8
        size, key = storage.nbytes(), str(len(self._saved))
        place = (str(storage.device), storage.data_ptr(), size) if size else key
        saved = self._saved.setdefault(place, _Saved(storage, key, kind))
        if saved.dtype != kind:
            raise RuntimeError(
                f"save(): tensors of {saved.dtype} and {kind} share memory. Cannot save multiple tensors or "
                "storages that view the same data as different types: clone() one of them"
            )
        named = (
            _name("torch", _STORAGE_OF[dtype])
            if dtype is not None
            else _name("torch.storage", "UntypedStorage")
        )
        return _Reference(("storage", named, saved.key, saved.location, size // kind.itemsize))


def _no_hooks() -> OrderedDict[str, Any]:
    """The argument for hooks, which aren't saved."""
    return OrderedDict()


def _plain(obj: Tensor) -> Tensor:
    """The tensor without a graph and without its class."""
    plain = obj.detach()
    return plain if type(plain) is Tensor else plain.as_subclass(Tensor)


Pickler.dispatch[_Name] = Pickler.save_name
for _kind in (_C.dtype, _C.memory_format):
    Pickler.dispatch[_kind] = Pickler.save_global
