"""nn.utils.prune beside PyTorch's, and without it."""

from __future__ import annotations

import aten
import pytest
from aten.nn.utils import prune
from utils_oracle import error, filled, pattern, same, trained


def linear(T):
    return filled(T, T.nn.Linear(4, 6))


def state(T, layer):
    """The pruned weight, what it is computed from, and the layer's results and gradients."""
    return [layer.weight, *trained(T, layer, pattern(T, 2, 4)), layer.weight_mask, layer.weight_orig]


# Prunings of one layer's weight.
PRUNINGS = {
    "identity": lambda T, P, m: P.identity(m, "weight"),
    "fraction": lambda T, P, m: P.l1_unstructured(m, "weight", 0.3),
    "number": lambda T, P, m: P.l1_unstructured(m, "weight", 5),
    "none": lambda T, P, m: P.l1_unstructured(m, "weight", 0),
    "scores": lambda T, P, m: P.l1_unstructured(m, "weight", 5, pattern(T, 6, 4, start=3)),
    "channels": lambda T, P, m: P.ln_structured(m, "weight", 0.4, 2, 0),
    "columns": lambda T, P, m: P.ln_structured(m, "weight", 1, 1, 1),
    "smallest": lambda T, P, m: P.ln_structured(m, "weight", 1, float("-inf"), 1),
    "scored": lambda T, P, m: P.ln_structured(m, "weight", 1, 1, -1, pattern(T, 6, 4, start=3)),
    "mask": lambda T, P, m: P.custom_from_mask(m, "weight", pattern(T, 6, 4, start=3) > 0),
}


@pytest.mark.parametrize("name", PRUNINGS)
def test_gives_what_pytorch_gives(name):
    def program(T):
        P, layer = T.nn.utils.prune, linear(T)
        assert PRUNINGS[name](T, P, layer) is layer
        results = [state(T, layer), P.is_pruned(T.nn.Sequential(layer)), layer]
        P.remove(layer, "weight")
        results.append(error(P.remove, layer, "weight"))
        return [*results, P.is_pruned(layer), list(layer.state_dict()), layer.weight, layer.weight.grad]

    same(program)


@pytest.mark.parametrize("second", ["fraction", "channels", "columns", "mask", "scores"])
@pytest.mark.parametrize("first", ["number", "channels"])
def test_prunes_what_is_left(first, second):
    def program(T):
        P, layer = T.nn.utils.prune, linear(T)
        PRUNINGS[first](T, P, layer)
        PRUNINGS[second](T, P, layer)
        P.l1_unstructured(layer, "weight", 1)
        (hook,) = layer._forward_pre_hooks.values()
        assert isinstance(hook, P.PruningContainer)
        P.l1_unstructured(layer, "bias", 1)
        return [state(T, layer), len(hook), [type(method).__name__ for method in hook], layer.bias]

    same(program)


def of_all(T):
    P = T.nn.utils.prune
    net = T.nn.Sequential(linear(T), T.nn.ReLU(), filled(T, T.nn.Linear(6, 2)))
    P.l1_unstructured(net[0], "weight", 2)
    places = [(net[0], "weight"), (net[2], "weight"), (net[2], "bias")]
    P.global_unstructured(places, P.L1Unstructured, amount=0.4)
    results = [net.state_dict(), net(pattern(T, 3, 4))]
    scores = {(net[2], "weight"): pattern(T, 2, 6, start=9) * 0.01}
    P.global_unstructured(iter(places[:2]) if T is aten else places[:2], P.L1Unstructured, scores, amount=3)
    return [*results, net.state_dict()]


def of_tensors(T):
    P = T.nn.utils.prune
    t, mask = pattern(T, 4, 5), pattern(T, 4, 5, start=1) > 0
    scores = pattern(T, 4, 5, start=2)
    method = P.L1Unstructured(amount=3)
    structured = P.LnStructured(amount=1, n=2, dim=0)
    return [
        method.prune(t),
        method.prune(t, default_mask=mask.float()),
        method.prune(t, importance_scores=scores),
        structured.prune(t, default_mask=mask.float()),
        error(method.prune, t, importance_scores=scores[0]),
    ]


