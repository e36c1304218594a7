"""What DataLoader's iterators have in common, and the one without workers."""

from __future__ import annotations

from ...._C import Tensor
from ..sampler import random_seed
from .collate import _like_mapping, _like_sequence
from .fetch import Source, fetcher

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

    from ..dataloader import DataLoader


def _pins(loader: DataLoader) -> bool:
    """Whether batches are copied to page-locked memory; a warning if they can't be."""
    import warnings

    from ....cuda import is_available

    if loader.pin_memory and loader.pin_memory_device:
        warnings.warn(
            "pin_memory_device is deprecated, the current accelerator will be used as the device, ignore "
            f"pin_memory_device={loader.pin_memory_device!r}.",
            stacklevel=5,
        )
    if loader.pin_memory and not is_available():
        warnings.warn(
            "'pin_memory' argument is set as true but no accelerator is found, then device pinned memory "
            "won't be used.",
            stacklevel=5,
        )
        return False
    return loader.pin_memory


def _pinned(data: Any) -> Any:
    """The data with its tensors in page-locked memory."""
    from collections.abc import Mapping, Sequence

    if isinstance(data, (str, bytes)):
        return data
    if isinstance(data, Tensor) or hasattr(data, "pin_memory"):
        return data.pin_memory()
    if isinstance(data, Mapping):
        return _like_mapping(data, {key: _pinned(data[key]) for key in data})
    if isinstance(data, tuple):
        values = [_pinned(d) for d in data]
        return type(data)(*values) if hasattr(data, "_fields") else type(data)(values)
    return _like_sequence(data, [_pinned(d) for d in data]) if isinstance(data, Sequence) else data


class Iterator:
    """What both iterators have. Both draw a base of workers' seeds, so that later numbers are the same."""

    def __init__(self, loader: DataLoader) -> None:
        self._pin = loader.pin_memory and _pins(loader)
        self._index_sampler, self._num_workers = loader._index_sampler, loader.num_workers
        self._source = Source(
            loader.dataset, loader._iterable, loader._batched, loader.collate_fn, loader.drop_last
        )
        self._start(loader)
        self._base_seed = random_seed(loader.generator)

    def _start(self, loader: DataLoader) -> None:
        self._indices = iter(self._index_sampler)
        self._yielded = 0
        self._expected = loader._known_length

    def __iter__(self) -> Iterator:
        return self

    def __len__(self) -> int:
        return len(self._index_sampler)

    def __getstate__(self) -> object:
        raise NotImplementedError(f"{type(self).__name__} cannot be pickled")

    def _next(self) -> Any:
        """The next batch; subclasses define it."""
        raise NotImplementedError(f"{type(self).__name__} has no _next()")

    def __next__(self) -> Any:
        data = self._next()
        if self._pin:
            data = _pinned(data)
        self._yielded += 1
        if self._expected is not None and self._yielded > self._expected:
            self._warn_of_length()
        return data

    def _warn_of_length(self) -> None:
        import warnings

        text = (
            f"Length of IterableDataset {self._source.dataset} was reported to be {self._expected} (when "
            f"accessing len(dataloader)), but {self._yielded} samples have been fetched."
        )
        if self._num_workers > 0:
            text += " Each worker has a copy of the dataset: its __iter__ must choose the worker's part."
        warnings.warn(text, stacklevel=3)


class LocalIterator(Iterator):
    """Makes batches when they are asked for."""

    def __init__(self, loader: DataLoader) -> None:
        super().__init__(loader)
        if loader.timeout != 0:
            raise AssertionError(f"DataLoader: timeout ({loader.timeout}) needs num_workers > 0")
        self._fetch = fetcher(self._source)

    def _next(self) -> Any:
        return self._fetch(next(self._indices))
