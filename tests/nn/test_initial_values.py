"""Initial values: their distributions and shapes by mathematics, and refusals."""

from __future__ import annotations

import math

import aten
import pytest
from aten.nn import init

NONLINEARITIES = {"linear": 1.0, "sigmoid": 1.0, "tanh": 5 / 3, "relu": math.sqrt(2), "selu": 0.75}


def filled(function, *args, shape=(300, 200), **options):
    aten.manual_seed(5)
    tensor = aten.empty(shape, dtype=aten.float64)
    assert function(tensor, *args, **options) is tensor
    return tensor


@pytest.mark.parametrize(
    ("function", "args", "mean", "std"),
    [
        (init.uniform_, (-1.0, 3.0), 1.0, 4 / math.sqrt(12)),
        (init.normal_, (2.0, 0.5), 2.0, 0.5),
        (init.xavier_uniform_, (2.0,), 0.0, 2 * math.sqrt(2 / 500)),
        (init.xavier_normal_, (2.0,), 0.0, 2 * math.sqrt(2 / 500)),
        (init.kaiming_uniform_, (math.sqrt(5),), 0.0, math.sqrt(2 / 6 / 200)),
        (init.kaiming_normal_, (0.0, "fan_out", "relu"), 0.0, math.sqrt(2 / 300)),
        (init.constant_, (3.0,), 3.0, 0.0),
        (init.ones_, (), 1.0, 0.0),
        (init.zeros_, (), 0.0, 0.0),
    ],
)
def test_mean_and_standard_deviation(function, args, mean, std):
    tensor = filled(function, *args)
    assert tensor.mean().item() == pytest.approx(mean, abs=0.03 * std + 1e-12)
    assert tensor.std().item() == pytest.approx(std, rel=0.03, abs=1e-12)


@pytest.mark.parametrize(("a", "b"), [(-0.5, 2.0), (2.0, 2.5)], ids=["likely", "unlikely"])
def test_truncated_normal(a, b):
    tensor = filled(init.trunc_normal_, 0.0, 1.0, a, b)

    def density(x):
        return math.exp(-x * x / 2) / math.sqrt(2 * math.pi)

    mass = (math.erf(b / math.sqrt(2)) - math.erf(a / math.sqrt(2))) / 2
    mean = (density(a) - density(b)) / mass
    assert tensor.min().item() >= a
    assert tensor.max().item() <= b
    assert tensor.mean().item() == pytest.approx(mean, abs=0.01)


def test_special_matrices():
    assert filled(init.eye_, shape=(2, 3)).tolist() == [[1, 0, 0], [0, 1, 0]]
    sparse = filled(init.sparse_, 0.25, shape=(10, 4))
    assert (sparse == 0).sum(0).tolist() == [3] * 4
    kernel = filled(init.dirac_, 2, shape=(4, 2, 3))
    x = aten.arange(20, dtype=aten.float64).reshape(1, 4, 5)
    assert aten.nn.functional.conv1d(x, kernel, padding=1, groups=2).tolist() == x.tolist()


def test_gains_and_refusals():
    for name, gain in NONLINEARITIES.items():
        assert init.calculate_gain(name) == pytest.approx(gain)
    assert init.calculate_gain("leaky_relu", 0.2) == pytest.approx(math.sqrt(2 / 1.04))
    flat = aten.empty(3)
    for call in (
        lambda: init.calculate_gain("nothing"),
        lambda: init.xavier_normal_(flat),
        lambda: init.kaiming_normal_(aten.empty(2, 2), mode="both"),
        lambda: init.orthogonal_(flat),
        lambda: init.eye_(flat),
        lambda: init.dirac_(flat),
    ):
        with pytest.raises(ValueError):
            call()
    with pytest.warns(FutureWarning, match="uniform_"):
        init.uniform(flat)