def of_a_method(T):
    """A method of a program's own, which prunes every other element that is left."""

    class Alternate(T.nn.utils.prune.BasePruningMethod):
        PRUNING_TYPE = "unstructured"

        def compute_mask(self, t, default_mask):
            mask = default_mask.clone()
            mask.view(-1)[::2] = 0
            return mask

    layer = linear(T)
    Alternate.apply(layer, "weight")
    results = [layer.weight]
    Alternate.apply(layer, "weight")
    results.append(layer.weight)
    Alternate.PRUNING_TYPE = "unknown"
    return [*results, error(Alternate.apply, layer, "weight")]


def faults(T):
    P, layer = T.nn.utils.prune, linear(T)
    methods = (P.L1Unstructured, P.RandomUnstructured, P.RandomStructured)
    results = [error(method, amount) for method in methods for amount in (-1, 1.5, -0.5, "all")]
    results += [
        error(P.l1_unstructured, layer, "weight", 100),
        error(P.l1_unstructured, layer, "weight", 1, T.ones(3))[:80],
        error(P.ln_structured, layer, "bias", 1, 2, 0),
        error(P.ln_structured, layer, "weight", 1, 2, 2),
        error(P.ln_structured, layer, "weight", 7, 2, 0),
        error(P.custom_from_mask, layer, "weight", T.ones(3)),
        error(P.global_unstructured, 3, P.L1Unstructured),
        error(P.global_unstructured, [(layer, "weight")], P.L1Unstructured, 3),
        error(P.global_unstructured, [(layer, "weight")], P.RandomStructured, amount=1)[:90],
        error(P.PruningContainer().add_pruning_method, 3),
    ]
    one, two = P.Identity(), P.Identity()
    one._tensor_name, two._tensor_name = "one", "two"
    results.append(error(P.PruningContainer(one).add_pruning_method, two)[:80])
    return [*results, layer(pattern(T, 2, 4)), sorted(layer.state_dict())]


@pytest.mark.parametrize("program", [of_all, of_tensors, of_a_method, faults], ids=lambda f: f.__name__)
def test_prints_what_pytorch_prints(program):
    same(program)


def test_random_prunings_have_the_amount():
    found = set()
    for _ in range(5):
        layer = filled(aten, aten.nn.Linear(4, 6))
        prune.random_unstructured(layer, "weight", 0.5)
        assert int((layer.weight == 0).sum()) == 12
        prune.random_unstructured(layer, "weight", 5)
        assert int((layer.weight == 0).sum()) == 17
        found.add(str(layer.weight_mask.tolist()))
        layer = filled(aten, aten.nn.Linear(4, 6))
        prune.random_structured(layer, "weight", 0.5, 0)
        assert int((layer.weight == 0).all(1).sum()) == 3
        prune.random_structured(layer, "weight", 1, -1)
        assert int((layer.weight == 0).all(0).sum()) == 1
        assert int((layer.weight != 0).sum()) == 9
    assert len(found) > 1


def test_pruned_elements_stay_zero_in_training():
    layer = filled(aten, aten.nn.Linear(4, 6))
    prune.l1_unstructured(layer, "weight", 0.5)
    optimizer = aten.optim.SGD(layer.parameters(), lr=0.1)
    zeros = layer.weight == 0
    assert int(zeros.sum()) == 12
    for _ in range(2):
        optimizer.zero_grad()
        layer(aten.ones(3, 4)).square().sum().backward()
        optimizer.step()
    layer(aten.ones(3, 4))
    assert (layer.weight == 0).equal(zeros)
    prune.remove(layer, "weight")
    assert (layer.weight == 0).equal(zeros)
    assert isinstance(layer.weight, aten.nn.Parameter)


def test_a_failed_pruning_changes_nothing():
    layer = filled(aten, aten.nn.Linear(4, 6))
    prune.l1_unstructured(layer, "weight", 3)
    before = layer.weight.clone()
    with pytest.raises(ValueError, match="amount=100"):
        prune.l1_unstructured(layer, "weight", 100)
    layer(aten.ones(3, 4))
    assert layer.weight.equal(before)
    assert prune.is_pruned(layer)
