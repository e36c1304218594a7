"""nn.utils.parametrize beside PyTorch's, and without it."""

from __future__ import annotations

import copy
import pickle

import aten
import pytest
from aten.nn.utils import parametrize
from utils_oracle import error, filled, pattern, same, trained


def classes(T):
    class Symmetric(T.nn.Module):
        def forward(self, x):
            return x.triu() + x.triu(1).mT

    class Scaled(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.factor = T.nn.Parameter(T.full((), 2.0))

        def forward(self, x):
            return x * self.factor

        def right_inverse(self, x):
            return x / self.factor

    class RankOne(T.nn.Module):
        def forward(self, x, y):
            return x.unsqueeze(-1) @ y.unsqueeze(-2)

        def right_inverse(self, z):
            return z[:, 0].clone(), z[0].clone()

    class Changed(T.nn.Module):
        def __init__(self, forward, inverse=None):
            super().__init__()
            self.function = forward
            if inverse is not None:
                self.right_inverse = inverse

        def forward(self, *x):
            return self.function(*x)

    return Symmetric, Scaled, RankOne, Changed


def linear(T, *sizes):
    return filled(T, T.nn.Linear(*sizes))


def one(T):
    P, (symmetric, *_) = T.nn.utils.parametrize, classes(T)
    layer = linear(T, 3, 3)
    weight = layer.weight
    assert P.register_parametrization(layer, "weight", symmetric()) is layer
    assert layer.parametrizations.weight.original is weight
    assert isinstance(layer, T.nn.Linear)
    results = [*trained(T, layer, pattern(T, 2, 3)), layer, type(layer).__name__, layer.weight]
    results += [
        P.is_parametrized(layer),
        P.is_parametrized(layer, "bias"),
        dict(layer.named_modules()).keys(),
    ]
    assert P.type_before_parametrizations(layer) is T.nn.Linear
    return results


def several(T):
    """Two parametrizations, and one of another tensor; assignment; removal."""
    P, (symmetric, scaled, *_) = T.nn.utils.parametrize, classes(T)
    layer = linear(T, 3, 3)
    P.register_parametrization(layer, "weight", scaled())
    results = [layer.weight, layer.parametrizations.weight.original]
    layer.weight = pattern(T, 3, 3, start=5)
    results += [layer.weight, layer.parametrizations.weight.original]
    P.register_parametrization(layer, "weight", symmetric())
    P.register_parametrization(layer, "bias", scaled())
    results += [trained(T, layer, pattern(T, 2, 3)), error(setattr, layer, "weight", layer.weight.detach())]
    P.remove_parametrizations(layer, "weight")
    results += [type(layer).__name__, list(layer.state_dict()), layer.weight]
    P.remove_parametrizations(layer, "bias", leave_parametrized=False)
    assert type(layer) is T.nn.Linear
    assert "parametrizations" not in dir(layer)
    assert P.type_before_parametrizations(layer) is T.nn.Linear
    return [*results, trained(T, layer, pattern(T, 2, 3)), layer]


def of_two_tensors(T):
    P, (_, scaled, rank_one, _) = T.nn.utils.parametrize, classes(T)
    layer = linear(T, 3, 2)
    P.register_parametrization(layer, "weight", rank_one(), unsafe=False)
    P.register_parametrization(layer, "weight", scaled())
    results = [trained(T, layer, pattern(T, 2, 3)), layer.parametrizations.weight.ntensors]
    layer.weight = T.ones(2, 3)
    results += [layer.weight, layer.state_dict()]
    results.append(error(P.remove_parametrizations, layer, "weight", leave_parametrized=False))
    P.remove_parametrizations(layer, "weight")
    return [*results, trained(T, layer, pattern(T, 2, 3))]


def of_buffers(T):
    P, (_, scaled, *_) = T.nn.utils.parametrize, classes(T)
    norm = T.nn.BatchNorm1d(3)
    P.register_parametrization(norm, "running_mean", scaled())
    results = [norm.state_dict(), dict(norm.named_parameters())]
    P.remove_parametrizations(norm, "running_mean")
    return [*results, norm.state_dict(), isinstance(norm.running_mean, T.nn.Parameter)]


def loaded(T):
    P, (_, scaled, *_) = T.nn.utils.parametrize, classes(T)
    layer, other = linear(T, 3, 3), T.nn.Linear(3, 3)
    for one, kind in ((layer, scaled), (other, scaled)):
        P.register_parametrization(one, "weight", kind())
        P.register_parametrization(one, "bias", kind())
    other.load_state_dict(layer.state_dict())
    return [other.weight, other.bias, error(other.load_state_dict, T.nn.Linear(3, 3).state_dict())]


def copied(T):
    P, (symmetric, *_) = T.nn.utils.parametrize, classes(T)
    net = T.nn.Sequential(linear(T, 3, 3), linear(T, 3, 3))
    P.register_parametrization(net[0], "weight", symmetric())
    other = copy.deepcopy(net)
    results = [type(other[0]).__name__, other[0].weight, error(pickle.dumps, net)[:30]]
    with T.no_grad():
        other[0].parametrizations.weight.original.fill_(1)
    return [*results, other[0].weight, net[0].weight]


def transferred(T):
    P, (_, scaled, rank_one, _) = T.nn.utils.parametrize, classes(T)
    layer, other, empty = linear(T, 3, 3), linear(T, 3, 3), T.nn.Module()
    P.register_parametrization(layer, "weight", rank_one())
    P.register_parametrization(layer, "bias", scaled())
    P.transfer_parametrizations_and_params(layer, other)
    P.transfer_parametrizations_and_params(layer, empty, "bias")
    assert other.parametrizations.bias.original is layer.parametrizations.bias.original
    assert P.transfer_parametrizations_and_params(T.nn.Linear(1, 1), empty) is empty
    return [list(other.state_dict()), other.weight, other.bias, empty.bias, list(empty.state_dict())]


def recurrent(T):
    P, (symmetric, *_) = T.nn.utils.parametrize, classes(T)
    cell = filled(T, T.nn.RNNCell(3, 3))
    P.register_parametrization(cell, "weight_hh", symmetric())
    with P.cached():
        first = cell.weight_hh
        assert cell.weight_hh is first
        with P.cached():
            pass
        assert cell.weight_hh is first
        h = cell(pattern(T, 2, 3), cell(pattern(T, 2, 3, start=1)))
    assert cell.weight_hh is not first
    h.sum().backward()
    return [h, cell.parametrizations.weight_hh.original.grad]


PROGRAMS = [one, several, of_two_tensors, of_buffers, loaded, copied, transferred, recurrent]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_gives_what_pytorch_gives(program):
    same(program)


# What is registered: functions for forward and right_inverse, and how many are there before.
FAULTS = {
    "dtype": (lambda T: (lambda x: x.double(), None), 0),
    "shape": (lambda T: (lambda x: x[0], None), 0),
    "no tensor": (lambda T: (lambda x: 3, None), 0),
    "inverse of another dtype": (lambda T: (lambda x: x.float(), lambda x: x.double()), 0),
    "inverse of another device": (lambda T: (lambda x: x, lambda x: x.to("meta")), 0),
    "inverse of no tensor": (lambda T: (lambda x: x, lambda x: 3), 0),
    "inverse of no tensors": (lambda T: (lambda x, y: x, lambda x: (x, 3)), 0),
    "further dtype": (lambda T: (lambda x: x.double(), None), 1),
    "further shape": (lambda T: (lambda x: x[0], None), 1),
    "further no tensor": (lambda T: (lambda x: 3, None), 1),
    "further inverse of another dtype": (lambda T: (lambda x: x, lambda x: x.double()), 1),
    "further inverse of another shape": (lambda T: (lambda x: x, lambda x: x[0]), 1),
    "further inverse of no tensor": (lambda T: (lambda x: x, lambda x: 3), 1),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_refuses_as_pytorch_does(fault):
    functions, before = FAULTS[fault]

    def program(T):
        P, (*_, scaled, _, changed) = T.nn.utils.parametrize, classes(T)
        layer = linear(T, 3, 3)
        for _ in range(before):
            P.register_parametrization(layer, "weight", scaled())
        found = error(P.register_parametrization, layer, "weight", changed(*functions(T)))
        return [found.replace("unless `unsafe`", "unless the `unsafe`"), list(layer.state_dict())]

    same(program)


def assigned(T):
    P, (*_, changed) = T.nn.utils.parametrize, classes(T)
    results = []
    for given in (lambda x: x.double(), lambda x: 3):
        layer = linear(T, 2, 2)
        kept = changed(lambda x: x, lambda x: x)
        P.register_parametrization(layer, "weight", kept)
        kept.right_inverse = given
        results.append(error(setattr, layer, "weight", T.ones(2, 2)))
    for given in (lambda x: (x,), lambda x: 3, lambda x: (x, x.double()), lambda x: (x, 3)):
        layer = linear(T, 2, 2)
        kept = changed(lambda x, y: x, lambda x: (x, x + 1))
        P.register_parametrization(layer, "weight", kept)
        kept.right_inverse = given
        results.append(
            error(setattr, layer, "weight", T.ones(2, 2)).replace(" or reference-type opaques", "")
        )
    results.append(error(P.register_parametrization, layer, "nothing", kept))
    results.append(error(P.remove_parametrizations, layer, "nothing"))
    return [*results, error(P.ParametrizationList, [], layer.weight)]


def test_refuses_assignments_as_pytorch_does():
    same(assigned)


def test_unsafe_parametrizations_may_change_the_shape():
    *_, changed = classes(aten)
    layer = aten.nn.Linear(3, 2)
    parametrize.register_parametrization(layer, "weight", changed(lambda x: x[:1]), unsafe=True)
    assert layer.weight.shape == (1, 3)
    parametrize.register_parametrization(layer, "weight", changed(lambda x: x.double()), unsafe=True)
    assert layer.weight.dtype == aten.float64


def test_copies_are_independent():
    symmetric, scaled, *_ = classes(aten)
    layer = linear(aten, 3, 3)
    parametrize.register_parametrization(layer, "weight", symmetric())
    other = copy.deepcopy(layer)
    parametrize.remove_parametrizations(other, "weight")
    parametrize.register_parametrization(layer, "bias", scaled())
    assert type(other) is aten.nn.Linear
    assert other.weight.equal(layer.weight)
    with parametrize.cached():
        both = layer.weight, copy.deepcopy(layer).weight
        assert both[0] is not both[1]


def test_a_recurrent_network_uses_the_value():
    *_, changed = classes(aten)
    network = filled(aten, aten.nn.LSTM(2, 3))
    plain = network(aten.ones(4, 1, 2))[0]
    parametrize.register_parametrization(network, "weight_hh_l0", changed(lambda x: x * 0))
    assert not network(aten.ones(4, 1, 2))[0].equal(plain)
    parametrize.remove_parametrizations(network, "weight_hh_l0", leave_parametrized=False)
    assert network(aten.ones(4, 1, 2))[0].equal(plain)
