"""Tensors that are sent to other processes: what is shared, what is copied, and what is an error."""

from __future__ import annotations

import gc
import os
import pickle
from collections.abc import Iterator
from typing import Any

import aten
import aten.multiprocessing as mp
import pytest
from aten.multiprocessing import _channel, reductions

LARGE = (1 << 16) + 1  # floats that are sent in shared memory


class Sub(aten.Tensor):
    """A subclass with attributes."""


@pytest.fixture(autouse=True)
def no_descriptors_left() -> Iterator[None]:
    """Blocks of memory are closed with the tensors in them."""
    before = _blocks()
    yield
    if _blocks() > before:
        gc.collect()
    assert _blocks() <= before


def _blocks() -> int:
    links = [f"/proc/self/fd/{name}" for name in os.listdir("/proc/self/fd")]
    return sum("memfd:aten" in os.readlink(link) for link in links if os.path.lexists(link))


def _add(given: aten.Tensor, inbox: Any, outbox: Any) -> None:
    """Changes two tensors, and sends one of its own; ends when the other process has it."""
    given += 1
    received = inbox.get()
    received += 5
    outbox.put(aten.full((LARGE,), 3.0))
    assert inbox.get() == "end"


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_writes_are_seen_by_both_sides(method: str) -> None:
    context = mp.get_context(method)
    inbox, outbox = context.SimpleQueue(), context.SimpleQueue()
    given, base = aten.zeros(3).share_memory_(), aten.arange(6.0).clone().share_memory_()
    process = context.Process(target=_add, args=(given, inbox, outbox))
    process.start()
    inbox.put(base[1:3])
    got = outbox.get()
    assert given.tolist() == [1, 1, 1]
    assert base.tolist() == [0, 6, 7, 3, 4, 5]
    assert got.shape == (LARGE,) and got[-1].item() == 3 and got.is_shared()
    got.fill_(1)
    inbox.put("end")
    process.join(120)
    assert process.exitcode == 0
    process.close()


def _through_channel(value: Any) -> Any:
    ours, theirs = _channel.pair(mp.get_context())
    try:
        ours.send(_channel.Message(value))
        return theirs.recv()
    finally:
        ours.drop()
        theirs.drop()


def _through_pipe(value: Any) -> Any:
    ours, theirs = mp.Pipe()
    with ours, theirs:
        ours.send(value)
        return theirs.recv()


WAYS = {"channel": _through_channel, "pipe": _through_pipe}
TENSORS = {
    "small": lambda: aten.arange(3),
    "large": lambda: aten.arange(LARGE),
    "empty": lambda: aten.ones(0, 3),
    "a scalar": lambda: aten.tensor(2.5),
    "transposed": lambda: aten.arange(2.0 * LARGE).reshape(2, LARGE).t(),
    "strided": lambda: aten.arange(2.0 * LARGE)[::2],
    "expanded": lambda: aten.tensor([1.0]).expand(LARGE),
    "bfloat16": lambda: aten.ones(2 * LARGE, dtype=aten.bfloat16),
    "complex": lambda: aten.ones(LARGE, dtype=aten.complex64) * 1j,
    "shared": lambda: aten.arange(4.0).clone().share_memory_(),
    "a part of a shared one": lambda: aten.arange(6.0).clone().share_memory_().view(2, 3).t()[1:],
    "requires grad": lambda: aten.ones(LARGE, requires_grad=True),
}


@pytest.mark.parametrize("name", TENSORS)
@pytest.mark.parametrize("way", WAYS)
def test_values_and_geometry_arrive(name: str, way: str) -> None:
    sent = TENSORS[name]()
    got = WAYS[way](sent)
    assert (got.dtype, got.shape, got.requires_grad) == (sent.dtype, sent.shape, sent.requires_grad)
    assert aten.equal(got, sent)
    assert got.is_shared() == (sent.is_shared() or sent.nbytes >= reductions.SMALL)
    if name in ("transposed", "a part of a shared one"):
        assert got.stride() == sent.stride()
    shared = sent.is_shared()
    with aten.no_grad():
        got.zero_()
    assert aten.equal(got, sent) == (shared or sent.numel() == 0)


@pytest.mark.parametrize("way", WAYS)
def test_subclasses_and_attributes_arrive(way: str) -> None:
    sent = aten.ones(LARGE)
    sent.label = "ones"
    assert WAYS[way](sent).label == "ones"
    assert type(WAYS[way](aten.ones(3).as_subclass(Sub))) is Sub


def test_large_tensors_of_subclasses_are_shared() -> None:
    got = _through_channel(aten.ones(LARGE).as_subclass(Sub))
    assert type(got) is Sub and got.is_shared()


def test_many_tensors_in_one_message() -> None:
    """More than a system call sends descriptors."""
    shared = [aten.full((2,), float(i)).share_memory_() for i in range(300)]
    got = _through_channel({"all": shared, "view": shared[7][1:]})
    assert [t[0].item() for t in got["all"]] == list(range(300))
    got["view"].fill_(-1)
    assert shared[7].tolist() == got["all"][7].tolist() == [7, -1]


@pytest.mark.parametrize("way", WAYS)
def test_a_tensor_with_a_history_is_an_error_as_in_pytorch(way: str) -> None:
    with pytest.raises(RuntimeError, match="requires grad and is no leaf"):
        WAYS[way](aten.ones(2, requires_grad=True) * 2)
    torch = pytest.importorskip("torch")
    with pytest.raises(RuntimeError, match="non-leaf tensor which requires_grad"):
        torch.multiprocessing.reductions.reduce_tensor(torch.ones(2, requires_grad=True) * 2)


def test_sharing_keeps_values_and_geometry() -> None:
    strided = aten.empty_strided((2, 3), (1, 2)).copy_(aten.arange(6.0).reshape(2, 3))
    assert strided.share_memory_() is strided
    assert strided.is_shared() and strided.stride() == (1, 2)
    assert strided.tolist() == [[0, 1, 2], [3, 4, 5]]
    assert strided.share_memory_() is strided and strided[1:].is_shared()
    assert not strided.clone().is_shared()


def test_sharing_keeps_the_graph() -> None:
    weight = aten.ones(3, requires_grad=True)
    (weight.share_memory_() * 2).sum().backward()
    assert weight.grad.tolist() == [2, 2, 2] and weight.is_leaf
    with pytest.raises(RuntimeError, match="no leaf"):
        (weight * 2).share_memory_()


@pytest.mark.parametrize("which", ["base", "view", "array"])
def test_sharing_one_of_several_tensors_is_an_error(which: str) -> None:
    """They would be in different memory afterwards."""
    np = pytest.importorskip("numpy")
    base = aten.from_numpy(np.ones(4)) if which == "array" else aten.ones(4)
    view = base[1:]
    with pytest.raises(RuntimeError, match="share a clone"):
        (view if which == "view" else base).share_memory_()
    view.zero_()
    assert base.tolist() == [1, 0, 0, 0] and not base.is_shared()


def test_plain_pickle_copies() -> None:
    sent = aten.ones(LARGE).share_memory_()
    got = pickle.loads(pickle.dumps(sent))
    assert aten.equal(got, sent) and not got.is_shared()


def test_the_standard_names_are_there() -> None:
    import multiprocessing

    assert all(hasattr(mp, name) for name in multiprocessing.__all__)
    assert mp.get_sharing_strategy() in mp.get_all_sharing_strategies()
    mp.set_sharing_strategy("file_descriptor")
    with pytest.raises(AssertionError, match="invalid sharing strategy 'file_system'"):
        mp.set_sharing_strategy("file_system")
