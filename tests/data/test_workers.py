"""DataLoader's worker processes: orders, seeds, failures, and that nothing of them is left."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from multiprocessing import resource_tracker
from typing import Any

import aten
import aten.multiprocessing
import aten.utils.data as data
import items
import pytest
from aten.utils.data._utils import worker
from items import Squares, Stream, same_list

pytestmark = pytest.mark.filterwarnings("ignore:This DataLoader will create", "ignore:.*use of fork")


def _descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    """No process and no file descriptor is left by a test."""
    resource_tracker.ensure_running()  # it stays, and has a descriptor
    before, children = _descriptors(), set(multiprocessing.active_children())
    yield
    if _descriptors() > before:
        gc.collect()
    assert set(multiprocessing.active_children()) <= children
    assert _descriptors() <= before


def _loader(make: Any = None, count: int = 12, **options: Any) -> data.DataLoader:
    settings = {"batch_size": 2, "num_workers": 2, "collate_fn": same_list, **options}
    return data.DataLoader(Squares(count, make), **settings)


def test_batches_come_in_order() -> None:
    loader = _loader(count=9)
    expected = [[0, 1], [4, 9], [16, 25], [36, 49], [64]]
    assert list(loader) == list(loader) == expected
    assert list(_loader(count=9, in_order=False, num_workers=1)) == expected
    assert sorted(_loader(count=9, in_order=False, prefetch_factor=1)) == expected


def test_batches_are_as_pytorchs() -> None:
    torch = pytest.importorskip("torch")
    settings = {"batch_size": 3, "num_workers": 2, "drop_last": True}
    expected = [batch.tolist() for batch in torch.utils.data.DataLoader(Squares(11), **settings)]
    assert [batch.tolist() for batch in data.DataLoader(Squares(11), **settings)] == expected


@pytest.mark.parametrize("options", [{}, {"drop_last": True}, {"batch_size": None}])
def test_streams_are_in_pytorchs_order(options: dict[str, Any]) -> None:
    """The parts of the workers end at different times; PyTorch's loader takes turns in the same way."""
    torch = pytest.importorskip("torch")

    class Theirs(torch.utils.data.IterableDataset):  # type: ignore[misc, name-defined]
        def __iter__(self) -> Any:
            info = torch.utils.data.get_worker_info()
            return iter(range(info.id, 11 if info.id else 5, info.num_workers))

    class Ours(data.IterableDataset):
        def __iter__(self) -> Any:
            info = data.get_worker_info()
            return iter(range(info.id, 11 if info.id else 5, info.num_workers))

    settings = {"batch_size": 2, "num_workers": 2, "collate_fn": same_list, **options}
    expected = list(torch.utils.data.DataLoader(Theirs(), **settings))
    assert list(data.DataLoader(Ours(), **settings)) == expected


def test_persistent_workers_live_on() -> None:
    loader = _loader(items.process_id, persistent_workers=True)
    first = {pid for batch in loader for pid in batch}
    next(iter(loader))  # an iteration that isn't finished
    again = {pid for batch in loader for pid in batch}
    assert first == again and len(first) == 2 and os.getpid() not in first
    assert {pid for batch in _loader(items.process_id) for pid in batch}.isdisjoint(first)
    stream = data.DataLoader(Stream(7), 2, num_workers=2, collate_fn=same_list, persistent_workers=True)
    assert list(stream) == list(stream) == [[0, 2], [1, 3], [4, 6], [5]]


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_workers_start_by_both_methods(method: str) -> None:
    """Tensors come in shared memory, which is freed with them."""
    loader = data.DataLoader(Squares(4, items.large), 2, num_workers=2, multiprocessing_context=method)
    batches = list(loader)
    assert [b[:, -1].tolist() for b in batches] == [[0.0, 1.0], [2.0, 3.0]]
    assert all(b.is_shared() for b in batches)
    small = data.DataLoader(Squares(4), 2, num_workers=1, multiprocessing_context="fork")
    assert [b.tolist() for b in small] == [[0, 1], [4, 9]]


def test_seeds_can_be_repeated() -> None:
    np = pytest.importorskip("numpy")

    def drawn(seed: int, **options: Any) -> list[list[Any]]:
        generator = aten.Generator().manual_seed(seed)
        loader = _loader(items.draws, 4, batch_size=1, generator=generator, **options)
        return [batch[0] for batch in loader]

    first = drawn(1)
    assert first == drawn(1) != drawn(2)
    assert first == drawn(1, multiprocessing_context="spawn")
    base = aten.empty((), dtype=aten.int64).random_(generator=aten.Generator().manual_seed(1)).item()
    assert [row[0] for row in first] == [row[4] for row in first] == [base, base + 1, base, base + 1]
    assert len({row[1] for row in first}) == len({row[2] for row in first}) == 4

    worker_module = pytest.importorskip("torch.utils.data._utils.worker")
    numbers = [np.random.RandomState(worker_module._generate_state(base, i)) for i in range(2)]
    assert [row[2] for row in first] == [numbers[i].rand() for i in (0, 1, 0, 1)]


