"""Datasets: of items by index, and streams of items."""

from __future__ import annotations

import bisect
import itertools
import math
from collections.abc import Iterable

from ..._C import Generator, Tensor, _VariableFunctions
from ...random import default_generator
from ._utils.generic import Generic

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

__all__ = [
    "ChainDataset",
    "ConcatDataset",
    "Dataset",
    "IterableDataset",
    "StackDataset",
    "Subset",
    "TensorDataset",
    "random_split",
]


class Dataset(Generic):
    """Items by index: subclasses have `__getitem__`, and `__len__` for most samplers. One that can make many
    items at once may have `__getitems__(indices)`, which returns their list."""

    def __getitem__(self, index: Any) -> Any:
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")

    def __add__(self, other: Dataset) -> Dataset:
        return ConcatDataset([self, other])


class IterableDataset(Dataset, Iterable):  # type: ignore[type-arg]
    """A stream of items: subclasses have `__iter__`. Each worker of a DataLoader iterates over its own copy;
    `__iter__` chooses the worker's part by get_worker_info(), or all workers return all items."""

    def __add__(self, other: Dataset) -> Dataset:
        return ChainDataset([self, other])


class TensorDataset(Dataset):
    """The items are tuples of the tensors' slices along dimension 0, in which the tensors agree."""

    def __init__(self, *tensors: Tensor) -> None:
        if any(t.size(0) != tensors[0].size(0) for t in tensors):
            raise AssertionError(
                f"Size mismatch between tensors: they have {[t.size(0) for t in tensors]} items"
            )
        self.tensors = tensors

    def __getitem__(self, index: Any) -> Any:
        return tuple([tensor[index] for tensor in self.tensors])

    def __len__(self) -> int:
        return self.tensors[0].size(0)


class StackDataset(Dataset):
    """The items are tuples of the datasets' items, or dicts if the datasets are given by keyword. ValueError
    for no datasets, for datasets given in both ways, and for different lengths."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if args and kwargs:
            raise ValueError("StackDataset(): datasets must be all positional or all by keyword; got both")
        if not args and not kwargs:
            raise ValueError("At least one dataset should be passed")
        self.datasets = args or kwargs
        lengths = [len(d) for d in self._parts()]
        if any(n != lengths[0] for n in lengths):
            raise ValueError(f"Size mismatch between datasets: they have {lengths} items")
        self._length = lengths[0]

    def _parts(self) -> Iterable[Any]:
        return self.datasets.values() if isinstance(self.datasets, dict) else self.datasets

    def _item(self, values: Iterable[Any]) -> Any:
        keys = self.datasets
        return dict(zip(keys, values, strict=True)) if isinstance(keys, dict) else tuple(values)

    def __getitem__(self, index: Any) -> Any:
        return self._item([dataset[index] for dataset in self._parts()])

    def __getitems__(self, indices: Sequence[Any]) -> list[Any]:
        columns = [_items(dataset, indices) for dataset in self._parts()]
        for column in columns:
            if len(column) != len(indices):
                raise ValueError(
                    f"Nested dataset's output size mismatch. Expected {len(indices)}, got {len(column)}"
                )
        return [self._item(values) for values in zip(*columns, strict=True)]

    def __len__(self) -> int:
        return self._length


class ConcatDataset(Dataset):
    """The items of several datasets, one dataset after the other."""

    def __init__(self, datasets: Iterable[Any]) -> None:
        self.datasets = list(datasets)
        if not self.datasets:
            raise AssertionError("datasets should not be an empty iterable")
        if any(isinstance(d, IterableDataset) for d in self.datasets):
            raise AssertionError("ConcatDataset does not support IterableDataset")
        self.cumulative_sizes = self.cumsum(self.datasets)

    @staticmethod
    def cumsum(sequence: Iterable[Any]) -> list[int]:
        """How many items there are up to the end of each dataset."""
        return list(itertools.accumulate(len(d) for d in sequence))

    def __len__(self) -> int:
        return self.cumulative_sizes[-1]

    def __getitem__(self, index: Any) -> Any:
        if index < 0:
            if -index > len(self):
                raise ValueError("absolute value of index should not exceed dataset length")
            index += len(self)
        found = bisect.bisect_right(self.cumulative_sizes, index)
        return self.datasets[found][index - (self.cumulative_sizes[found - 1] if found else 0)]


class ChainDataset(IterableDataset):
    """The items of several streams, one stream after the other."""

    def __init__(self, datasets: Iterable[Any]) -> None:
        self.datasets = datasets

    def _streams(self) -> Iterator[Any]:
        for dataset in self.datasets:
            if not isinstance(dataset, IterableDataset):
                raise AssertionError("ChainDataset only supports IterableDataset")
            yield dataset

    def __iter__(self) -> Iterator[Any]:
        for dataset in self._streams():
            yield from dataset

    def __len__(self) -> int:
        return sum(len(dataset) for dataset in self._streams())


class Subset(Dataset):
    """The items of `dataset` at `indices`. A subclass that has its own `__getitem__` must have its own
    `__getitems__`, which DataLoader calls: NotImplementedError if it hasn't."""

    def __init__(self, dataset: Any, indices: Sequence[Any]) -> None:
        cls = type(self)
        if cls.__getitem__ is not Subset.__getitem__ and cls.__getitems__ is Subset.__getitems__:
            raise NotImplementedError(
                f"{cls.__name__} overrides __getitem__ but not __getitems__, which DataLoader calls. Add to "
                "it:\n\ndef __getitems__(self, indices):\n    return [self[index] for index in indices]"
            )
        self.dataset = dataset
        self.indices = indices

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, list):
            return self.dataset[[self.indices[i] for i in index]]
        return self.dataset[self.indices[index]]

    def __getitems__(self, indices: Sequence[Any]) -> Any:
        return _items(self.dataset, [self.indices[i] for i in indices])

    def __len__(self) -> int:
        return len(self.indices)


def _items(dataset: Any, indices: Sequence[Any]) -> Any:
    """The list of the items at the indices, by `__getitems__` if the dataset has it."""
    several = getattr(dataset, "__getitems__", None)
    return several(indices) if callable(several) else [dataset[i] for i in indices]


def _lengths_of(fractions: Sequence[float], total: int) -> list[int]:
    """The lengths of parts; what rounding leaves is distributed from the first part on."""
    for i, fraction in enumerate(fractions):
        if not 0 <= fraction <= 1:
            raise ValueError(f"Fraction at index {i} is not between 0 and 1")
    lengths = [math.floor(total * fraction) for fraction in fractions]
    for i in range(total - sum(lengths)):
        lengths[i % len(lengths)] += 1
    return lengths


def random_split(
    dataset: Any, lengths: Sequence[float], generator: Generator | None = default_generator
) -> list[Subset]:
    """Random parts of a dataset, without common items: of these lengths, or of these fractions, whose sum is
    1. ValueError if the lengths' sum isn't the dataset's length; a warning for empty parts of fractions."""
    total = len(dataset)
    if math.isclose(sum(lengths), 1) and sum(lengths) <= 1:
        lengths = _lengths_of(lengths, total)
        for i, length in enumerate(lengths):
            if length == 0:
                import warnings

                warnings.warn(
                    f"Length of split at index {i} is 0. This might result in an empty dataset.",
                    stacklevel=2,
                )
    if sum(lengths) != total:
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    indices = iter(_VariableFunctions.randperm(total, generator=generator).tolist())
    return [Subset(dataset, list(itertools.islice(indices, int(length)))) for length in lengths]
