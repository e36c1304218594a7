"""Learning rates of schedulers, compared with PyTorch's to 1e-12."""

from __future__ import annotations

import copy

import aten
import aten.optim
import pytest

torch = pytest.importorskip("torch")
from optimizer_pairs import optimizer_of, options, trace  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore:Detected call of")  # one of the schedules starts with it
EPOCHS = 26

# name -> constructor of a scheduler, by the library's lr_scheduler and an optimizer with two groups.
SCHEDULERS = {
    "lambda": lambda S, o: S.LambdaLR(o, lambda e: 0.95**e),
    "lambdas": lambda S, o: S.LambdaLR(o, [lambda e: 1 / (1 + e), lambda e: e]),
    "multiplicative": lambda S, o: S.MultiplicativeLR(o, lambda e: 0.9 + 0.01 * e),
    "step": lambda S, o: S.StepLR(o, 3),
    "step, gamma 0": lambda S, o: S.StepLR(o, 4, gamma=0),
    "multistep": lambda S, o: S.MultiStepLR(o, [2, 5, 5, 9, 14], gamma=0.3),
    "multistep from 0": lambda S, o: S.MultiStepLR(o, [0, 4], gamma=0.5),
    "constant": lambda S, o: S.ConstantLR(o, 0.4, 6),
    "constant 1": lambda S, o: S.ConstantLR(o, total_iters=1),
    "linear": lambda S, o: S.LinearLR(o, 0.2, 0.9, 12),
    "linear to 0": lambda S, o: S.LinearLR(o, 1.0, 0.0, 5),
    "linear, no steps": lambda S, o: S.LinearLR(o, 0.5, total_iters=0),
    "exponential": lambda S, o: S.ExponentialLR(o, 0.87),
    "exponential, gamma 0": lambda S, o: S.ExponentialLR(o, 0.0),
    "polynomial": lambda S, o: S.PolynomialLR(o, 11, 2.5),
    "cosine": lambda S, o: S.CosineAnnealingLR(o, 7, 1e-3),
    "cosine, long": lambda S, o: S.CosineAnnealingLR(o, 40),
    "restarts": lambda S, o: S.CosineAnnealingWarmRestarts(o, 5),
    "restarts, longer": lambda S, o: S.CosineAnnealingWarmRestarts(o, 3, 2, 1e-3),
    "cyclic": lambda S, o: S.CyclicLR(o, 0.01, [0.1, 0.2], 4),
    "cyclic2": lambda S, o: S.CyclicLR(o, 0.01, 0.1, 3, 5, mode="triangular2", base_momentum=0.7),
    "cyclic, range": lambda S, o: S.CyclicLR(o, 0.01, 0.1, 4, mode="exp_range", gamma=0.9),
    "cyclic, function": lambda S, o: S.CyclicLR(
        o, 0.01, 0.1, 4, scale_fn=lambda x: 1 / x, cycle_momentum=False
    ),
    "cyclic, of iterations": lambda S, o: S.CyclicLR(
        o, 0.01, 0.1, 4, scale_fn=lambda x: 0.9**x, scale_mode="iterations"
    ),
    "one cycle": lambda S, o: S.OneCycleLR(o, 0.1, EPOCHS),
    "one cycle, linear": lambda S, o: S.OneCycleLR(
        o, [0.1, 0.2], epochs=3, steps_per_epoch=10, anneal_strategy="linear", pct_start=0.4
    ),
    "one cycle, three phases": lambda S, o: S.OneCycleLR(
        o, 0.1, EPOCHS, three_phase=True, div_factor=10.0, final_div_factor=50.0
    ),
    "one cycle, momentum stays": lambda S, o: S.OneCycleLR(o, 0.1, EPOCHS, cycle_momentum=False),
    "sequence": lambda S, o: S.SequentialLR(
        o, [S.LinearLR(o, 0.1, total_iters=4), S.ExponentialLR(o, 0.9), S.CosineAnnealingLR(o, 6)], [4, 12]
    ),
    "sequence of constants": lambda S, o: S.SequentialLR(o, [S.ConstantLR(o, 0.1, 3), S.StepLR(o, 3)], [2]),
    "nested": lambda S, o: S.SequentialLR(
        o,
        [
            S.SequentialLR(o, [S.LinearLR(o, 0.5, total_iters=3), S.ConstantLR(o, 0.7, 2)], [3]),
            S.CosineAnnealingWarmRestarts(o, 4),
        ],
        [8],
    ),
    "chain": lambda S, o: S.ChainedScheduler([S.ConstantLR(o, 0.1, 4), S.ExponentialLR(o, 0.9)]),
    "chain of four": lambda S, o: S.ChainedScheduler(
        [S.LinearLR(o), S.StepLR(o, 5), S.CosineAnnealingLR(o, 8), S.PolynomialLR(o, 20)], o
    ),
}


