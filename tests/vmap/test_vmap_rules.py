"""Which operators compute all examples at once."""

from __future__ import annotations

import time

import aten
import pytest
from aten.utils._python_dispatch import TorchDispatchMode

KINDS = ("loop", "composite", "pointwise", "leading", "folded", "flattened", "out=")


def test_counts():
    """Operators without a rule are called for each example: this number may only become smaller."""
    counts = dict(zip(KINDS, aten._C._batch_rules(), strict=True))
    print(counts)
    derived = sum(counts[k] for k in ("composite", "pointwise", "leading", "folded", "flattened"))
    assert derived >= 1435
    assert counts["loop"] <= 149


class Counted(TorchDispatchMode):
    """Keeps the names of the operators that run below vmap."""

    def __init__(self):
        super().__init__()
        self.names = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.names.append(str(func))
        return func(*args, **(kwargs or {}))


ONE_CALL = {
    "sin": (lambda v: v.sin(), "aten.sin.default"),
    "mul": (lambda v: v * v, "aten.mul.Tensor"),
    "sum": (lambda v: v.sum(0), "aten.sum.dim_IntList"),
    "softmax": (lambda v: v.softmax(0), "aten._softmax.default"),
    "sort": (lambda v: v.sort().values, "aten.sort.default"),
    "select": (lambda v: v[1], "aten.select.int"),
}


@pytest.mark.parametrize("name", ONE_CALL)
def test_one_call_for_all_examples(name):
    function, operator = ONE_CALL[name]
    x = aten.ones(64, 3)
    with Counted() as counted:
        aten.vmap(function)(x)
    assert counted.names.count(operator) == 1
    assert len(counted.names) <= 3


def seconds(f):
    """The least of several runs: others may have the processor."""
    found = []
    for _ in range(5):
        start = time.perf_counter()
        f()
        found.append(time.perf_counter() - start)
    return min(found)


def test_time_is_not_that_of_a_loop():
    def f(v):
        return (v.sin() * 2 + v).tanh().sum()

    x = aten.ones(2000, 4)
    together = aten.vmap(f)
    assert seconds(lambda: together(x)) * 10 < seconds(lambda: [f(v) for v in x.unbind()])
