"""How the items of a batch are taken from a dataset."""

from __future__ import annotations

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NamedTuple

    class Source(NamedTuple):
        """What a fetcher is made of."""

        dataset: Any
        iterable: bool
        batched: bool
        collate_fn: Callable[[Any], Any]
        drop_last: bool
else:
    from collections import namedtuple

    Source = namedtuple("Source", "dataset iterable batched collate_fn drop_last")


def fetcher(source: Source) -> Callable[[Any], Any]:
    """Returns the function that makes the batch of a list of indices, or without batches the item of an
    index. Of a stream it takes as many items as there are indices; StopIteration at the end."""
    dataset, collate_fn = source.dataset, source.collate_fn
    if source.iterable:
        return _stream_fetcher(source)
    if not source.batched:
        return lambda index: collate_fn(dataset[index])
    several = getattr(dataset, "__getitems__", None)
    if several:
        return lambda indices: collate_fn(several(indices))
    return lambda indices: collate_fn([dataset[i] for i in indices])


def _stream_fetcher(source: Source) -> Callable[[Any], Any]:
    items, collate_fn = iter(source.dataset), source.collate_fn
    if not source.batched:
        return lambda index: collate_fn(next(items))
    ended = False

    def fetch(indices: Any) -> Any:
        nonlocal ended
        batch: list[Any] = []
        while not ended and len(batch) < len(indices):
            try:
                batch.append(next(items))
            except StopIteration:
                ended = True
        if not batch or (source.drop_last and ended):
            raise StopIteration
        return collate_fn(batch)

    return fetch