@pytest.mark.parametrize("name", SCHEDULERS)
@pytest.mark.parametrize("optimizer", ["SGD", "Adam"])
def test_rates(name, optimizer):
    ours, theirs = (
        trace(o, SCHEDULERS[name](T.optim.lr_scheduler, o), EPOCHS - 1)
        for T in (aten, torch)
        for o in [optimizer_of(T, optimizer)]
    )
    assert ours == pytest.approx(theirs, rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("name", SCHEDULERS)
def test_tensor_rates(name):
    """A Tensor as learning rate is changed in place."""
    optimizer = optimizer_of(aten, tensor_lr=True)
    rates = [group["lr"] for group in optimizer.param_groups]
    found = trace(optimizer, SCHEDULERS[name](aten.optim.lr_scheduler, optimizer), 9)
    assert all(group["lr"] is lr for group, lr in zip(optimizer.param_groups, rates, strict=True))
    numbers = optimizer_of(aten)
    expected = trace(numbers, SCHEDULERS[name](aten.optim.lr_scheduler, numbers), 9)
    assert found == pytest.approx(expected, rel=1e-6, abs=1e-12)


@pytest.mark.parametrize("name", SCHEDULERS)
def test_state_dicts_resume(name):
    """Also from PyTorch's state dict; its keys are ours."""
    for T in (aten, torch):
        first = optimizer_of(T)
        scheduler = SCHEDULERS[name](T.optim.lr_scheduler, first)
        trace(first, scheduler, 7)
        saved, groups = copy.deepcopy(scheduler.state_dict()), copy.deepcopy(options(first))
        second = optimizer_of(aten)
        other = SCHEDULERS[name](aten.optim.lr_scheduler, second)
        assert set(saved) == set(other.state_dict())
        other.load_state_dict(saved)
        for group, (lr, _) in zip(second.param_groups, groups, strict=True):
            group["lr"] = lr
        expected = trace(first, scheduler, 10)
        assert trace(second, other, 10)[4:] == pytest.approx(expected[4:], rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("name", ["step", "multistep", "constant", "linear", "exponential", "polynomial"])
@pytest.mark.parametrize("last_epoch", [0, 2, 6])
def test_resuming_by_last_epoch(name, last_epoch):
    arguments = {
        "step": ("StepLR", 3),
        "multistep": ("MultiStepLR", [3, 7]),
        "constant": ("ConstantLR", 0.5, 7),
        "linear": ("LinearLR", 0.5, 1.0, 9),
        "exponential": ("ExponentialLR", 0.9),
        "polynomial": ("PolynomialLR", 9),
    }
    found = []
    for T in (aten, torch):
        optimizer = optimizer_of(T)
        for group in optimizer.param_groups:
            group["initial_lr"] = 1.0
        kind, *rest = arguments[name]
        scheduler = getattr(T.optim.lr_scheduler, kind)(optimizer, *rest, last_epoch=last_epoch)
        found.append(trace(optimizer, scheduler, 6))
        found.append(scheduler.last_epoch)
    assert found[0] == pytest.approx(found[2], rel=1e-12) and found[1] == found[3]
    with pytest.raises(KeyError, match=r"param 'initial_lr' is not specified in param_groups\[0\]"):
        aten.optim.lr_scheduler.StepLR(optimizer_of(aten), 3, last_epoch=1)


@pytest.mark.parametrize(
    "name", ["step", "multistep", "constant", "linear", "exponential", "polynomial", "cosine"]
)
def test_epochs_use_the_closed_form(name):
    found = []
    for T in (aten, torch):
        optimizer = optimizer_of(T)
        scheduler = SCHEDULERS[name](T.optim.lr_scheduler, optimizer)
        optimizer.step()
        rates = []
        for epoch in (4, 9, 2, 0):
            with pytest.warns(UserWarning, match="The epoch parameter in `scheduler.step"):
                scheduler.step(epoch)
            rates += scheduler.get_last_lr()
        found.append(rates)
    assert found[0] == pytest.approx(found[1], rel=1e-12, abs=1e-15)


def test_restarts_at_fractions_of_epochs():
    for t_mult in (1, 2):
        found = []
        for T in (aten, torch):
            optimizer = optimizer_of(T)
            scheduler = T.optim.lr_scheduler.CosineAnnealingWarmRestarts(optimizer, 3, t_mult, 1e-3)
            rates = []
            for i in range(40):
                scheduler.step(i / 3)
                rates += [*scheduler.get_last_lr(), scheduler.last_epoch, scheduler.T_i]
            found.append(rates)
        assert found[0] == pytest.approx(found[1], rel=1e-12)


@pytest.mark.parametrize(
    "kwargs",
    [
        {},
        {"patience": 1, "factor": 0.5},
        {"mode": "max", "patience": 0, "cooldown": 2},
        {"threshold_mode": "abs", "threshold": 0.2, "patience": 1},
        {"mode": "max", "threshold_mode": "abs", "threshold": 0.1, "patience": 2},
        {"min_lr": [0.02, 0.1], "patience": 0},
        {"patience": 0, "eps": 0.01},
    ],
)
def test_plateaus(kwargs):
    metrics = [
        1.0,
        0.9,
        0.95,
        0.95,
        0.8,
        0.8,
        0.81,
        0.79,
        0.5,
        0.6,
        0.6,
        0.7,
        0.4,
        0.4,
        0.4,
        0.4,
        0.4,
        0.4,
        1.0,
        2,
    ]
    found, states = [], []
    for T in (aten, torch):
        optimizer = optimizer_of(T)
        scheduler = T.optim.lr_scheduler.ReduceLROnPlateau(optimizer, **kwargs)
        rates = []
        for metric in metrics:
            scheduler.step(T.tensor(metric))
            rates += [*scheduler.get_last_lr(), scheduler.num_bad_epochs, scheduler.in_cooldown]
        found.append(rates)
        states.append(scheduler.state_dict())
    assert found[0] == found[1] and states[0] == states[1]
    other = aten.optim.lr_scheduler.ReduceLROnPlateau(optimizer_of(aten))
    other.load_state_dict(states[1])
    assert other.state_dict() == states[0]
