"""DataLoader: batches of a dataset's items, made in this process or by workers."""

from __future__ import annotations

import math
import os

from ._utils.collate import default_collate, default_convert
from ._utils.generic import Generic
from ._utils.iterators import LocalIterator
from ._utils.worker import get_worker_info
from .dataset import IterableDataset
from .sampler import BatchSampler, RandomSampler, Sampler, SequentialSampler

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from collections.abc import Iterator as Iterates
    from multiprocessing.context import BaseContext
    from typing import Any

    from ..._C import Generator
    from ._utils.iterators import Iterator
    from ._utils.workers import WorkersIterator

__all__ = ["DataLoader", "default_collate", "default_convert", "get_worker_info"]

_FIXED = ("batch_size", "batch_sampler", "sampler", "drop_last", "dataset", "persistent_workers")


class _Unnumbered(Sampler):
    """The indices of a stream, which has none."""

    def __iter__(self) -> Iterates[None]:
        while True:
            yield None


def _context(context: Any, num_workers: int) -> BaseContext | None:
    """Checks how workers are to be started."""
    if context is None:
        return None
    if num_workers == 0:
        raise ValueError(
            "multiprocessing_context can only be used with multi-process loading (num_workers > 0), but got "
            f"num_workers={num_workers}"
        )
    import multiprocessing

    if isinstance(context, str):
        methods = multiprocessing.get_all_start_methods()
        if context not in methods:
            raise ValueError(
                f"multiprocessing_context option should specify a valid start method in {methods!r}, but got "
                f"multiprocessing_context={context!r}"
            )
        return multiprocessing.get_context(context)
    if not isinstance(context, multiprocessing.context.BaseContext):
        raise TypeError(
            "multiprocessing_context option should be a valid context object or a string specifying the "
            f"start method, but got multiprocessing_context={context}"
        )
    return context


def _check_workers(
    num_workers: int, timeout: float, prefetch_factor: int | None, persistent_workers: bool
) -> None:
    """ValueError for options of workers that exclude each other."""
    if num_workers < 0:
        raise ValueError(
            "num_workers option should be non-negative; use num_workers=0 to disable multiprocessing."
        )
    if timeout < 0:
        raise ValueError("timeout option should be non-negative")
    if num_workers == 0 and prefetch_factor is not None:
        raise ValueError(
            "prefetch_factor option could only be specified in multiprocessing."
            "let num_workers > 0 to enable multiprocessing, otherwise set prefetch_factor to None."
        )
    if prefetch_factor is not None and prefetch_factor < 0:
        raise ValueError("prefetch_factor option should be non-negative")
    if persistent_workers and num_workers == 0:
        raise ValueError("persistent_workers option needs num_workers > 0")


def _check_order(
    iterable: bool, batch_size: int | None, shuffle: Any, sampler: Any, batch_sampler: Any, drop_last: bool
) -> None:
    """ValueError for options of the order and of batches that exclude each other."""
    unspecified = "DataLoader with IterableDataset: expected unspecified {0} option, but got {0}={1}"
    if iterable:
        for name, value, given in (
            ("shuffle", shuffle, shuffle not in (None, False)),
            ("sampler", sampler, sampler is not None),
            ("batch_sampler", batch_sampler, batch_sampler is not None),
        ):
            if given:
                raise ValueError(unspecified.format(name, value))
    if sampler is not None and shuffle:
        raise ValueError("sampler option is mutually exclusive with shuffle")
    if batch_sampler is not None:
        if batch_size != 1 or shuffle or sampler is not None or drop_last:
            raise ValueError(
                "batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last"
            )
    elif batch_size is None and drop_last:
        raise ValueError(
            "batch_size=None option disables auto-batching and is mutually exclusive with drop_last"
        )


