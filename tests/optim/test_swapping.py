"""swap_in_optimizer_params_and_state: steps on other parameters, beside PyTorch's."""

from __future__ import annotations

import copy

import aten
import pytest
from optimizer_pairs import INFOS, array, parameters, set_gradients, torch

SHAPES = ((3, 4), (2, 5))


def optimizers():
    """Both packages' optimizers after a step, and their parameters."""
    for T in (aten, torch):
        params = parameters(T, SHAPES)
        made = T.optim.AdamW([{"params": params[:1]}, {"params": params[1:], "lr": 0.1}], lr=0.01)
        set_gradients(T, params, 0)
        made.step()
        yield T, made, params


def test_steps_write_to_what_was_given():
    results = []
    for T, optimizer, params in optimizers():
        own = [array(p).copy() for p in params]
        state = copy.deepcopy(optimizer.state_dict())
        before = [dict(group) for group in optimizer.param_groups]
        others = [p.detach().clone().requires_grad_() for p in params]
        set_gradients(T, others, 2)
        with T.optim.swap_in_optimizer_params_and_state(
            optimizer, dict(zip("ab", others, strict=True)), state
        ):
            optimizer.step()
            optimizer.param_groups[0]["lr"] = 7
        assert all((array(p) == o).all() for p, o in zip(params, own, strict=True))
        assert optimizer.param_groups == before and set(optimizer.state) == set(params)
        moments = [array(entry["exp_avg"]) for entry in state["state"].values()]
        results.append([*map(array, others), *moments])
    for ours, theirs in zip(*results, strict=True):
        assert abs(ours - theirs).max() < 1e-12


def test_it_is_restored_after_an_error():
    for T, optimizer, params in optimizers():
        swap = T.optim.swap_in_optimizer_params_and_state
        with pytest.raises(KeyError), swap(optimizer, dict(enumerate(params)), optimizer.state_dict()):
            raise KeyError
        assert optimizer.param_groups[0]["params"][0] is params[0]


def without(state, *path):
    changed = copy.deepcopy(state)
    inner = changed
    for key in path[:-1]:
        inner = inner[key]
    del inner[path[-1]]
    return changed


WRONG = {
    "too few": lambda p, s: (p[:1], s),
    "no state": lambda p, s: (p, without(s, "state")),
    "no groups": lambda p, s: (p, without(s, "param_groups")),
    "a group less": lambda p, s: (p, without(s, "param_groups", 0)),
    "a key less": lambda p, s: (p, without(s, "param_groups", 0, "lr")),
    "unknown": lambda p, s: (p, {**s, "state": {**s["state"], 9: {}}}),
    "tensors as keys": lambda p, s: (
        p,
        {**s, "param_groups": [{**g, "params": p[:1]} for g in s["param_groups"]]},
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_does_not_match(name):
    for T, optimizer, params in optimizers():
        given, state = WRONG[name](params, optimizer.state_dict())
        swap = T.optim.swap_in_optimizer_params_and_state(optimizer, dict(enumerate(given)), state)
        with pytest.raises(RuntimeError), swap:
            pass


def test_an_optimizer_without_a_state():
    for T in (aten, torch):
        optimizer = T.optim.SGD(parameters(T, SHAPES), momentum=0.9)
        swap = T.optim.swap_in_optimizer_params_and_state(optimizer, {}, optimizer.state_dict())
        with pytest.raises(RuntimeError, match="state"), swap:
            pass


def test_every_name_is_there():
    """But that of the optimizer of sparse gradients."""
    assert [name for name in torch.optim.__all__ if not hasattr(aten.optim, name)] == ["SparseAdam"]
    assert all(hasattr(aten.optim, name) for name in INFOS)
