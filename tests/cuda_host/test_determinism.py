"""Sums over rows have the same bits in whatever order threads and blocks run, and are those of NumPy."""

from __future__ import annotations

import host
import pytest

pytestmark = pytest.mark.skipif(not host.is_built(), reason="build/cuda_host is not built")

PRELUDE = """
import hashlib

import aten
import numpy as np

random = np.random.default_rng(0)


def parameter(*sizes):
    values = random.standard_normal(sizes).astype(np.float32)
    return aten.from_numpy(values).to("cuda").requires_grad_(True)


def trained(result, *parameters):
    weights = aten.from_numpy(random.standard_normal(tuple(result.shape)).astype(np.float32))
    (result * weights.to("cuda")).sum().backward()
    for p in parameters:
        print(hashlib.sha256(p.grad.cpu().numpy().tobytes()).hexdigest())
    return weights.numpy()


"""
PROGRAMS = {
    "layer_norm": """
x, weight, bias = parameter(300, 33), parameter(33), parameter(33)
factors = trained(aten.layer_norm(x, [33], weight, bias), x, weight, bias)
np.testing.assert_allclose(bias.grad.cpu().numpy(), factors.sum(0), rtol=1e-4, atol=1e-4)
values = x.detach().cpu().numpy()
normalized = (values - values.mean(1, keepdims=True)) / np.sqrt(values.var(1, keepdims=True) + 1e-5)
np.testing.assert_allclose(weight.grad.cpu().numpy(), (factors * normalized).sum(0), rtol=1e-4, atol=1e-4)
""",
    "layer_norm, bias alone": """
x, bias = parameter(200, 33), parameter(33)
factors = trained(aten.layer_norm(x, [33], None, bias), bias)
np.testing.assert_allclose(bias.grad.cpu().numpy(), factors.sum(0), rtol=1e-4, atol=1e-4)
""",
    "rms_norm": """
x, weight = parameter(300, 33), parameter(33)
factors = trained(aten.rms_norm(x, [33], weight, 1e-5), x, weight)
values = x.detach().cpu().numpy()
normalized = values / np.sqrt((values**2).mean(1, keepdims=True) + 1e-5)
np.testing.assert_allclose(weight.grad.cpu().numpy(), (factors * normalized).sum(0), rtol=1e-4, atol=1e-4)
""",
    "embedding": """
weight, index = parameter(7, 5), random.integers(0, 7, (40, 3))
factors = trained(aten.embedding(weight, aten.from_numpy(index).to("cuda")), weight)
expected = np.zeros((7, 5))
np.add.at(expected, index, factors)
np.testing.assert_allclose(weight.grad.cpu().numpy(), expected, rtol=1e-5, atol=1e-5)
""",
    "embedding_bag": """
weight = parameter(7, 5)
index, offsets = random.integers(0, 7, 120), np.arange(0, 120, 30)
on_device = [aten.from_numpy(i).to("cuda") for i in (index, offsets)]
result = aten.ops.aten.embedding_bag(weight, *on_device, False, 1, False, None, False, 3)[0]
factors = trained(result, weight)
expected = np.zeros((7, 5))
for bag in range(4):
    inside = index[30 * bag : 30 * bag + 30]
    inside = inside[inside != 3]
    np.add.at(expected, inside, factors[bag] / len(inside))
np.testing.assert_allclose(weight.grad.cpu().numpy(), expected, rtol=1e-5, atol=1e-5)
""",
    "index": """
x, first, last = parameter(4, 6, 5), random.integers(-4, 4, (30, 1)), random.integers(0, 5, (1, 20))
rows, columns = (aten.from_numpy(i).to("cuda") for i in (first, last))
factors = trained(x[rows, :, columns], x)
expected = np.zeros((4, 6, 5))
np.add.at(expected, (first, slice(None), last), factors)
np.testing.assert_allclose(x.grad.cpu().numpy(), expected, rtol=1e-5, atol=1e-5)
""",
    "index_put": """
for dtype in (np.float16, np.float32, np.complex64):
    values = random.standard_normal(300).astype(dtype)
    start = random.standard_normal((10, 2)).astype(dtype).T  # a transposed target
    index = random.integers(0, 10, 300)
    x = aten.from_numpy(start).to("cuda")
    at = [aten.tensor([1]).to("cuda"), aten.from_numpy(index).to("cuda")]
    got = x.index_put_(at, aten.from_numpy(values).to("cuda"), True).cpu().numpy()
    expected = start.astype(np.complex128)
    np.add.at(expected, (1, index), values)
    tolerance = 1e-2 if dtype == np.float16 else 1e-5
    np.testing.assert_allclose(got, expected, rtol=tolerance, atol=tolerance)
    print(hashlib.sha256(got.tobytes()).hexdigest())
x = aten.zeros([3]).to("cuda")
x.index_put_([aten.tensor([2]).to("cuda").expand([4])], aten.ones([4]).to("cuda"), True)
assert x.cpu().numpy().tolist() == [0, 0, 4]
counts = aten.zeros([3], dtype=aten.int64).to("cuda")
counts.index_put_([aten.tensor([2, 0, 2]).to("cuda")], aten.ones([3], dtype=aten.int64).to("cuda"), True)
assert counts.cpu().numpy().tolist() == [1, 0, 2]
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_gradients_have_the_same_bits_in_every_order(name):
    outcomes = [host.run(PRELUDE + PROGRAMS[name], order=order) for order in range(3)]
    for outcome in outcomes:
        assert outcome.returncode == 0, outcome.stderr
        assert host.unreviewed(outcome.reports) == []
    assert len({outcome.stdout for outcome in outcomes}) == 1
