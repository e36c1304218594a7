"""DataLoader without workers: batches, orders, lengths, options and their errors, compared with PyTorch's."""

from __future__ import annotations

import subprocess
import sys
import types
from typing import Any

import aten
import aten.utils.data as data
import pytest
from both_packages import Program, outcome, same
from items import Squares, Stream, same_list

PROGRAMS: dict[str, Program] = {
    "batches": lambda p: list(_loader(p, batch_size=3)),
    "whole batches": lambda p: list(_loader(p, batch_size=3, drop_last=True)),
    "single items": lambda p: list(_loader(p, batch_size=None)),
    "batches of one": lambda p: list(_loader(p)),
    "a sampler": lambda p: list(_loader(p, sampler=[4, 1, 1], batch_size=2)),
    "a sampler of keys": lambda p: list(p.utils.data.DataLoader({"a": 1, "b": 2}, sampler=["b", "a"])),
    "a batch sampler": lambda p: list(_loader(p, batch_sampler=[[4, 1], [2]])),
    "lists of indices without batches": lambda p: list(
        p.utils.data.DataLoader(p.arange(8.0), batch_size=None, sampler=[[4, 1], [2]])
    ),
    "tensors": lambda p: list(
        p.utils.data.DataLoader(p.utils.data.TensorDataset(p.arange(5), p.ones(5, 2)), 2)
    ),
    "a dataset of several items": lambda p: list(
        p.utils.data.DataLoader(p.utils.data.Subset(range(10), [7, 3, 5]), 2)
    ),
    "collate_fn": lambda p: list(_loader(p, batch_size=4, collate_fn=sum)),
    "a stream": lambda p: list(_loader(p, _stream(p), batch_size=3)),
    "whole batches of a stream": lambda p: list(_loader(p, _stream(p), batch_size=3, drop_last=True)),
    "items of a stream": lambda p: list(_loader(p, _stream(p), batch_size=None)),
    "an empty stream": lambda p: list(_loader(p, _stream(p, 0), batch_size=3)),
    "length": lambda p: [len(_loader(p, batch_size=3, drop_last=drop)) for drop in (False, True)],
    "length without batches": lambda p: len(_loader(p, batch_size=None)),
    "length of a stream": lambda p: [
        len(_loader(p, _stream(p), batch_size=3, drop_last=drop)) for drop in (False, True)
    ],
    "length of the iterator": lambda p: len(iter(_loader(p, batch_size=3))),
    "twice": lambda p: [(list(x), list(x)) for x in [_loader(p, batch_size=3)]],
    "two at once": lambda p: [list(zip(x, x, strict=True)) for x in [_loader(p, batch_size=3)]],
    "nested": lambda p: [(a, b) for a in _loader(p, batch_size=4) for b in _loader(p, batch_size=5)],
    "default collate_fn": lambda p: [_loader(p, batch_size=size).collate_fn.__name__ for size in (1, None)],
    "prefetch_factor": lambda p: [_loader(p, num_workers=n).prefetch_factor for n in (0, 1)],
    "pin_memory": lambda p: list(_loader(p, pin_memory=True)),
    "subscript": lambda p: list(p.utils.data.DataLoader[int]([1, 2], 2)),
}
ERRORS: dict[str, Program] = {
    f"{name}": lambda p, options=options: list(_loader(p, **options))
    for name, options in {
        "workers": {"num_workers": -1},
        "timeout": {"timeout": -1},
        "prefetch_factor without workers": {"prefetch_factor": 2},
        "prefetch_factor": {"num_workers": 1, "prefetch_factor": -2},
        "persistent_workers": {"persistent_workers": True},
        "sampler and shuffle": {"sampler": [1], "shuffle": True},
        "batch_sampler and batch_size": {"batch_sampler": [[1]], "batch_size": 2},
        "batch_sampler and shuffle": {"batch_sampler": [[1]], "shuffle": True},
        "batch_sampler and sampler": {"batch_sampler": [[1]], "sampler": [1]},
        "batch_sampler and drop_last": {"batch_sampler": [[1]], "drop_last": True},
        "drop_last without batches": {"batch_size": None, "drop_last": True},
        "batch_size": {"batch_size": 0},
        "batch_size of another type": {"batch_size": 1.5},
        "context without workers": {"multiprocessing_context": "fork"},
        "context": {"multiprocessing_context": "thread", "num_workers": 1},
        "context of another type": {"multiprocessing_context": 1, "num_workers": 1},
    }.items()
}
OF_STREAMS = {"shuffle": True, "sampler": [1], "batch_sampler": [[1]]}
FIXED = {"batch_size": 2, "batch_sampler": [], "sampler": [], "drop_last": True, "dataset": [],
         "persistent_workers": True}  # fmt: skip


