"""Version counters and views are as in PyTorch, even if a kernel calls other operators."""

from __future__ import annotations

from types import ModuleType

import pytest

FACTORIES = [
    "T.rand((3,))",
    "T.randn((3,))",
    "T.full((3,), 2.0)",
    "T.ones((3,))",
    "T.arange(5)",
    "T.randint(0, 4, (3,))",
    "T.normal(0.0, 1.0, (3,))",
    "T.scalar_tensor(2.0)",
    "T.tensor([1.0, 2.0])",
    "T.full_like(T.zeros(3), 2)",
    "T.rand_like(T.zeros(3))",
]
RESULTS = [
    "T.addmm(m, m, m)",
    "T.nn.functional.linear(m, m, v)",
    "T.pow(v, 0)",
    "T.pow(v, 1)",
    "T.clamp(v, 0.0)",
    "T.cat((v, v))",
    "T.stack((v, v))",
    "T.sum(m, 0)",
    "T.softmax(v, 0)",
    "T.sort(v)[0]",
    "T.scatter(v, 0, T.arange(2), v)",
    "T.index_select(v, 0, T.arange(2))",
    "T.masked_fill(v, v > 0, 1.0)",
    "T.nn.functional.layer_norm(m, (4,))",
    "T.nn.functional.dropout(v)",
    "v[T.arange(2)]",
    "v.to(T.float64)",
    "v.detach()",
]
WRITES = [
    "v.add_(1)",
    "v.mul_(v)",
    "v.pow_(0)",
    "v.copy_(m[0])",
    "v.zero_()",
    "v.fill_(m[0, 0])",
    "v.clamp_(0)",
    "v.uniform_()",
    "v.bernoulli_()",
    "v.masked_fill_(v > 0, 2.0)",
    "v.scatter_(0, T.arange(2), m[0])",
    "v.index_put_((T.arange(2),), m[0, :2])",
    "m.t_()",
    "m[0].add_(1)",
    "v.detach().add_(1)",
    "v.detach_()",
    "T.add(v, v, out=T.empty(0))",
    "T.mm(m, m, out=T.empty(0))",
    "T.cat((v, v), out=T.empty(0))",
    "T.pow(v, 0, out=T.zeros(4))",
    "T.sub(v, 1).div_(2).add_(3)",
]


def seen(T: ModuleType, expression: str, tracked: bool) -> tuple[int, int, int, bool]:
    """Returns the versions of the result, of `v` and of `m`, and whether the result is a view."""
    m, v = T.zeros((4, 4)), T.zeros(4)
    if tracked:
        m = T.zeros((4, 4)).requires_grad_() * 1
        v = m.sum(0)
    result = eval(expression, {"T": T, "m": m, "v": v})
    return result._version, v._version, m._version, result._is_view()


@pytest.mark.parametrize("expression", [*FACTORIES, *RESULTS, *WRITES])
def test_writes_are_counted_as_in_pytorch(expression):
    torch, aten = pytest.importorskip("torch"), pytest.importorskip("aten")
    assert seen(aten, expression, False) == seen(torch, expression, False)


@pytest.mark.parametrize("expression", [*RESULTS, *(w for w in WRITES if "out=" not in w)])
def test_recorded_writes_are_counted_as_in_pytorch(expression):
    torch, aten = pytest.importorskip("torch"), pytest.importorskip("aten")
    assert seen(aten, expression, True) == seen(torch, expression, True)
