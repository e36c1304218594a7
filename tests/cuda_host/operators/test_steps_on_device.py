"""Fused steps on CUDA refuse what is elsewhere, and wait neither for the rate nor for the scale."""

from __future__ import annotations

import host
import pytest

pytestmark = pytest.mark.skipif(not host.is_built(), reason="build/cuda_host is not built")

PRELUDE = """
import aten

ops = aten.ops.aten
options = {"lr": 0.1, "beta1": 0.9, "beta2": 0.99, "weight_decay": 0.0, "eps": 1e-8}
options |= {"amsgrad": False, "maximize": False}


def ones(*shape, device="cuda", **options):
    return aten.ones(shape, device=device, **options)


"""
REFUSED = """
def refused(message, *lists, call=ops._fused_adam_, **changed):
    try:
        call(*lists, **{**options, **changed})
    except RuntimeError as error:
        assert message in str(error), error
    else:
        raise AssertionError(message)


p, count = [ones(3)], [ones(1)]
lists = (p, p, p, p, [])
elsewhere, on_cpu = ones(1, device="cuda:1"), ones(1, device="cpu")
refused("lr must be on the same GPU device", *lists, count, lr=elsewhere)
refused("grad_scale must be on the same GPU device", *lists, count, grad_scale=elsewhere, lr=ones(1))
refused("found_inf must be on the same GPU device", *lists, count, found_inf=elsewhere, lr=ones(1))
refused("state_steps must be on the same GPU device", *lists, [on_cpu], lr=ones(1))
refused("as many state_steps as tensors", *lists, [])
refused("must have one element", *lists, [ones(2)])
refused("must be Float or Double", *lists, count, lr=ones(1, dtype=aten.int64))
refused("same sizes", p, [ones(4)], p, p, [], count)
refused("not implemented for dtype", *([ones(3, dtype=aten.int64)],) * 4, [], count)

options = {}
unscale, update = (
    ops._amp_foreach_non_finite_check_and_unscale_, ops._amp_update_scale_
)
refused("inv_scale must be a 1-element tensor", p, ones(1), ones(2), call=unscale)
refused("found_inf must be a tensor of dtype", p, ones(1, dtype=aten.float64), ones(1), call=unscale)
refused("growth_tracker must be a tensor of dtype", ones(1), ones(1), ones(1), 2.0, 0.5, 4, call=update)
"""
LAZY = """
def step(found):
    p, grads, means, squares, count = ([ones(5, 3) * k] for k in range(1, 6))
    count = [ones(1) + 1]
    scale, rate = ones(1) * 2, ones(1) * 0.5
    given = {**options, "lr": rate, "grad_scale": scale, "found_inf": found}
    ops._fused_adam_(p, grads, means, squares, [], count, **given)
    return [t[0] for t in (p, grads, means, squares)]


for found in (0.0, 1.0):
    results = [step(aten.full((1,), found, device=device)) for device in ("cuda", "cpu")]
    for a, b in zip(*results):
        assert aten.equal(a, b)
    assert results[0][1].cpu().tolist()[0][0] == (1.0 if found == 0 else 2.0)
"""


def passes(program: str, **settings: object) -> None:
    outcome = host.run(PRELUDE + program, **settings)
    assert outcome.returncode == 0, outcome.stderr
    assert host.unreviewed(outcome.reports) == []


def test_what_is_elsewhere_is_refused() -> None:
    passes(REFUSED, devices=2)


def test_numbers_are_read_when_the_kernel_runs() -> None:
    passes(LAZY, lazy=True)
