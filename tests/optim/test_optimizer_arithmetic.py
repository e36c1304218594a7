"""Optimizers against the formulas of their papers, in NumPy; averages of parameters. PyTorch isn't needed."""

from __future__ import annotations

import copy
import math
import pickle

import aten
import aten.optim
import numpy as np
import pytest

STEPS = 5


def gradient(x, step):
    return np.cos(3 * x + step)


def run(optimizer, x, steps=STEPS):
    """The parameter after steps with gradients of `gradient`."""
    p = aten.from_numpy(x.copy()).requires_grad_()
    made = optimizer([p])
    for step in range(steps):
        p.grad = aten.from_numpy(gradient(p.detach().numpy(), step))
        made.step()
    return p.detach().numpy()


@pytest.fixture
def start():
    return np.linspace(-1, 1, 12).reshape(3, 4)


@pytest.mark.parametrize("nesterov", [False, True])
@pytest.mark.parametrize("foreach", [None, True, False])
def test_sgd(start, nesterov, foreach):
    x, velocity = start.copy(), 0
    for step in range(STEPS):
        g = gradient(x, step) + 0.1 * x
        velocity = 0.9 * velocity + g
        x -= 0.05 * (g + 0.9 * velocity if nesterov else velocity)
    found = run(
        lambda p: aten.optim.SGD(p, 0.05, 0.9, weight_decay=0.1, nesterov=nesterov, foreach=foreach), start
    )
    np.testing.assert_allclose(found, x, rtol=1e-12)


@pytest.mark.parametrize("foreach", [None, True, False])
@pytest.mark.parametrize("decoupled", [False, True])
def test_adam(start, decoupled, foreach):
    x, m, v = start.copy(), 0, 0
    for step in range(STEPS):
        g = gradient(x, step)
        if decoupled:
            x *= 1 - 0.01 * 0.1
        else:
            g = g + 0.1 * x
        m, v = 0.8 * m + 0.2 * g, 0.9 * v + 0.1 * g * g
        x -= 0.01 * (m / (1 - 0.8 ** (step + 1))) / (np.sqrt(v / (1 - 0.9 ** (step + 1))) + 1e-8)
    make = aten.optim.AdamW if decoupled else aten.optim.Adam
    found = run(lambda p: make(p, 0.01, (0.8, 0.9), weight_decay=0.1, foreach=foreach), start)
    np.testing.assert_allclose(found, x, rtol=1e-10)


def test_rmsprop_and_adagrad(start):
    x, v = start.copy(), 0
    y, total = start.copy(), 0
    for step in range(STEPS):
        g, h = gradient(x, step), gradient(y, step)
        v, total = 0.9 * v + 0.1 * g * g, total + h * h
        x -= 0.01 * g / (np.sqrt(v) + 1e-8)
        y -= 0.1 * h / (np.sqrt(total) + 1e-10)
    np.testing.assert_allclose(run(lambda p: aten.optim.RMSprop(p, 0.01, 0.9), start), x, rtol=1e-10)
    np.testing.assert_allclose(run(lambda p: aten.optim.Adagrad(p, 0.1), start), y, rtol=1e-10)


def test_maximize_is_the_negative_gradient(start):
    for make in (aten.optim.Adam, aten.optim.SGD, aten.optim.Rprop, aten.optim.NAdam):
        up = run(lambda p, make=make: make(p, 0.01, maximize=True), start, 1) - start
        down = run(lambda p, make=make: make(p, 0.01), start, 1) - start
        np.testing.assert_allclose(up, -down, rtol=1e-9)


@pytest.mark.parametrize("search", [None, "strong_wolfe"])
def test_lbfgs_finds_the_solution_of_a_linear_system(search):
    a = aten.tensor([[4.0, 1, 0], [1, 3, 1], [0, 1, 2]], dtype=aten.float64)
    b = aten.tensor([1.0, 2, 3], dtype=aten.float64)
    x = aten.zeros(3, dtype=aten.float64, requires_grad=True)
    optimizer = aten.optim.LBFGS([x], lr=1 if search else 0.5, max_iter=100, line_search_fn=search)

    def closure():
        optimizer.zero_grad()
        loss = x @ (a @ x) / 2 - b @ x
        loss.backward()
        return loss

    optimizer.step(closure)
    np.testing.assert_allclose((a @ x).tolist(), b.tolist(), atol=1e-4)


def test_muon_updates_are_nearly_orthogonal():
    p = aten.zeros(3, 5, requires_grad=True)
    p.grad = aten.sin(aten.arange(15.0)).reshape(3, 5) + aten.eye(3, 5)
    aten.optim.Muon([p], lr=1.0, weight_decay=0).step()
    singular = np.linalg.svd(np.array(p.tolist()), compute_uv=False)
    assert (singular > 0.6).all() and (singular < 1.3).all()


