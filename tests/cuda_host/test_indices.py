"""What an index out of bounds on the device is told as: the operator, the index and the size."""

from __future__ import annotations

import host
import pytest

pytestmark = pytest.mark.skipif(not host.is_built(), reason="build/cuda_host is not built")

PROGRAM = """
import aten

x = aten.arange(3).to(aten.float32).to("cuda")


def index(*values):
    return aten.tensor(list(values)).to("cuda")


for _ in range(2):
    try:
        ({call}).cpu()
    except RuntimeError as error:
        print(error)
"""
INDEX = "index {} is out of bounds for dimension with size 3"
CASES = [
    ("x[index(1, 5, 0)]", f"index(): {INDEX.format(5)}"),
    ("x[index(-4)]", f"index(): {INDEX.format(-4)}"),
    ("aten.index_put(x, [index(7)], x[:1])", f"index_put_(): {INDEX.format(7)}"),
    ("aten.index_put(x, [index(7)], x[:1], True)", f"index_put_(): {INDEX.format(7)}"),
    ("aten.gather(x, 0, index(9))", f"gather(): {INDEX.format(9)}"),
    ("aten.index_select(x, 0, index(3))", f"index_select(): {INDEX.format(3)}"),
    ("aten.embedding(x.view([3, 1]), index(4))", f"index_select(): {INDEX.format(4)}"),
    (
        "aten.ops.aten.embedding_bag(x.view([3, 1]), index(0, 4), index(0))[0]",
        f"embedding_bag(): {INDEX.format(4)}",
    ),
    (
        "aten.ops.aten.embedding_bag(x.view([3, 1]), index(0, 1, 2), index(0, 2, 1))[0]",
        "embedding_bag(): offsets have to begin with 0, not to decrease, and to be at most the number of "
        "indices, but offsets[1] is 2",
    ),
    (
        "aten.ops.aten._embedding_bag_dense_backward"
        "(x.view([3, 1]), index(5), index(0), index(0), index(0), 3, False, 0, None)",
        f"embedding_bag_backward(): {INDEX.format(5)}",
    ),
    ("aten.scatter(x, 0, index(-1), x[:1])", f"scatter(): {INDEX.format(-1)}"),
    ("aten.scatter_add(x, 0, index(8), x[:1])", f"scatter(): {INDEX.format(8)}"),
    (
        "aten.ops.aten.nll_loss(x.view([1, 3]), index(3))",
        "nll_loss(): target 3 is out of bounds for 3 classes",
    ),
    ("aten.bernoulli(x)", "bernoulli(): a probability is not between 0 and 1"),
    ("aten.poisson(-x)", "poisson(): invalid Poisson rate, expected rate to be non-negative"),
]


@pytest.mark.parametrize(("call", "message"), CASES, ids=[call for call, _ in CASES])
def test_a_failed_assertion_is_told_with_its_operator_and_values(call, message):
    outcome = host.run(PROGRAM.format(call=call))
    assert outcome.returncode == 0, outcome.stderr
    first, later = outcome.stdout.splitlines()
    assert first.endswith(
        f"CUDA error: an assertion failed in a kernel: {message}. The process can't use the device any more."
    )
    assert later.endswith(
        "CUDA error: the process can't use the device any more, since an assertion failed in a kernel: "
        + message
    )


@pytest.mark.parametrize(
    "call",
    ["x[index(-1)]", "aten.gather(x, 0, index(2))", "aten.ops.aten.nll_loss(x.view([1, 3]), index(2))"],
)
def test_indices_within_bounds_are_told_nothing_of(call):
    outcome = host.run(PROGRAM.format(call=call))
    assert (outcome.returncode, outcome.stdout) == (0, "")
    assert host.unreviewed(outcome.reports) == []