class DataLoader(Generic):
    """Iterates over batches of a dataset's items.

    `sampler` gives the order of the indices, `batch_sampler` lists of them; with `batch_size=None` items stay
    single. `collate_fn` makes a batch of a list of items. With `num_workers` > 0 that many processes make the
    batches, each up to `prefetch_factor` ahead. They are started by `multiprocessing_context`, call
    `worker_init_fn(number)`, and live on after an iteration if they are `persistent_workers`. `timeout` is in
    seconds, 0 for none. An exception of a worker is raised in the iteration, with its traceback as text.
    `generator` draws the random order and the workers' seeds. With a GPU, `pin_memory` puts batches in
    page-locked memory. ValueError for options that exclude each other.
    """

    def __init__(
        self,
        dataset: Any,
        batch_size: int | None = 1,
        shuffle: bool | None = None,
        sampler: Iterable[Any] | None = None,
        batch_sampler: Iterable[Any] | None = None,
        num_workers: int = 0,
        collate_fn: Callable[[Any], Any] | None = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        timeout: float = 0,
        worker_init_fn: Callable[[int], None] | None = None,
        multiprocessing_context: Any = None,
        generator: Generator | None = None,
        *,
        prefetch_factor: int | None = None,
        persistent_workers: bool = False,
        pin_memory_device: str = "",
        in_order: bool = True,
    ) -> None:
        _check_workers(num_workers, timeout, prefetch_factor, persistent_workers)
        self._iterable = isinstance(dataset, IterableDataset)
        self.num_workers = num_workers
        self.multiprocessing_context = multiprocessing_context
        _check_order(self._iterable, batch_size, shuffle, sampler, batch_sampler, drop_last)
        if sampler is None:
            if self._iterable:
                sampler = _Unnumbered()
            else:
                sampler = (
                    RandomSampler(dataset, generator=generator) if shuffle else SequentialSampler(dataset)
                )
        if batch_sampler is not None:
            batch_size = None
        elif batch_size is not None:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self._batched = batch_sampler is not None
        self.prefetch_factor = 2 if num_workers > 0 and prefetch_factor is None else prefetch_factor
        self.pin_memory, self.pin_memory_device = pin_memory, pin_memory_device
        self.timeout, self.worker_init_fn = timeout, worker_init_fn
        self.in_order, self.generator = in_order, generator
        self.collate_fn = collate_fn or (default_collate if self._batched else default_convert)
        self._known_length: int | None = None  # of a stream, once len() was called
        self._iterator: WorkersIterator | None = None
        self.dataset, self.sampler, self.batch_sampler = dataset, sampler, batch_sampler
        self.batch_size, self.drop_last = batch_size, drop_last
        self.persistent_workers = persistent_workers
        self._initialized = True
        self.check_worker_number_rationality()

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _FIXED and self.__dict__.get("_initialized"):
            raise ValueError(f"{name} attribute should not be set after {type(self).__name__} is initialized")
        super().__setattr__(name, value)

    @property
    def multiprocessing_context(self) -> Any:
        """How workers are started; None for the default of multiprocessing."""
        return self._multiprocessing_context

    @multiprocessing_context.setter
    def multiprocessing_context(self, context: Any) -> None:
        self._multiprocessing_context = _context(context, self.num_workers)

    @property
    def _index_sampler(self) -> Any:
        return self.batch_sampler if self._batched else self.sampler

    def __iter__(self) -> Iterator:
        if self.num_workers == 0:
            return LocalIterator(self)
        from ._utils.workers import WorkersIterator

        if not self.persistent_workers:
            return WorkersIterator(self)
        if self._iterator is None or not self._iterator.restart(self):
            self._iterator = WorkersIterator(self)
        return self._iterator

    def __len__(self) -> int:
        """How many batches an iteration has; of a stream, what its own length promises."""
        if not self._iterable:
            return len(self._index_sampler)
        length = self._known_length = len(self.dataset)
        if self.batch_size is None:
            return length
        return length // self.batch_size if self.drop_last else math.ceil(length / self.batch_size)

    def check_worker_number_rationality(self) -> None:
        """Warns of more workers than there are processors."""
        cpus = len(os.sched_getaffinity(0))
        if self.num_workers > cpus:
            import warnings

            warnings.warn(
                f"This DataLoader will create {self.num_workers} worker processes, but there are {cpus} "
                "processors: fewer workers may be faster",
                stacklevel=3,
            )
