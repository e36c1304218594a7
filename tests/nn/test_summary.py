"""nn.summary: the table of a module's layers, and what stays as it is."""

from __future__ import annotations

import aten
import pytest
from aten import nn

TABLE = """\
layer              results  parameters  memory
Sequential         (3, 1)           33    12 B
  0: Linear        (3, 8)           24    96 B
  1: ReLU          (3, 8)            0    96 B
  2: Sequential    (3, 1)            9    12 B
    head: Linear   (3, 1)            9    12 B
    keep: Dropout  (3, 1)            0    12 B
33 parameters, 24 of them trained; with buffers 132 B"""


def network() -> nn.Module:
    last = nn.Sequential()
    last.add_module("head", nn.Linear(8, 1).requires_grad_(False))
    last.add_module("keep", nn.Dropout())
    return nn.Sequential(nn.Linear(2, 8), nn.ReLU(), last)


def test_the_table() -> None:
    assert (
        str(nn.summary(network(), aten.ones(3, 2))) == TABLE == repr(nn.summary(network(), aten.ones(3, 2)))
    )


def test_without_a_call() -> None:
    layers = nn.summary(network()).layers
    assert [layer.parameters for layer in layers] == [33, 24, 0, 9, 9, 0]
    assert all(layer.calls == layer.memory == 0 and not layer.results for layer in layers)


class Drawing(nn.Sequential):
    """It draws random numbers in evaluation, too."""

    def forward(self, x: aten.Tensor) -> aten.Tensor:
        return super().forward(x) + aten.rand(1)


def test_the_module_stays_as_it_is() -> None:
    model = nn.Sequential(nn.BatchNorm1d(4), nn.Dropout(), nn.RReLU())
    model[1].eval()
    state = {name: t.clone() for name, t in model.state_dict().items()}
    x = aten.rand(5, 4).add_(3)
    before = aten.get_rng_state()
    nn.summary(Drawing(model), x)
    assert aten.get_rng_state().equal(before)
    assert all(t.equal(state[name]) for name, t in model.state_dict().items())
    assert [part.training for part in model.modules()] == [True, True, False, True]
    assert not any(part._forward_hooks for part in model.modules())


def test_modules_that_fail_get_their_mode_back() -> None:
    model = nn.Linear(2, 2)
    with pytest.raises(RuntimeError):
        nn.summary(model, aten.ones(3, 5))
    assert model.training and not model._forward_hooks


def test_several_results_and_calls() -> None:
    class Twice(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.lstm, self.shared = nn.LSTM(3, 4), nn.Linear(4, 4)

        def forward(self, x: aten.Tensor, *, scale: float) -> dict[str, aten.Tensor]:
            y, (h, _) = self.lstm(x * scale)
            return {"y": self.shared(self.shared(y)), "h": h}

    found = nn.summary(Twice(), aten.ones(5, 2, 3), scale=2.0)
    whole, lstm, shared = found.layers
    assert whole.results == [(5, 2, 4), (1, 2, 4)] and whole.memory == 4 * (40 + 8)
    assert lstm.results == [(5, 2, 4), (1, 2, 4), (1, 2, 4)]
    assert (shared.calls, shared.parameters) == (2, 20)
    assert "2 calls: (5, 2, 4)" in str(found)


def test_parameters_of_several_layers_count_once() -> None:
    model = nn.Sequential(nn.Linear(3, 3, bias=False), nn.Linear(3, 3, bias=False))
    model[1].weight = model[0].weight
    found = nn.summary(model, aten.ones(1, 3))
    assert found.parameters == 9 and [layer.parameters for layer in found.layers] == [9, 9, 9]
    assert found.memory == 36


def test_lazy_modules() -> None:
    model = nn.Sequential(nn.LazyLinear(4), nn.LazyBatchNorm1d())
    assert nn.summary(model).parameters == 0
    assert nn.summary(model, aten.ones(2, 3)).parameters == 16 + 8


def test_large_ones_in_units() -> None:
    text = str(nn.summary(nn.Linear(1000, 1000, bias=False), aten.ones(2, 1000)))
    assert "1,000,000" in text and "7.8 KiB" in text and "3.8 MiB" in text
