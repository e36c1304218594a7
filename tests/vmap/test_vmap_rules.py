"""Which operators compute all examples at once."""

from __future__ import annotations

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


def test_calls_are_not_those_of_a_loop():
    """Their number does not grow with that of the examples."""

    def f(v):
        return (v.sin() * 2 + v).tanh().sum()

    counts = []
    for examples in (2, 2000):
        with Counted() as counted:
            aten.vmap(f)(aten.ones(examples, 4))
        counts.append(counted.names)
    assert counts[0] == counts[1]