def _loader(package: types.ModuleType, dataset: Any = None, **options: Any) -> Any:
    return package.utils.data.DataLoader(Squares(8) if dataset is None else dataset, **options)


def _stream(package: types.ModuleType, count: int = 8, length: int | None = None) -> Any:
    class Numbers(package.utils.data.IterableDataset):  # type: ignore[name-defined]
        def __iter__(self) -> Any:
            return iter(range(count))

        def __len__(self) -> int:
            return count if length is None else length

        def __repr__(self) -> str:
            return "the stream"

    return Numbers()


@pytest.mark.parametrize("name", PROGRAMS)
def test_batches_are_as_in_pytorch(name: str) -> None:
    same(PROGRAMS[name])


@pytest.mark.parametrize("name", ERRORS)
def test_errors_are_as_in_pytorch(name: str) -> None:
    same(ERRORS[name])


@pytest.mark.parametrize("name", OF_STREAMS)
def test_errors_of_streams_are_as_in_pytorch(name: str) -> None:
    same(lambda p: _loader(p, _stream(p), **{name: OF_STREAMS[name]}))


@pytest.mark.parametrize("name", FIXED)
def test_attributes_that_stay(name: str) -> None:
    same(lambda p: setattr(_loader(p), name, FIXED[name]))


def test_a_timeout_needs_workers() -> None:
    same(lambda p: list(_loader(p, timeout=1)), texts=False)


def test_a_stream_longer_than_it_says_is_a_warning() -> None:
    def program(package: types.ModuleType) -> Any:
        loader = _loader(package, _stream(package, 5, 3))
        return len(loader), len(list(loader))

    same(program, texts=False)
    _, warned = outcome(program, aten)
    assert len(warned) == 2 and "the stream was reported to be 3" in warned[0] and "but 4" in warned[0]


def test_warnings_are_at_the_callers_line() -> None:
    with pytest.warns(UserWarning, match="will create 1000 worker processes") as caught:
        data.DataLoader([1], num_workers=1000)
    assert caught[0].filename == __file__


def test_pytorchs_loader_gives_the_same_order_of_our_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also the default generator and the given one go on to the same state as in PyTorch."""
    torch = pytest.importorskip("torch")

    def drawn(package: types.ModuleType, generator: Any) -> Any:
        loader = _loader(package, batch_size=3, shuffle=True, generator=generator, collate_fn=same_list)
        return list(loader), list(loader)

    class Seed:
        def random_(self, generator: aten.Generator) -> aten.Tensor:
            return aten.empty((), dtype=aten.int64).random_(generator=generator)

    ours, theirs = (aten.Generator().manual_seed(7) for _ in range(2))
    monkeypatch.setattr(torch, "randperm", aten.randperm)
    monkeypatch.setattr(torch, "empty", lambda *size, **options: Seed())
    reference = drawn(torch, theirs)
    monkeypatch.undo()
    assert drawn(aten, ours) == reference
    assert ours.get_state().tolist() == theirs.get_state().tolist()


def test_orders_follow_the_default_seed() -> None:
    orders = []
    for seed in (3, 3, 4):
        aten.manual_seed(seed)
        loader = data.DataLoader(range(50), 10, shuffle=True)
        orders.append([[batch.tolist() for batch in loader] for _ in range(2)])
    assert orders[0] == orders[1] != orders[2]
    assert orders[0][0] != orders[0][1]
    assert sorted(i for batch in orders[0][0] for i in batch) == list(range(50))


def test_streams_and_batches_need_no_pytorch() -> None:
    assert list(data.DataLoader(Stream(5), batch_size=2, collate_fn=same_list)) == [[0, 1], [2, 3], [4]]
    assert data.get_worker_info() is None
    with pytest.raises(NotImplementedError, match="pickled"):
        iter(data.DataLoader([1])).__getstate__()


def test_names_are_where_programs_import_them_from() -> None:
    from aten.utils.data.dataloader import DataLoader, default_collate, get_worker_info
    from aten.utils.data.dataset import Dataset, random_split
    from aten.utils.data.distributed import DistributedSampler
    from aten.utils.data.sampler import RandomSampler

    names = (DataLoader, default_collate, get_worker_info, Dataset, random_split, DistributedSampler,
             RandomSampler)  # fmt: skip
    assert all(getattr(data, item.__name__) is item for item in names)
    assert all(hasattr(data, name) for name in data.__all__)


def test_the_package_is_imported_when_it_is_used() -> None:
    program = (
        "import sys, aten; assert 'aten.utils.data' not in sys.modules; aten.utils.data.DataLoader([1]);"
        "new = {'multiprocessing', 'typing', 'numpy', 'ctypes'} & set(sys.modules); assert not new, new"
    )
    subprocess.run([sys.executable, "-S", "-c", _path() + program], check=True, timeout=120)


def _path() -> str:
    return f"import sys; sys.path[:0] = {sys.path!r}; "
