"""Large graphs, their lifetime, threads, and anomaly mode."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading
import warnings
import weakref
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from expect import leaf, raises, same


def chain(T, x, n):
    y = x
    for _ in range(n):
        y = y + 1.0
    return y


def resident() -> int:
    """Returns this process's resident memory in bytes."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


def on_a_small_stack(function) -> None:
    """Runs the function in a thread whose stack a recursion of a few thousand calls would overflow."""
    errors = []

    def run():
        try:
            function()
        except BaseException as error:
            errors.append(error)

    before = threading.stack_size(512 * 1024)
    try:
        thread = threading.Thread(target=run)
        thread.start()
    finally:
        threading.stack_size(before)
    thread.join()
    if errors:
        raise errors[0]


CHAINS = """
import re, threading
import {library} as T

def peak():
    return int(re.search(r"VmHWM:\\s*(\\d+)", open("/proc/self/status").read())[1])

def run_and_free():
    for _ in range(4):
        y = x
        for _ in range({count}):
            y = y + 1.0
        y.backward()
        del y
        peaks.append(peak())

x = T.ones((), requires_grad=True)
threading.stack_size(512 * 1024)
peaks = [peak()]
thread = threading.Thread(target=run_and_free)
thread.start()
thread.join()
assert x.grad.item() == 4
print(*peaks)
"""


def test_a_chain_of_a_million_nodes_runs_and_is_freed(T):
    """The test runs in a child process, on a small stack: the next chains reuse the memory of the first."""
    count = 1_000_000 if T.__name__ == "aten" else 100_000  # PyTorch takes long
    program = CHAINS.format(library=T.__name__, count=count)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    start, first, *_, last = map(int, done.stdout.split())
    assert last - first < first - start, f"{done.stdout}: a leak would make it thrice that"


def test_a_long_chain_that_was_never_run_is_freed(T):
    x = leaf(T, 1.0)
    on_a_small_stack(lambda: chain(T, x, 200_000))


def test_a_long_chain_of_views_and_writes(T):
    def run():
        x = leaf(T, [1.0, 2.0])
        y = x * 1
        for i in range(20_000):
            y[i % 2 : i % 2 + 1].mul_(1.0)
        y.sum().backward()
        same(x.grad, [1, 1])

    on_a_small_stack(run)


def test_a_wide_graph(T):
    x = leaf(T, 1.0)
    T.stack([x * float(i) for i in range(20_000)]).sum().backward()
    same(x.grad, 20_000 * 19_999 / 2)


def test_paths_are_not_counted_one_by_one(T):
    """Sixty diamonds in a row, which have 2^60 paths, take no time."""
    x = leaf(T, 1.0)
    y = x
    for _ in range(60):
        y = (y + y) * 0.5
    y.backward()
    same(x.grad, 1)


def test_intermediates_die_with_the_last_reference(T):
    """Intermediates are freed without the garbage collector: graphs hold no cycles."""
    gc.collect()
    gc.disable()
    try:
        x = leaf(T, [1.0, 2.0])
        y = x.exp()
        z = (y * y).sum()
        refs = [weakref.ref(y), weakref.ref(z)]
        z.backward()
        del y, z
        assert [r() for r in refs] == [None] * 2
    finally:
        gc.enable()


def test_saved_tensors_are_freed_by_backward(T):
    """Saved tensors are freed although the graph is still referenced."""
    values = np.ones(3)
    ref = weakref.ref(values)
    x = leaf(T, 2.0)
    y = (x * T.from_numpy(values)).sum()
    del values
    assert ref() is not None
    y.backward(retain_graph=True)
    assert ref() is not None
    y.backward()
    assert ref() is None and y.grad_fn is not None


def test_graphs_in_a_loop_take_no_memory(T):
    w = leaf(T, [[0.1] * 16] * 16)
    sizes = []
    for i in range(600):
        (w.matmul(w).relu() * w).sum().backward()
        w.grad = None
        if i % 200 == 199:
            sizes.append(resident())
    assert sizes[-1] - sizes[0] < 2_000_000


def test_forward_and_backward_in_several_threads(T):
    """Each thread has its own graph; all end in the same leaf."""
    x = leaf(T, [1.0, 2.0, 3.0])

    def work(k):
        for _ in range(50):
            y = x
            for _ in range(10):
                y = y * 1.0 + x * 0.0
            (y * float(k)).sum().backward()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    same(x.grad, [50 * 28] * 3)


def test_several_threads_run_one_graph(T):
    x = leaf(T, [0.5, 0.25])
    y = x.exp()
    for _ in range(20):
        y = y * x.sin().exp()
    z = y.sum()
    z.backward(retain_graph=True)
    once = x.grad.clone()
    x.grad = None
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: z.backward(retain_graph=True), range(64)))
    same(x.grad / once, [64, 64], 1e-9)


def test_hooks_and_functions_in_several_threads(T):
    class Twice(T.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * 2 + ctx.saved_tensors[0] * 0

    x = leaf(T, 1.0)
    calls = []
    x.register_hook(calls.append)

    def work(_):
        for _ in range(40):
            Twice.apply(x * 1).backward()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    assert len(calls) == 160
    same(x.grad, 320)


def test_grad_in_several_threads(T):
    def work(k):
        x = leaf(T, float(k))
        (g,) = T.autograd.grad(x.pow(3), x, create_graph=True)
        return T.autograd.grad(g, x)[0].item()

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(work, range(40))) == [6.0 * k for k in range(40)]


def test_an_exception_in_one_thread_leaves_the_others(T):
    def work(k):
        x = leaf(T, 1.0)
        y = x * 2
        if k % 2:
            y.register_hook(lambda g: 1 / 0)
        try:
            y.backward()
        except ZeroDivisionError:
            return None
        return x.grad.item()

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(work, range(20))) == [2.0, None] * 10


def forward_line_of_this_test(x):
    return x.sqrt()


def test_anomaly_mode_names_the_forward_call(T):
    x = leaf(T, -1.0)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with T.autograd.detect_anomaly():
            y = forward_line_of_this_test(x)
            with raises("Sqrt", "nan") as error:
                (y * 2).backward()
    said = "".join(str(w.message) for w in caught) + str(error.value)
    assert "forward_line_of_this_test" in said and "x.sqrt()" in said


def test_anomaly_mode_is_left(T):
    x = leaf(T, -1.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with T.autograd.detect_anomaly():
            assert T.is_anomaly_enabled()
        assert not T.is_anomaly_enabled()
        with T.autograd.set_detect_anomaly(True, check_nan=False):
            x.sqrt().backward()
    assert x.grad.item() != x.grad.item()


def test_anomaly_mode_names_the_call_of_an_exception(T):
    class Failing(T.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            raise ZeroDivisionError("mine")

    def forward_call_of_failing(x):
        return Failing.apply(x)

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with T.autograd.set_detect_anomaly(True):
            y = forward_call_of_failing(leaf(T, 1.0))
            with pytest.raises(ZeroDivisionError) as error:
                y.backward()
    said = "".join(str(w.message) for w in caught) + "".join(map(str, getattr(error.value, "__notes__", [])))
    assert "forward_call_of_failing" in said
