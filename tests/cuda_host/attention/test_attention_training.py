"""Attention on CUDA is trained as on the CPU, in every dtype, with a mask and without."""

from __future__ import annotations

import host
import pytest

pytestmark = pytest.mark.skipif(not host.is_built(), reason="build/cuda_host is not built")

TRAIN = """
import aten
import numpy as np


def attend(query, key, value, mask):
    ops = aten.ops.aten
    if not {fused} or query.device.type == "cpu":
        return ops.scaled_dot_product_attention(query, key, value, mask, 0.0, {causal})
    if mask is None:
        return ops._scaled_dot_product_flash_attention(query, key, value, 0.0, {causal})[0]
    return ops._scaled_dot_product_efficient_attention(query, key, value, mask, True, 0.0, {causal})[0]


def train(device):
    random = np.random.default_rng(0)

    def tensor(*sizes):
        return aten.from_numpy(random.standard_normal(sizes).astype(np.float32)).to(device).to({dtype})

    query, key, value = (tensor(1, 2, 24, 8).requires_grad_(True) for _ in range(3))
    mask = tensor(24, 24) if {masked} else None
    out = attend(query, key, value, mask)
    out.sum().backward()
    results = [out.detach(), query.grad, key.grad, value.grad]
    return [t.to(aten.float32).cpu().numpy() for t in results]


for got, expected in zip(train("cuda"), train("cpu"), strict=True):
    np.testing.assert_allclose(got, expected, rtol=0, atol={tolerance})
"""


@pytest.mark.parametrize(
    ("masked", "causal"),
    [(False, False), (False, True), (True, False)],
    ids=["plain", "causal", "masked"],
)
@pytest.mark.parametrize(
    ("dtype", "tolerance"), [("aten.float32", 1e-5), ("aten.float16", 0.01), ("aten.bfloat16", 0.06)]
)
@pytest.mark.parametrize("fused", [False, True], ids=["chosen", "fused"])
def test_attention_is_trained_as_on_the_cpu(fused, dtype, tolerance, masked, causal):
    given = {"fused": fused, "dtype": dtype, "tolerance": tolerance, "masked": masked, "causal": causal}
    outcome = host.run(TRAIN.format(**given))
    assert outcome.returncode == 0, outcome.stderr
    assert host.unreviewed(outcome.reports) == []
