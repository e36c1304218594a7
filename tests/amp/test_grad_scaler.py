"""GradScaler: scales, skipped steps and parameters are PyTorch's, with gradients that overflow in between."""

from __future__ import annotations

import pickle
from typing import Any

import aten
import numpy as np
import pytest

# What each step's gradients are multiplied by: some of them are not finite.
FACTORS = [1, 1, float("inf"), 1, 1, 1, float("nan"), float("-inf"), 1, 1, 1, 1, 1, 1]
OPTIMIZERS: dict[str, dict[str, Any]] = {
    "SGD": {"lr": 0.1, "momentum": 0.5},
    "Adam": {"lr": 0.1},
    "AdamW": {"lr": 0.1, "amsgrad": True},
    "Adagrad": {"lr": 0.1},
}


def run(T: Any, name: str, steps: list[float], *, unscales: bool = False, **options: Any) -> dict[str, Any]:
    params = [
        T.tensor([1.0, -2.0, 3.0], requires_grad=True),
        T.tensor([[0.5]], dtype=T.bfloat16, requires_grad=True),
    ]
    optimizer = getattr(T.optim, name)(params, **OPTIMIZERS[name], **options)
    scaler = T.amp.GradScaler("cpu", init_scale=8.0, growth_interval=3, growth_factor=4.0)
    scales, values, trackers = [], [], []
    for factor in steps:
        optimizer.zero_grad()
        loss = sum((p.float() ** 2).sum() for p in params)
        scaler.scale(loss).backward()
        params[0].grad[1] *= factor
        if unscales:
            scaler.unscale_(optimizer)
            if factor == 1:
                T.nn.utils.clip_grad_norm_(params, 1.0)
        scaler.step(optimizer)
        scaler.update()
        scales.append(scaler.get_scale())
        trackers.append(scaler.state_dict()["_growth_tracker"])
        values.append([p.detach().float().tolist() for p in params])
    counts = [float(s["step"]) for s in optimizer.state.values() if "step" in s]
    return {"scales": scales, "trackers": trackers, "values": values, "counts": counts}


@pytest.mark.parametrize("unscales", [False, True])
@pytest.mark.parametrize("fused", [None, False, True])
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_scales_and_steps_are_pytorchs(name: str, fused: bool | None, unscales: bool) -> None:
    torch = pytest.importorskip("torch")
    ours, theirs = (run(T, name, FACTORS, unscales=unscales, fused=fused) for T in (aten, torch))
    assert ours["scales"] == theirs["scales"] and ours["trackers"] == theirs["trackers"]
    assert ours["counts"] == theirs["counts"]
    for a, b in zip(ours["values"], theirs["values"], strict=True):
        for one, other in zip(a, b, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-2, atol=1e-2)
    np.testing.assert_allclose(*([v[0] for v in r["values"]] for r in (ours, theirs)), rtol=2e-3, atol=2e-3)


@pytest.mark.parametrize("fused", [False, True])
def test_scales_grow_and_fall_and_steps_are_skipped(fused: bool) -> None:
    found = run(aten, "SGD", FACTORS, fused=fused)
    scale, tracker, expected = 8.0, 0, []
    for factor in FACTORS:
        tracker = tracker + 1 if factor == 1 else 0
        scale = scale if factor == 1 else scale / 2
        if tracker == 3:
            scale, tracker = scale * 4, 0
        expected.append(scale)
    assert found["scales"] == expected
    before = [[1.0, -2.0, 3.0], [[0.5]]]
    for factor, values in zip(FACTORS, found["values"], strict=True):
        assert (values == before) == (factor != 1)
        before = values


def test_fused_steps_read_nothing_of_the_scale_afterwards() -> None:
    p = aten.tensor([1.0], requires_grad=True)
    optimizer = aten.optim.Adam([p], fused=True)
    assert optimizer._step_supports_amp_scaling
    assert not aten.optim.Adam([p])._step_supports_amp_scaling
    assert not aten.optim.RMSprop([p])._step_supports_amp_scaling
    scaler = aten.amp.GradScaler("cpu")
    scaler.scale(p.sum()).backward()
    scaler.step(optimizer)
    assert not hasattr(optimizer, "grad_scale") and not hasattr(optimizer, "found_inf")


def test_tensors_and_containers_are_scaled() -> None:
    scaler = aten.amp.GradScaler("cpu", init_scale=4.0)
    one, two = aten.tensor(1.0), aten.tensor([2.0], dtype=aten.float16)
    assert scaler.scale(one) == 4
    scaled = scaler.scale([one, (two, one)])
    assert isinstance(scaled[1], tuple) and scaled[1][0].tolist() == [8.0] and scaled[0] == 4
    assert [t.item() for t in scaler.scale(t for t in (one, two))] == [4.0, 8.0]
    with pytest.raises(ValueError, match="Tensor or an iterable of Tensors"):
        scaler.scale(3)


