"""Datasets: items, lengths, sums and errors, compared with PyTorch's."""

from __future__ import annotations

import types
from typing import Any

import aten
import pytest
from both_packages import Program, same

DATASETS: dict[str, Program] = {
    "tensors": lambda p: list(p.utils.data.TensorDataset(p.arange(4), p.arange(8).reshape(4, 2))),
    "tensors, a slice": lambda p: p.utils.data.TensorDataset(p.arange(4), p.arange(4.0))[1:3],
    "stack": lambda p: list(p.utils.data.StackDataset([1, 2], ["a", "b"])),
    "stack by keyword": lambda p: p.utils.data.StackDataset(x=[1, 2], y=["a", "b"])[1],
    "stack, several": lambda p: p.utils.data.StackDataset(x=[1, 2, 3], y=range(3)).__getitems__([2, 0]),
    "stack of subsets": lambda p: p.utils.data.StackDataset(
        p.utils.data.Subset([5, 6, 7], [2, 1]), "ab"
    ).__getitems__([1, 0]),
    "stack of different lengths": lambda p: p.utils.data.StackDataset([1], [1, 2]),
    "stack of nothing": lambda p: p.utils.data.StackDataset(),
    "stack of both": lambda p: p.utils.data.StackDataset([1], x=[1]),
    "concat": lambda p: [p.utils.data.ConcatDataset(["ab", "", "c"])[i] for i in (0, 1, 2, -1, -3)],
    "concat, length": lambda p: len(p.utils.data.ConcatDataset(["ab", "", "c"])),
    "concat, sizes": lambda p: p.utils.data.ConcatDataset(["ab", "", "c"]).cumulative_sizes,
    "concat, before the first": lambda p: p.utils.data.ConcatDataset(["ab"])[-3],
    "concat, after the last": lambda p: p.utils.data.ConcatDataset(["ab"])[2],
    "concat of nothing": lambda p: p.utils.data.ConcatDataset([]),
    "concat of a stream": lambda p: p.utils.data.ConcatDataset([_stream(p, 2)]),
    "sum": lambda p: list(map((_dataset(p, 2) + _dataset(p, 3)).__getitem__, range(5))),
    "chain": lambda p: list(_stream(p, 2) + _stream(p, 3)),
    "chain, length": lambda p: len(p.utils.data.ChainDataset([_stream(p, 2), _stream(p, 3)])),
    "chain of no stream": lambda p: list(p.utils.data.ChainDataset([_stream(p, 1), [1]])),
    "subset": lambda p: list(map(p.utils.data.Subset("abc", [2, 0]).__getitem__, range(2))),
    "subset, several": lambda p: p.utils.data.Subset("abc", [2, 0, 1]).__getitems__([2, 0]),
    "subset of a subset": lambda p: p.utils.data.Subset(
        p.utils.data.Subset("abc", [2, 0, 1]), [1, 0]
    ).__getitems__([0, 1]),
    "subset by a list": lambda p: p.utils.data.Subset(p.arange(5), [4, 3, 0])[[0, 2]],
    "no __getitem__": lambda p: p.utils.data.Dataset()[0],
    "a stream without __iter__": lambda p: p.utils.data.IterableDataset(),
    "subscripts": lambda p: p.utils.data.Dataset[int]()[0],
    "split": lambda p: _lengths(p, range(10), [3, 7]),
    "split by fractions": lambda p: _lengths(p, range(10), [0.25, 0.25, 0.5]),
    "split with an empty part": lambda p: _lengths(p, range(3), [0.1, 0.9, 0.0]),
    "split into too little": lambda p: _lengths(p, range(10), [3, 6]),
    "split by too much": lambda p: _lengths(p, range(10), [0.5, 0.6]),
    "split by a negative fraction": lambda p: _lengths(p, range(10), [1.5, -0.5]),
}
# Errors whose text says more than PyTorch's.
OTHER_TEXTS: dict[str, Program] = {
    "tensors of different lengths": lambda p: p.utils.data.TensorDataset(p.ones(2), p.ones(3)),
    "stack of different lengths": DATASETS.pop("stack of different lengths"),
    "stack of both": DATASETS.pop("stack of both"),
    "a stream without __iter__": DATASETS.pop("a stream without __iter__"),
    "a subset of its own items": lambda p: type(
        "Own", (p.utils.data.Subset,), {"__getitem__": lambda self, i: i}
    )([1], [0]),
}


def _dataset(package: types.ModuleType, count: int) -> Any:
    class Numbers(package.utils.data.Dataset[int]):  # type: ignore[name-defined]
        def __getitem__(self, index: int) -> int:
            return index + 10 * count

        def __len__(self) -> int:
            return count

    return Numbers()


def _stream(package: types.ModuleType, count: int) -> Any:
    class Numbers(package.utils.data.IterableDataset):  # type: ignore[name-defined]
        def __iter__(self) -> Any:
            return iter(range(count))

        def __len__(self) -> int:
            return count

    return Numbers()


def _lengths(package: types.ModuleType, dataset: Any, lengths: list[Any]) -> Any:
    parts = package.utils.data.random_split(dataset, lengths)
    return [len(part) for part in parts], sorted(i for part in parts for i in part.indices)


@pytest.mark.parametrize("name", DATASETS)
def test_datasets_are_as_in_pytorch(name: str) -> None:
    same(DATASETS[name])


@pytest.mark.parametrize("name", OTHER_TEXTS)
def test_errors_have_pytorchs_types(name: str) -> None:
    same(OTHER_TEXTS[name], texts=False)


def test_split_takes_a_permutation_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """PyTorch's random_split with our permutation gives the same parts."""
    torch = pytest.importorskip("torch")
    monkeypatch.setattr(
        "torch.utils.data.dataset.randperm", lambda n, generator: aten.randperm(n, generator=generator)
    )
    seeded = (aten.Generator().manual_seed(3) for _ in range(2))
    ours, theirs = (
        [list(part.indices) for part in p.utils.data.random_split(range(11), [2, 6, 3], generator)]
        for p, generator in zip((aten, torch), seeded, strict=True)
    )
    assert ours == theirs


def test_split_needs_no_pytorch() -> None:
    aten.manual_seed(1)
    first = aten.utils.data.random_split("abcdef", [0.5, 0.5])
    aten.manual_seed(1)
    again = aten.utils.data.random_split("abcdef", [3, 3])
    assert [p.indices for p in first] == [p.indices for p in again]
    assert sorted(first[0].indices + first[1].indices) == list(range(6))
    assert [first[0][i] for i in range(3)] == ["abcdef"[i] for i in first[0].indices]
