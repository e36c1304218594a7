"""Bits that depend on the order of threads are found, and docs/cuda.md has the list of operators that may."""

from __future__ import annotations

import host
import pytest
import three_orders
from device_programs import check, needs_device

SUMS = """
import sys
sys.path.insert(0, {here!r})
import numpy as np
import three_orders
on_device = lambda values: aten.from_numpy(np.asarray(values)).to("cuda")
source = on_device(np.random.default_rng(1).standard_normal(500).astype(np.float32))
index = on_device(np.zeros(500, np.int64))
calls = {{
    "scatter_add": lambda: aten.zeros([1]).to("cuda").scatter_add(0, index, source).cpu().numpy().tobytes(),
    "sum": lambda: source.sum().cpu().numpy().tobytes(),
    "random": lambda: aten.rand([9], device="cuda").cpu().numpy().tobytes(),
}}
three_orders.REPEATS = True
for name, call in calls.items():
    print(name, len(set(three_orders.results_in_each_order(call))) > 1)
"""


@needs_device
def test_orders_are_switched_within_a_process() -> None:
    """Sums by atomics differ, other sums don't; each order begins with the same random numbers."""
    printed = check(SUMS.format(here=str(host.HERE)))
    assert printed.splitlines() == ["scatter_add True", "sum False", "random False"]


def test_other_bits_are_a_failure() -> None:
    three_orders.same_bits([[1, 2.0], [1, 2.0], [1, 2.0]], "sum(...)")
    with pytest.raises(AssertionError, match=r"sum\(\.\.\.\): other bits in random order of threads"):
        three_orders.same_bits([[1, 2.0], [1, 2.0], [1, 2.5]], "sum(...)")


@pytest.mark.parametrize(
    ("call", "may"),
    [
        ("scatter_add(...)", True),
        ("scatter_(...)", True),
        ("index_add_(...): gradient", True),
        ("replication_pad2d(...): gradient", True),
        ("replication_pad2d(...)", False),
        ("replication_pad2d_backward(...)", True),
        ("embedding/embedding_bag.cu mode 2", True),
        ("embedding/embedding_bag.cu mode 1", False),
        ("index_put(...)", False),
        ("cumsum(...): gradient", False),
    ],
)
def test_the_list_has_the_calls_that_are_meant(call: str, may: bool) -> None:
    assert three_orders.may_differ(call) is may


def test_the_documentation_has_the_same_list() -> None:
    text = (host.ROOT / "docs" / "cuda.md").read_text()
    lines = [f"- {entry.operators}: {entry.reason}" for entry in three_orders.order_dependent()]
    expected = "\n".join(lines)
    assert lines
    listed = text.partition("depend on the order of threads")[2].partition("\n\n")[2].partition("\n\n")[0]
    assert listed == expected, f"docs/cuda.md should have\n{expected}"