def test_two_optimizers_share_a_scale() -> None:
    a, b = (aten.tensor([1.0], requires_grad=True) for _ in range(2))
    optimizers = [aten.optim.SGD([p], lr=1.0) for p in (a, b)]
    scaler = aten.amp.GradScaler("cpu", init_scale=2.0)
    scaler.scale((a + b).sum()).backward()
    b.grad.fill_(float("inf"))
    for optimizer in optimizers:
        scaler.step(optimizer)
    scaler.update()
    assert a.item() == 0 and b.item() == 1 and scaler.get_scale() == 1


def test_the_state_is_kept() -> None:
    scaler = aten.amp.GradScaler("cpu", init_scale=4.0, growth_interval=7)
    state = scaler.state_dict()
    assert state == {
        **{"scale": 4.0, "growth_factor": 2.0, "backoff_factor": 0.5, "growth_interval": 7},
        "_growth_tracker": 0,
    }
    scaler.scale(aten.ones(1))
    scaler.load_state_dict({**state, "scale": 16.0, "growth_factor": 3.0, "_growth_tracker": 5})
    assert scaler.get_scale() == 16 and scaler.get_growth_factor() == 3
    for other in (pickle.loads(pickle.dumps(scaler)), aten.amp.GradScaler("cpu")):
        other.load_state_dict(scaler.state_dict())
        assert other.state_dict() == scaler.state_dict()
        assert other.scale(aten.ones(1)).item() == 16
    scaler.set_growth_interval(9)
    scaler.set_backoff_factor(0.25)
    scaler.set_growth_factor(8.0)
    assert (scaler.get_growth_interval(), scaler.get_backoff_factor()) == (9, 0.25)
    scaler.update(2.5)
    assert scaler.get_scale() == 2.5
    scaler.update(aten.tensor([3.0]))
    assert scaler.get_scale() == 3
    with pytest.raises(RuntimeError, match="empty"):
        scaler.load_state_dict({})


def test_what_is_not_enabled_changes_nothing() -> None:
    p = aten.tensor([1.0], requires_grad=True)
    optimizer = aten.optim.SGD([p], lr=1.0)
    scaler = aten.amp.GradScaler("cpu", enabled=False)
    assert scaler.scale(p) is p and scaler.get_scale() == 1.0 and scaler.state_dict() == {}
    p.sum().backward()
    scaler.unscale_(optimizer)
    scaler.step(optimizer)
    scaler.update()
    scaler.load_state_dict({})
    assert p.item() == 0 and not scaler.is_enabled()


def test_errors() -> None:
    p = aten.tensor([1.0], requires_grad=True)
    optimizer = aten.optim.SGD([p], lr=1.0)
    scaler = aten.amp.GradScaler("cpu")
    for call in (lambda: scaler.step(optimizer), lambda: scaler.unscale_(optimizer), scaler.update):
        with pytest.raises(AssertionError, match="_scale is None"):
            call()
    scaler.scale(p.sum()).backward()
    with pytest.raises(AssertionError, match="No inf checks were recorded prior to update"):
        scaler.update()
    with pytest.raises(RuntimeError, match="Closure"):
        scaler.step(optimizer, closure=lambda: 0)
    scaler.unscale_(optimizer)
    with pytest.raises(RuntimeError, match="already been called on this optimizer"):
        scaler.unscale_(optimizer)
    with pytest.raises(AssertionError, match="pickled"):
        pickle.dumps(scaler)
    scaler.step(optimizer)
    with pytest.raises(RuntimeError, match="already been called since"):
        scaler.step(optimizer)
    with pytest.raises(RuntimeError, match=r"after step\(\)"):
        scaler.unscale_(optimizer)
    with pytest.raises(AssertionError, match="new_scale"):
        scaler.update(aten.ones(2))
    half = aten.ones(1, dtype=aten.float16, requires_grad=True)
    scaler.update()
    scaler.scale(half.sum()).backward()
    with pytest.raises(ValueError, match="FP16 gradients"):
        scaler.step(aten.optim.SGD([half]))
    for options in ({"growth_factor": 1.0}, {"backoff_factor": 1.0}):
        with pytest.raises(AssertionError, match="factor must be"):
            aten.amp.GradScaler("cpu", **options)


def test_an_optimizer_without_gradients_has_nothing_to_check() -> None:
    p = aten.tensor([1.0], requires_grad=True)
    scaler = aten.amp.GradScaler("cpu")
    scaler.scale(aten.ones(1))
    with pytest.raises(AssertionError, match="No inf checks were recorded for this optimizer"):
        scaler.step(aten.optim.SGD([p]))
