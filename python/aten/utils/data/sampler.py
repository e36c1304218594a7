"""Samplers: the order in which a DataLoader takes the items of a dataset."""

from __future__ import annotations

import itertools

from ..._C import Generator, Tensor, _VariableFunctions, float64, int64
from ..._creation import as_tensor
from ._utils.generic import Generic

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return, attr-defined"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence, Sized
    from typing import Any

__all__ = [
    "BatchSampler",
    "RandomSampler",
    "Sampler",
    "SequentialSampler",
    "SubsetRandomSampler",
    "WeightedRandomSampler",
]

_AT_ONCE = 32  # indices that are drawn together, with replacement


def _check_positive(name: str, value: object, bool_too: bool = False) -> None:
    """ValueError if the value is no positive int."""
    if not isinstance(value, int) or (isinstance(value, bool) and not bool_too) or value <= 0:
        raise ValueError(f"{name} should be a positive integer value, but got {name}={value}")


def random_seed(generator: Generator | None = None) -> int:
    """A random non-negative int64, of the default generator or the given one."""
    return _VariableFunctions.empty((), dtype=int64).random_(generator=generator).item()


class Sampler(Generic):
    """Iterates over indices, or over lists of them. Subclasses have `__iter__`, and mostly `__len__`."""

    def __iter__(self) -> Iterator[Any]:
        raise NotImplementedError(f"{type(self).__name__}.__iter__")


class SequentialSampler(Sampler):
    """The indices of `data_source` in order."""

    def __init__(self, data_source: Sized) -> None:
        self.data_source = data_source

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))

    def __len__(self) -> int:
        return len(self.data_source)


class RandomSampler(Sampler):
    """`num_samples` random indices of `data_source`, by default as many as it has items. Without
    `replacement` each permutation of the indices is used up before the next one."""

    def __init__(
        self,
        data_source: Sized,
        replacement: bool = False,
        num_samples: int | None = None,
        generator: Generator | None = None,
    ) -> None:
        self.data_source = data_source
        self.replacement = replacement
        self._num_samples = num_samples
        self.generator = generator
        if not isinstance(replacement, bool):
            raise TypeError(f"replacement should be a boolean value, but got replacement={self.replacement}")
        _check_positive("num_samples", self.num_samples, bool_too=True)

    @property
    def num_samples(self) -> int:
        """How many indices an iteration has."""
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self) -> Iterator[int]:
        generator = self.generator
        if generator is None:
            generator = Generator()
            generator.manual_seed(random_seed())
        count, step = len(self.data_source), _AT_ONCE if self.replacement else len(self.data_source)
        for left in range(self.num_samples, -1, -step):
            if self.replacement:
                drawn = _VariableFunctions.randint(
                    high=count, size=(min(left, step),), dtype=int64, generator=generator
                )
            else:
                drawn = _VariableFunctions.randperm(count, generator=generator)
            yield from drawn.tolist()[:left]

    def __len__(self) -> int:
        return self.num_samples


class SubsetRandomSampler(Sampler):
    """The given indices in random order."""

    def __init__(self, indices: Sequence[int], generator: Generator | None = None) -> None:
        self.indices = indices
        self.generator = generator

    def __iter__(self) -> Iterator[int]:
        for i in _VariableFunctions.randperm(len(self.indices), generator=self.generator).tolist():
            yield self.indices[i]

    def __len__(self) -> int:
        return len(self.indices)


class WeightedRandomSampler(Sampler):
    """`num_samples` indices, drawn with probabilities proportional to `weights`, a vector of any length."""

    def __init__(
        self,
        weights: Sequence[float] | Tensor,
        num_samples: int,
        replacement: bool = True,
        generator: Generator | None = None,
    ) -> None:
        _check_positive("num_samples", num_samples)
        if not isinstance(replacement, bool):
            raise ValueError(f"replacement should be a boolean value, but got replacement={replacement}")
        self.weights = as_tensor(weights, dtype=float64)
        if self.weights.dim() != 1:
            raise ValueError(
                f"weights should be a 1d sequence but given weights have shape {tuple(self.weights.shape)}"
            )
        self.num_samples = num_samples
        self.replacement = replacement
        self.generator = generator

    def __iter__(self) -> Iterator[int]:
        drawn = _VariableFunctions.multinomial(
            self.weights, self.num_samples, self.replacement, generator=self.generator
        )
        yield from drawn.tolist()

    def __len__(self) -> int:
        return self.num_samples


class BatchSampler(Sampler):
    """Lists of `batch_size` indices of another sampler or iterable; the last list may be shorter, or is left
    out with `drop_last`."""

    def __init__(self, sampler: Iterable[Any], batch_size: int, drop_last: bool) -> None:
        _check_positive("batch_size", batch_size)
        if not isinstance(drop_last, bool):
            raise ValueError(f"drop_last should be a boolean value, but got drop_last={drop_last}")
        self.sampler = sampler
        self.batch_size = batch_size
        self.drop_last = drop_last

    def __iter__(self) -> Iterator[list[Any]]:
        indices = iter(self.sampler)
        while batch := list(itertools.islice(indices, self.batch_size)):
            if len(batch) < self.batch_size and self.drop_last:
                return
            yield batch

    def __len__(self) -> int:
        count = len(self.sampler)  # type: ignore[arg-type]
        return (count if self.drop_last else count + self.batch_size - 1) // self.batch_size
