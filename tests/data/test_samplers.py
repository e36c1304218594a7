"""Samplers: PyTorch's draw the same from our random numbers; the numbers themselves are our own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import aten
import aten.utils.data as data
import pytest
from both_packages import Program, same

# Samplers that draw from an aten.Generator.
RANDOM: dict[str, Callable[[Any, aten.Generator], Any]] = {
    "permutation": lambda d, g: d.RandomSampler(range(10), generator=g),
    "more than one permutation": lambda d, g: d.RandomSampler(range(10), num_samples=25, generator=g),
    "less than one permutation": lambda d, g: d.RandomSampler(range(10), num_samples=4, generator=g),
    "with replacement": lambda d, g: d.RandomSampler(range(10), True, 70, g),
    "with replacement, a whole number of pieces": lambda d, g: d.RandomSampler(range(5), True, 64, g),
    "subset": lambda d, g: d.SubsetRandomSampler([3, 1, 4, 15, 9], g),
    "weighted": lambda d, g: d.WeightedRandomSampler([0.1, 0.0, 2, 0.7], 9, generator=g),
    "weighted, without replacement": lambda d, g: d.WeightedRandomSampler([0.1, 3, 2, 0.7], 3, False, g),
    "batches": lambda d, g: d.BatchSampler(d.RandomSampler(range(10), generator=g), 4, False),
}
FIXED: dict[str, Program] = {
    "sequential": lambda p: list(p.utils.data.SequentialSampler("abc")),
    "batches": lambda p: list(p.utils.data.BatchSampler(range(7), 3, False)),
    "whole batches": lambda p: list(p.utils.data.BatchSampler(range(7), 3, True)),
    "batches of nothing": lambda p: list(p.utils.data.BatchSampler([], 3, False)),
    "length": lambda p: [len(p.utils.data.BatchSampler("abcdefg", 3, drop)) for drop in (False, True)],
    "length of a random one": lambda p: len(p.utils.data.RandomSampler("abc", num_samples=7)),
    "no __iter__": lambda p: list(p.utils.data.SequentialSampler(iter("abc"))),
    "no samples": lambda p: p.utils.data.RandomSampler([]),
    "a negative number of samples": lambda p: p.utils.data.RandomSampler("abc", num_samples=-1),
    "replacement of another type": lambda p: p.utils.data.RandomSampler("abc", replacement=1),
    "a weighted number of samples": lambda p: p.utils.data.WeightedRandomSampler([1.0], True),
    "weighted, another type": lambda p: p.utils.data.WeightedRandomSampler([1.0], 1, 0),
    "weights of two dimensions": lambda p: p.utils.data.WeightedRandomSampler([[1.0, 2.0]], 1),
    "batches of none": lambda p: p.utils.data.BatchSampler("abc", 0, False),
    "batches of True": lambda p: p.utils.data.BatchSampler("abc", True, False),
    "drop_last of another type": lambda p: p.utils.data.BatchSampler("abc", 2, 0),
}
SPLITS = [(10, 3, False), (10, 3, True), (9, 3, False), (2, 5, False), (2, 5, True), (0, 2, False)]


@pytest.mark.parametrize("name", FIXED)
def test_samplers_are_as_in_pytorch(name: str) -> None:
    same(FIXED[name])


@pytest.mark.parametrize("name", RANDOM)
def test_pytorchs_samplers_give_the_same_of_our_numbers(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    for function in ("randperm", "randint", "multinomial"):
        monkeypatch.setattr(torch, function, _ours(function))
    ours, theirs = (aten.Generator().manual_seed(7) for _ in range(2))
    mine, reference = RANDOM[name](data, ours), RANDOM[name](torch.utils.data, theirs)
    for _ in range(2):  # the second iteration goes on with the generator
        assert list(mine) == list(reference)
    assert len(mine) == len(reference)
    assert ours.get_state().tolist() == theirs.get_state().tolist()


def _ours(name: str) -> Callable[..., aten.Tensor]:
    function = getattr(aten, name)

    def call(*args: Any, dtype: Any = None, **kwargs: Any) -> aten.Tensor:
        weights = [aten.tensor(a.tolist(), dtype=aten.float64) if hasattr(a, "tolist") else a for a in args]
        return function(*weights, **kwargs)

    return call


@pytest.mark.parametrize(("count", "replicas", "drop_last"), SPLITS)
def test_parts_of_processes_are_as_in_pytorch(count: int, replicas: int, drop_last: bool) -> None:
    same(
        lambda p: [
            list(p.utils.data.DistributedSampler(range(count), replicas, r, False, drop_last=drop_last))
            for r in range(replicas)
        ]
    )


def test_parts_of_processes_are_one_order() -> None:
    samplers = [data.DistributedSampler(range(10), 3, rank, seed=5) for rank in range(3)]
    orders = []
    for epoch in (0, 1, 0):
        for sampler in samplers:
            sampler.set_epoch(epoch)
        orders.append([i for items in zip(*samplers, strict=True) for i in items])
    assert orders[0] == orders[2] != orders[1]
    assert all(sorted(order[:10]) == list(range(10)) and order[10:] == order[:2] for order in orders)


def test_parts_need_their_number_and_rank() -> None:
    with pytest.raises(RuntimeError, match="give num_replicas and rank"):
        data.DistributedSampler(range(3))
    same(lambda p: p.utils.data.DistributedSampler(range(3), 2, 2))


def test_the_default_generator_decides_without_another() -> None:
    orders = []
    for seed in (3, 3, 4):
        aten.manual_seed(seed)
        orders.append(list(data.RandomSampler(range(20))))
    assert orders[0] == orders[1] != orders[2]
    assert all(sorted(order) == list(range(20)) for order in orders)


def test_weights_are_probabilities() -> None:
    drawn = list(data.WeightedRandomSampler([1.0, 0.0, 3.0], 4000, generator=aten.Generator().manual_seed(0)))
    assert drawn.count(1) == 0
    assert abs(drawn.count(2) / 4000 - 0.75) < 0.035  # five standard deviations
