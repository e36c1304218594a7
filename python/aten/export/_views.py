"""Finds which value a tensor is: what was added for the same object, or for the same part of a storage."""

from __future__ import annotations

from typing import Any

from .. import strided
from .._C import Tensor
from ._recorder import Event, tensors


class Views:
    """Finds tensors by their object and, where autograd or Python made another for the same, by the storage
    and the place in it. A write keeps both, so the one added last is right."""

    def __init__(self) -> None:
        self._found: dict[int, Any] = {}
        self._added: list[tuple[Tensor, Any]] = []
        self._indexed = 0
        self._views: dict[Any, list[tuple[Tensor, Any]]] = {}
        self._storages: dict[int, int] = {}

    def add(self, t: Tensor, value: Any) -> None:
        self._found[id(t)] = value
        self._added.append((t, value))

    def known(self, t: Tensor) -> Any:
        """What was added with this object."""
        return self._found.get(id(t))

    def find(self, t: Tensor) -> Any:
        found = self.known(t)
        if found is None:
            self._index()
            same = [value for other, value in self._views.get(_view(t), ()) if same_view(other, t)]
            found = same[-1] if same else None
        return found

    def shares_memory(self, t: Tensor) -> bool:
        self._index()
        first, _ = _memory(t)
        return any(start <= first < start + size for start, size in self._storages.items())

    def _index(self) -> None:
        for t, value in self._added[self._indexed :]:
            self._views.setdefault(_view(t), []).append((t, value))
            start, size = _memory(t)
            self._storages[start - t.storage_offset() * t.element_size() if size else 0] = size
        self._indexed = len(self._added)


class Makers:
    """The operators that made tensors, also those inside of nodes."""

    def __init__(self, events: list[Event]) -> None:
        self._events = events
        self._views: Views | None = None

    def by(self, t: Tensor) -> Event | None:
        if self._views is None:
            self._views = Views()
            for event in self._events:
                if event.kind == "operator" and event.done:
                    given = {id(a) for a in tensors((event.args, event.kwargs))}
                    for made in tensors(event.result):
                        if id(made) not in given:
                            self._views.add(made, event)
        found: Event | None = self._views.find(t)
        return found


def _view(t: Tensor) -> Any:
    if t.layout is not strided:
        return None
    return t.dtype, t.device, tuple(t.shape), tuple(t.stride()), t.storage_offset(), t.is_conj(), t.is_neg()


def same_view(a: Tensor, b: Tensor) -> bool:
    return _view(a) == _view(b) is not None and a.numel() > 0 and a.is_set_to(b)


def _memory(t: Tensor) -> tuple[int, int]:
    """The address of the first element, and the bytes of the storage; zeros without memory."""
    if t.layout is not strided or not t.numel() or t.device.type == "meta":
        return 0, 0
    return t.data_ptr(), t.untyped_storage().nbytes()