def test_closed_forms_of_schedules():
    S = aten.optim.lr_scheduler

    def rates(make):
        optimizer = aten.optim.SGD([aten.ones(1, requires_grad=True)], lr=2.0)
        scheduler, found = make(optimizer), []
        for _ in range(9):
            found.append(optimizer.param_groups[0]["lr"])
            optimizer.step()
            scheduler.step()
        return found

    for make, closed in [
        (lambda o: S.StepLR(o, 2, 0.5), lambda e: 2 * 0.5 ** (e // 2)),
        (lambda o: S.ExponentialLR(o, 0.9), lambda e: 2 * 0.9**e),
        (lambda o: S.LinearLR(o, 0.5, 1.0, 4), lambda e: 2 * (0.5 + 0.5 * min(e, 4) / 4)),
        (lambda o: S.PolynomialLR(o, 6, 2.0), lambda e: 2 * (1 - min(e, 6) / 6) ** 2),
        (lambda o: S.CosineAnnealingLR(o, 4, 0.1), lambda e: 0.1 + 1.9 * (1 + math.cos(math.pi * e / 4)) / 2),
        (lambda o: S.LambdaLR(o, lambda e: 1 / (1 + e)), lambda e: 2 / (1 + e)),
    ]:
        assert rates(make) == pytest.approx(list(map(closed, range(9))), abs=1e-12)


def test_copies_are_independent(start):
    p = aten.from_numpy(start.copy()).requires_grad_()
    p.grad = aten.ones_like(p)
    optimizer = aten.optim.Adam([p], lr=0.1)
    optimizer.step()
    for other in (copy.deepcopy(optimizer), pickle.loads(pickle.dumps(optimizer))):
        (q,) = other.param_groups[0]["params"]
        q.grad = aten.ones_like(q)
        other.step()
        assert float(other.state[q]["step"]) == 2 and float(optimizer.state[p]["step"]) == 1
        assert not aten.equal(p, q)


@pytest.mark.parametrize("dtype", [aten.float64, aten.complex128, aten.int64])
def test_averages(dtype):
    S = aten.optim.swa_utils
    rows = [aten.tensor([4 * i, 8 * i]).to(dtype) for i in range(1, 5)]
    mean, moving = [rows[0].clone()], [rows[0].clone()]
    single_mean, single_moving = rows[0], rows[0]
    for i, row in enumerate(rows[1:], 1):
        S.get_swa_multi_avg_fn()(mean, [row], aten.tensor(i))
        S.get_ema_multi_avg_fn(0.5)(moving, [row], i)
        single_mean = S.get_swa_avg_fn()(single_mean, row, i).to(dtype)
        single_moving = S.get_ema_avg_fn(0.5)(single_moving, row, i).to(dtype)
    assert aten.allclose(mean[0].to(aten.complex128), aten.tensor([10, 20]).to(aten.complex128))
    assert aten.equal(mean[0], single_mean) and aten.equal(moving[0], single_moving)
    with pytest.raises(ValueError, match=r"Invalid decay value 1\.5"):
        S.get_ema_avg_fn(1.5)


def test_averaged_model():
    if not hasattr(aten.nn, "Module"):
        pytest.skip("aten.nn has no Module")
    S = aten.optim.swa_utils
    model = aten.nn.Sequential(aten.nn.Linear(2, 3), aten.nn.BatchNorm1d(3))
    for make, weights in [
        (lambda: S.AveragedModel(model), [1 / 3] * 3),
        (lambda: S.AveragedModel(model, avg_fn=S.get_ema_avg_fn(0.5)), [0.25, 0.25, 0.5]),
        (lambda: S.AveragedModel(model, multi_avg_fn=S.get_ema_multi_avg_fn(0.5)), [0.25, 0.25, 0.5]),
    ]:
        averaged, expected = make(), 0
        for i, weight in enumerate(weights):
            with aten.no_grad():
                model[0].weight.fill_(float(i))
            averaged.update_parameters(model)
            expected += weight * i
        assert int(averaged.n_averaged) == 3
        assert aten.allclose(averaged.module[0].weight, aten.full((3, 2), expected))
    batches = [(aten.randn(4, 2),) for _ in range(3)]
    S.update_bn(batches, averaged)
    norm = averaged.module[1]
    outputs = [averaged.module[0](batch) for (batch,) in batches]
    assert aten.allclose(norm.running_mean, sum(o.mean(0) for o in outputs) / 3, atol=1e-5)
    assert norm.momentum == 0.1
