"""Warnings, errors and saved functions of schedulers, and SWALR; compared with PyTorch's."""

from __future__ import annotations

import pickle
import warnings

import aten
import aten.optim
import pytest

torch = pytest.importorskip("torch")
from optimizer_pairs import optimizer_of, trace  # noqa: E402

BOTH = pytest.mark.parametrize("T", [aten, torch], ids=["aten", "torch"])


@BOTH
def test_warnings_about_the_order_of_calls(T):
    optimizer = optimizer_of(T)
    optimizer.step()  # before the scheduler is there: doesn't count
    scheduler = T.optim.lr_scheduler.StepLR(optimizer, 3)
    with pytest.warns(UserWarning, match=r"Detected call of `lr_scheduler.step\(\)` before `optimizer.step"):
        scheduler.step()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scheduler.step()
        optimizer = optimizer_of(T)
        scheduler = T.optim.lr_scheduler.StepLR(optimizer, 3)
        optimizer.step()
        scheduler.step()
    optimizer = optimizer_of(T)
    scheduler = T.optim.lr_scheduler.StepLR(optimizer, 3)
    optimizer.step = lambda: None
    with pytest.warns(UserWarning, match=r"`optimizer.step\(\)` has been overridden after"):
        scheduler.step()
    with pytest.warns(UserWarning, match="please use `get_last_lr"):
        scheduler.get_lr()


@BOTH
def test_errors(T):
    S, optimizer, other = T.optim.lr_scheduler, optimizer_of(T), optimizer_of(T)
    step = S.StepLR(optimizer, 3)
    for make, error, match in [
        (lambda: S.StepLR(3, 3), TypeError, "int is not an Optimizer"),
        (lambda: S.ReduceLROnPlateau(3), TypeError, "int is not an Optimizer"),
        (lambda: S.LambdaLR(optimizer, [abs]), ValueError, "Expected 2 lr_lambdas, but got 1"),
        (lambda: S.MultiplicativeLR(optimizer, 3), TypeError, "lr_lambda should be a function, but got int"),
        (lambda: S.ConstantLR(optimizer, 1.5), ValueError, "expected to be between 0 and 1"),
        (lambda: S.LinearLR(optimizer, 0), ValueError, "greater than 0 and less or equal to 1"),
        (lambda: S.LinearLR(optimizer, 1, 2), ValueError, "Ending multiplicative factor"),
        (lambda: S.SequentialLR(optimizer, [], []), ValueError, "expects at least one scheduler"),
        (lambda: S.SequentialLR(optimizer, [step], [1]), ValueError, "one more than the number of milestone"),
        (lambda: S.SequentialLR(other, [step], []), ValueError, "belong to the same optimizer"),
        (lambda: S.SequentialLR(optimizer, [3], []), TypeError, "should have `optimizer` as its attribute"),
        (lambda: S.ChainedScheduler([S.ReduceLROnPlateau(other)]), ValueError, "does not support `ReduceLR"),
        (lambda: S.ChainedScheduler([step, S.StepLR(other, 1)]), ValueError, "at index 1"),
        (lambda: S.ReduceLROnPlateau(optimizer, factor=1.0), ValueError, "Factor should be < 1.0"),
        (lambda: S.ReduceLROnPlateau(optimizer, mode="up"), ValueError, "mode up is unknown"),
        (lambda: S.ReduceLROnPlateau(optimizer, min_lr=[1]), ValueError, "expected 2 min_lrs, got 1"),
        (lambda: S.CyclicLR(optimizer, 0.1, [0.2]), ValueError, "max_lr must have the same length"),
        (
            lambda: S.CyclicLR(optimizer, 0.1, 0.2, mode="x"),
            ValueError,
            "mode is invalid and scale_fn is None",
        ),
        (lambda: S.CosineAnnealingWarmRestarts(optimizer, 0), ValueError, "Expected positive integer T_0"),
        (
            lambda: S.CosineAnnealingWarmRestarts(optimizer, 2, 0.5),
            ValueError,
            "Expected integer T_mult >= 1",
        ),
        (lambda: S.OneCycleLR(optimizer, 0.1), ValueError, "You must define either total_steps OR"),
        (lambda: S.OneCycleLR(optimizer, 0.1, -1), ValueError, "Expected positive integer total_steps"),
        (lambda: S.OneCycleLR(optimizer, 0.1, 9, pct_start=2.0), ValueError, "between 0 and 1 pct_start"),
        (
            lambda: S.OneCycleLR(optimizer, 0.1, 9, anneal_strategy="x"),
            ValueError,
            "one of 'cos' or 'linear'",
        ),
    ]:
        with pytest.raises(error, match=match):
            make()
    plain = T.optim.Adadelta([T.ones(1, requires_grad=True)])
    with pytest.raises(ValueError, match="optimizer must support momentum or beta1"):
        S.CyclicLR(plain, 0.1, 0.2)
    scheduler = S.OneCycleLR(optimizer, 0.1, 2)
    optimizer.step()
    scheduler.step()
    scheduler.step()
    with pytest.raises(ValueError, match="Tried to step 3 times"):
        scheduler.step()


class Halving:
    def __init__(self):
        self.calls = 0

    def __call__(self, epoch):
        self.calls += 1
        return 0.5**epoch


@BOTH
def test_attributes_of_callables_are_saved(T):
    S = T.optim.lr_scheduler
    for make, place in [
        (lambda o: S.LambdaLR(o, [Halving(), lambda e: 1]), "lr_lambdas"),
        (lambda o: S.CyclicLR(o, 0.1, 0.2, 3, scale_fn=Halving()), "_scale_fn_custom"),
    ]:
        optimizer = optimizer_of(T)
        scheduler = make(optimizer)
        optimizer.step()
        scheduler.step()
        saved = pickle.loads(pickle.dumps(scheduler.state_dict()))
        value = saved[place][0] if place == "lr_lambdas" else saved[place]
        assert value["calls"] >= 2
        other = make(optimizer_of(T))
        other.load_state_dict(saved)
        function = other.lr_lambdas[0] if place == "lr_lambdas" else other._scale_fn_custom
        assert function.calls == value["calls"]


def test_swalr():
    for kwargs in ({}, {"anneal_strategy": "linear", "anneal_epochs": 4}, {"anneal_epochs": 0}):
        found, states = [], []
        for T in (aten, torch):
            optimizer = optimizer_of(T)
            scheduler = T.optim.swa_utils.SWALR(optimizer, [0.01, 0.02], **kwargs)
            found.append(trace(optimizer, scheduler, 14))
            states.append(scheduler.state_dict())
        assert found[0] == pytest.approx(found[1], rel=1e-12, abs=1e-15)
        assert set(states[0]) == set(states[1])
    with pytest.raises(ValueError, match="anneal_strategy must be one of"):
        aten.optim.swa_utils.SWALR(optimizer_of(aten), 0.1, anneal_strategy="x")
    with pytest.raises(ValueError, match="anneal_epochs must be equal or greater than 0"):
        aten.optim.swa_utils.SWALR(optimizer_of(aten), 0.1, anneal_epochs=-1)
