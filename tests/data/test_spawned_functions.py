"""multiprocessing.spawn and start_processes: functions in processes, and their errors in the parent."""

from __future__ import annotations

import os
import signal
import time

import aten
import aten.multiprocessing as mp
import pytest


def fill(index: int, values: aten.Tensor) -> None:
    values[index] = index + 1


def train(index: int, layer: aten.nn.Module) -> None:
    optimizer = aten.optim.SGD(layer.parameters(), lr=1.0)
    layer(aten.ones(1, 2)).sum().backward()
    optimizer.step()


def fail(index: int, kind: str) -> None:
    if index == 0:
        time.sleep(60)
    if kind == "error":
        raise ValueError("not this one")
    if kind == "signal":
        os.kill(os.getpid(), signal.SIGKILL)
    os._exit(7)


def test_each_process_has_its_number() -> None:
    values = aten.zeros(2).share_memory_()
    assert mp.spawn(fill, args=(values,), nprocs=2) is None
    assert values.tolist() == [1.0, 2.0]


@pytest.mark.parametrize("start_method", ["fork", "spawn"])
def test_a_shared_module_is_trained_by_processes(start_method: str) -> None:
    layer = aten.nn.Linear(2, 1)
    weight, before = layer.weight, layer.weight.detach().clone()
    assert layer.share_memory() is layer and layer.weight is weight
    assert all(p.is_shared() and p.requires_grad for p in layer.parameters())
    for _ in range(2):
        mp.start_processes(train, (layer,), 1, start_method=start_method)
    assert aten.allclose(layer.weight, before - 2)


def test_processes_that_are_joined_later() -> None:
    values = aten.zeros(2).share_memory_()
    started = mp.start_processes(fill, (values,), 2, join=False, start_method="fork")
    assert len(started.pids()) == 2
    while not started.join(timeout=30):
        pass
    assert started.join() and values.tolist() == [1.0, 2.0]


@pytest.mark.parametrize("kind", ["error", "signal", "status"])
def test_a_failed_process_is_an_error_and_ends_the_others(kind: str) -> None:
    began = time.monotonic()
    error = mp.ProcessRaisedException if kind == "error" else mp.ProcessExitedException
    with pytest.raises(error) as caught:
        mp.start_processes(fail, (kind,), 2, start_method="fork")
    assert time.monotonic() - began < 50
    assert caught.value.error_index == 1 and caught.value.error_pid > 0
    if kind == "error":
        assert "-- Process 1 terminated with the following error:" in str(caught.value)
        assert "ValueError: not this one" in str(caught.value)
    elif kind == "signal":
        assert (caught.value.signal_name, caught.value.exit_code) == ("SIGKILL", -9)
        assert str(caught.value) == "process 1 terminated with signal SIGKILL"
    else:
        assert (caught.value.signal_name, caught.value.exit_code) == (None, 7)
        assert str(caught.value) == "process 1 terminated with exit code 7"


def test_the_names_are_pytorchs() -> None:
    theirs = pytest.importorskip("torch").multiprocessing
    for name in ("ProcessContext", "ProcessException", "ProcessExitedException", "ProcessRaisedException"):
        assert hasattr(mp, name) and name in theirs.spawn.__globals__
