"""A sampler for programs of several processes."""

from __future__ import annotations

import itertools

from ..._C import Generator, _VariableFunctions
from .sampler import Sampler

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Iterator, Sized

__all__ = ["DistributedSampler"]


class DistributedSampler(Sampler):
    """The part of the indices for process `rank` of `num_replicas`; both must be given. All parts are equally
    long: the first indices are repeated, or with `drop_last` the last ones left out. With `shuffle` the order
    depends on `seed` and the epoch, and set_epoch() must be called before each."""

    def __init__(
        self,
        dataset: Sized,
        num_replicas: int | None = None,
        rank: int | None = None,
        shuffle: bool = True,
        seed: int = 0,
        drop_last: bool = False,
    ) -> None:
        if num_replicas is None or rank is None:
            raise RuntimeError(
                "DistributedSampler(): there are no process groups: give num_replicas and rank"
            )
        if not 0 <= rank < num_replicas:
            raise ValueError(f"Invalid rank {rank}, rank should be in the interval [0, {num_replicas - 1}]")
        self.dataset = dataset
        self.num_replicas = num_replicas
        self.rank = rank
        self.shuffle = shuffle
        self.seed = seed
        self.drop_last = drop_last
        self.epoch = 0
        self.num_samples = (len(dataset) + (0 if drop_last else num_replicas - 1)) // num_replicas
        self.total_size = self.num_samples * num_replicas

    def __iter__(self) -> Iterator[int]:
        order = range(len(self.dataset))
        if self.shuffle:
            generator = Generator()
            generator.manual_seed(self.seed + self.epoch)
            order = _VariableFunctions.randperm(len(self.dataset), generator=generator).tolist()
        return itertools.islice(itertools.cycle(order), self.rank, self.total_size, self.num_replicas)

    def __len__(self) -> int:
        return self.num_samples

    def set_epoch(self, epoch: int) -> None:
        """Sets the epoch, on which the order depends."""
        self.epoch = epoch
