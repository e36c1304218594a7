"""Products that meet in one element are all taken, whatever the order of threads."""

from __future__ import annotations

import host
import pytest

pytestmark = pytest.mark.skipif(not host.is_built(), reason="build/cuda_host is not built")

PROGRAM = """
import aten
import numpy as np

random = np.random.default_rng(0)
start = np.ones((2, 3, 4), dtype)
factors = (1 + random.random((2, 300, 4)) / 100).astype(dtype)
index = random.integers(0, 3, (2, 300, 4))
expected = start.copy()
for i, j, k in np.ndindex(index.shape):
    expected[i, index[i, j, k], k] *= factors[i, j, k]


def on_device(array):
    return aten.from_numpy(np.asarray(array)).to("cuda")


got = on_device(start).scatter(1, on_device(index), on_device(factors), reduce="multiply").cpu().numpy()
np.testing.assert_allclose(got, expected, rtol=1e-5)
same = on_device(factors[:, :3]).scatter(-1, on_device(index[:, :3]), on_device(factors[:, :3]), reduce="multiply")
print(same.shape)
scalar = on_device(start[0, 0, 0].reshape(())).scatter(0, on_device(np.zeros((), int)), on_device(factors[0, 0, 0].reshape(())), reduce="multiply")
np.testing.assert_allclose(scalar.cpu().numpy(), factors[0, 0, 0], rtol=1e-5)
"""  # noqa: E501


@pytest.mark.parametrize("order", [0, 1, 2], ids=["forward", "reverse", "random"])
@pytest.mark.parametrize("dtype", ["complex128", "complex64", "float64"])
def test_products_of_elements_with_one_index(dtype, order):
    outcome = host.run(f"dtype = {dtype!r}\n{PROGRAM}", order=order)
    assert outcome.returncode == 0, outcome.stderr
    assert host.unreviewed(outcome.reports) == []