@pytest.mark.parametrize(
    ("make", "kind", "text"),
    [
        (items.break_value, ValueError, "ValueError: item 5"),
        (items.refuse, KeyError, "KeyError: 'item 5'"),
        (items.unpicklable, AttributeError, "pickle local object"),
    ],
)
def test_a_workers_exception_is_raised(make: Any, kind: type[Exception], text: str) -> None:
    iterator = iter(_loader(make))
    assert [next(iterator), next(iterator)] == [[0, 1], [2, 3]]
    with pytest.raises(kind) as caught:
        next(iterator)
    message = str(caught.value)
    assert message.startswith(f"Caught {kind.__name__} in DataLoader worker process 0.\nOriginal Traceback")
    assert text in message
    assert list(iterator) == [[6, 7], [8, 9], [10, 11]]


def test_a_failing_worker_init_fn_is_raised() -> None:
    iterator = iter(_loader(worker_init_fn=items.fail_to_start))
    for number in range(2):
        with pytest.raises(ValueError, match=f"process {number}(?s:.*)no worker {number}"):
            next(iterator)
    del iterator


@pytest.mark.parametrize(
    ("make", "text"),
    [(items.kill, "killed by signal 9: Killed"), (items.leave, "exit code 3")],
)
@pytest.mark.parametrize("persistent", [False, True])
def test_the_end_of_a_worker_is_an_error(make: Any, text: str, persistent: bool) -> None:
    loader = _loader(make, persistent_workers=persistent)
    iterator = iter(loader)
    pid = iterator._processes[0].pid
    with pytest.raises(RuntimeError, match=rf"worker \(pid\(s\) {pid}\) exited unexpectedly: {text}"):
        list(iterator)
    assert list(iterator) == []
    with pytest.raises(RuntimeError, match=text):  # with new workers
        list(loader)


def test_a_worker_that_is_killed_from_outside() -> None:
    iterator = iter(_loader(items.wait_forever, 6, batch_size=1, num_workers=1))
    assert next(iterator) == [0]
    killer = threading.Timer(0.2, os.kill, (iterator._processes[0].pid, signal.SIGKILL))
    killer.start()
    with pytest.raises(RuntimeError, match="killed by signal 9"):
        list(iterator)
    killer.join()


def test_a_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "CHECK_SECONDS", 0.5)  # until the worker is killed
    iterator = iter(_loader(items.wait_forever, num_workers=1, timeout=2))
    got = []
    with pytest.raises(RuntimeError, match="DataLoader timed out after 2 seconds"):
        while True:
            got.append(next(iterator))
    assert got == [[0, 1], [2, 3]]
    del iterator


def test_leaving_the_loop_ends_the_workers() -> None:
    others = set(multiprocessing.active_children())  # of fixtures of other folders, which ran before
    loader = _loader(items.large, 1000, collate_fn=None)
    for batch in loader:
        assert batch.shape == (2, 1 << 17)
        break
    assert set(multiprocessing.active_children()) <= others


def test_what_cant_be_sent_is_an_error_at_the_start() -> None:
    with pytest.raises(AttributeError, match="pickle local object"):
        iter(_loader(lambda index: index, multiprocessing_context="spawn"))


def test_workers_cant_have_workers() -> None:
    with pytest.raises(AssertionError, match="daemonic processes are not allowed to have children"):
        list(_loader(_nested))


def _nested(index: int) -> Any:
    return list(data.DataLoader([index], num_workers=1))


def test_iterators_of_one_loader_are_independent() -> None:
    loader = _loader(count=6)
    pairs = [(a, b) for a in loader for b in loader]
    batches = [[0, 1], [4, 9], [16, 25]]
    assert pairs == [(a, b) for a in batches for b in batches]


def test_a_stream_that_all_workers_repeat_is_a_warning() -> None:
    loader = data.DataLoader(Stream(4, length=2), batch_size=None, num_workers=1)
    assert len(loader) == 2
    with pytest.warns(UserWarning, match=r"reported to be 2 .* Each worker has a copy of the dataset"):
        assert list(loader) == [0, 1, 2, 3]


PROGRAM = """
import os, sys, aten.utils.data as data, items
iterator = iter(data.DataLoader(items.Squares(99, items.large), 2, num_workers=2))
next(iterator)
print(*[process.pid for process in iterator._processes], flush=True)
if sys.argv[1] == "killed":
    os.kill(os.getpid(), 9)
"""


@pytest.mark.parametrize("end", ["exits", "killed"])
def test_workers_end_with_the_main_process(end: str) -> None:
    """Each holds the write end of a pipe, which is read until all have ended."""
    path = f"import sys; sys.path[:0] = {sys.path!r}\n"
    done = subprocess.run(
        [sys.executable, "-c", path + PROGRAM, end], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == (-signal.SIGKILL if end == "killed" else 0), done.stderr
    assert "Traceback" not in done.stderr
    pids = list(map(int, done.stdout.split()))
    assert len(pids) == 2
    assert not any(os.path.exists(f"/proc/{pid}/cwd") for pid in pids)
