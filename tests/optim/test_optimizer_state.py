"""State dicts, hooks, closures, copies and names of optimizers, compared with PyTorch's."""

from __future__ import annotations

import copy
import pickle

import aten
import aten.optim
import pytest

torch = pytest.importorskip("torch")
from optimizer_pairs import (  # noqa: E402
    INFOS,
    SHAPES,
    VECTORS,
    array,
    assert_same,
    closure,
    converted,
    parameters,
    set_gradients,
    to_torch,
)

BOTH = pytest.mark.parametrize("T", [aten, torch], ids=["aten", "torch"])
OPTIONS = {
    "SGD": {"momentum": 0.9},
    "RMSprop": {"centered": True, "momentum": 0.5},
    "Adam": {"amsgrad": True},
}


def made(T, name, steps):
    params = parameters(T, SHAPES if name == "Muon" else VECTORS)
    optimizer = getattr(T.optim, name)(params, **OPTIONS.get(name, {}))
    advance(T, name, params, optimizer, range(steps))
    return params, optimizer


def advance(T, name, params, optimizer, steps):
    for step in steps:
        if name == "LBFGS":
            optimizer.step(closure(T, optimizer, params))
        else:
            set_gradients(T, params, step)
            optimizer.step()


@pytest.mark.parametrize("name", INFOS)
def test_state_dicts_go_both_ways(name):
    """Two steps in one library, then two in both, from its state dict."""
    rtol, atol = {"Muon": (2e-2, 1e-4), "LBFGS": (1e-6, 1e-8)}.get(name, (1e-8, 1e-10))
    for first in (aten, torch):
        second, convert = (torch, to_torch) if first is aten else (aten, converted)
        params, optimizer = made(first, name, 2)
        others, other = made(second, name, 0)
        with second.no_grad():
            for p, q in zip(params, others, strict=True):
                q.copy_(convert(p.detach()))
        saved = optimizer.state_dict()
        other.load_state_dict(convert(saved))
        loaded = other.state_dict()
        assert [list(group) for group in loaded["param_groups"]] == [list(g) for g in saved["param_groups"]]
        assert {k: list(v) for k, v in loaded["state"].items()} == {
            k: list(v) for k, v in saved["state"].items()
        }
        # loading converts all state but "step" to the parameter's dtype
        assert_same(*((saved, loaded) if first is aten else (loaded, saved)), rtol, atol, dtypes=False)
        advance(first, name, params, optimizer, range(2, 4))
        advance(second, name, others, other, range(2, 4))
        assert_same(*((params, others) if first is aten else (others, params)), rtol, atol)


@pytest.mark.parametrize("name", INFOS)
def test_structure_of_state_dicts(name):
    """Keys, their order, and what the groups' options are."""
    ours, theirs = (made(T, name, 2)[1].state_dict() for T in (aten, torch))
    assert list(ours) == list(theirs) and list(ours["state"]) == list(theirs["state"])
    for number, state in theirs["state"].items():
        assert set(ours["state"][number]) == set(state)
    for group, expected in zip(ours["param_groups"], theirs["param_groups"], strict=True):
        assert group == expected and list(group) == list(expected)


@BOTH
def test_loading_converts(T):
    p = T.ones(3, dtype=T.float64, requires_grad=True)
    p.grad = T.ones(3, dtype=T.float64)
    optimizer = T.optim.Adam([p])
    optimizer.step()
    q = T.ones(3, requires_grad=True)
    other = T.optim.Adam([q], lr=0.5)
    saved = optimizer.state_dict()
    saved["state"]["note"] = "kept"
    other.load_state_dict(saved)
    assert other.param_groups[0]["lr"] == 1e-3 and other.param_groups[0]["params"][0] is q
    assert other.state[q]["exp_avg"].dtype == T.float32 and other.state[q]["step"].dtype == T.float32
    assert other.state["note"] == "kept"
    with pytest.raises(ValueError, match="different number of parameter groups"):
        other.load_state_dict({"state": {}, "param_groups": []})
    with pytest.raises(ValueError, match="that doesn't match the size of optimizer's group"):
        T.optim.Adam([q, p]).load_state_dict(saved)


@BOTH
def test_loading_dicts_of_early_versions(T):
    p = T.ones(3, requires_grad=True)
    p.grad = T.ones(3)
    optimizer = T.optim.NAdam([p])
    optimizer.step()
    saved = optimizer.state_dict()
    for name in ("maximize", "foreach", "capturable", "differentiable", "decoupled_weight_decay"):
        del saved["param_groups"][0][name]
    saved["state"][0].update(step=1, mu_product=float(saved["state"][0]["mu_product"]))
    optimizer.load_state_dict(saved)
    state, group = optimizer.state[p], optimizer.param_groups[0]
    assert state["step"].dtype == T.float32 and float(state["step"]) == 1
    assert state["mu_product"].dtype == T.float32
    assert group["maximize"] is False and group["foreach"] is None


@BOTH
def test_names_of_parameters(T):
    p, q = T.ones(2, requires_grad=True), T.ones(3, requires_grad=True)
    optimizer = T.optim.SGD([("p", p)], lr=0.1)
    optimizer.add_param_group({"params": [("q", q)]})
    saved = optimizer.state_dict()
    assert [group["param_names"] for group in saved["param_groups"]] == [["p"], ["q"]]
    other = T.optim.SGD([{"params": [("a", p)]}, {"params": [("b", q)]}])
    for group in saved["param_groups"]:
        del group["param_names"]
    other.load_state_dict(saved)
    assert other.param_groups[0]["param_names"] == ["a"]


@BOTH
def test_order_of_hooks(T):
    p = T.ones(2, requires_grad=True)
    optimizer = T.optim.SGD([p])
    calls = []
    note = lambda name: lambda *args: calls.append((name, len(args)))  # noqa: E731
    module = __import__(f"{T.__name__}.optim.optimizer", fromlist=["x"])
    handles = [
        module.register_optimizer_step_pre_hook(note("all before")),
        module.register_optimizer_step_post_hook(note("all after")),
        optimizer.register_step_pre_hook(note("before")),
        optimizer.register_step_post_hook(note("after")),
    ]
    for kind in ("state_dict_pre", "state_dict_post", "load_state_dict_pre", "load_state_dict_post"):
        register = getattr(optimizer, f"register_{kind}_hook")
        handles += [register(note(f"{kind} 1")), register(note(f"{kind} 2"), prepend=True)]
    optimizer.step()
    optimizer.load_state_dict(optimizer.state_dict())
    assert calls == [
        ("all before", 3),
        ("before", 3),
        ("after", 3),
        ("all after", 3),
        ("state_dict_pre 2", 1),
        ("state_dict_pre 1", 1),
        ("state_dict_post 2", 2),
        ("state_dict_post 1", 2),
        ("load_state_dict_pre 2", 2),
        ("load_state_dict_pre 1", 2),
        ("load_state_dict_post 2", 1),
        ("load_state_dict_post 1", 1),
    ]
    for handle in handles:
        handle.remove()
    calls.clear()
    optimizer.step()
    assert calls == []


@BOTH
def test_what_hooks_return(T):
    p = T.ones(2, requires_grad=True)
    optimizer = T.optim.SGD([p])
    with optimizer.register_step_pre_hook(lambda o, args, kwargs: ((args[0], lambda: 5.0), {})):
        assert optimizer.step() == 5.0
    assert optimizer.step() is None
    with (
        optimizer.register_step_pre_hook(lambda *args: 3),
        pytest.raises(RuntimeError, match="must return None or a tuple of"),
    ):
        optimizer.step()
    with optimizer.register_state_dict_post_hook(lambda o, d: {**d, "more": 1}):
        assert optimizer.state_dict()["more"] == 1

    def double(o, d):
        d["param_groups"] = [{**g, "lr": 2 * g["lr"]} for g in d["param_groups"]]
        return d

    optimizer.register_load_state_dict_pre_hook(double)
    optimizer.load_state_dict(optimizer.state_dict())
    assert optimizer.param_groups[0]["lr"] == 2e-3


def test_hooks_are_called_once_where_a_subclass_calls_super():
    class Mine(aten.optim.SGD):
        def step(self, closure=None):
            return super().step(closure)

    calls = []
    optimizer = Mine([aten.ones(2, requires_grad=True)])
    optimizer.register_step_post_hook(lambda *args: calls.append(1))
    optimizer.step()
    assert calls == [1]


@pytest.mark.parametrize("name", INFOS)
def test_text_and_copies(name):
    params, optimizer = made(aten, name, 2)
    assert repr(optimizer) == repr(made(torch, name, 2)[1])
    for other in (copy.deepcopy(optimizer), pickle.loads(pickle.dumps(optimizer))):
        assert type(other) is type(optimizer)
        others = other.param_groups[0]["params"]
        assert all(p is not q for p, q in zip(others, params, strict=True))
        assert_same(other.state_dict(), optimizer.state_dict(), 0)
        originals = [array(p) for p in params]
        advance(aten, name, others, other, range(2, 3))
        assert all((array(p) == o).all() for p, o in zip(params, originals, strict=True))
    advance(aten, name, params, optimizer, range(2, 3))
    assert_same(others, params, 1e-12)


@BOTH
@pytest.mark.filterwarnings("ignore:Using backward")
@pytest.mark.parametrize("foreach", [None, True])
def test_zero_grad(T, foreach):
    p, q, r = (T.ones(2, requires_grad=True) for _ in range(3))
    optimizer = T.optim.SGD([p, q, r], foreach=foreach)
    (p * 3).sum().backward()
    (q**2).sum().backward(create_graph=True)
    optimizer.zero_grad(set_to_none=False)
    assert p.grad.tolist() == q.grad.tolist() == [0, 0] and q.grad.grad_fn is None and r.grad is None
    optimizer.zero_grad()
    assert p.grad is None


@BOTH
def test_closures_have_gradients(T):
    p = T.ones(2, requires_grad=True)
    optimizer = T.optim.SGD([p], lr=0.5)
    with T.no_grad():
        loss = optimizer.step(closure(T, optimizer, [p]))
    assert loss.item() == 0 and p.tolist() == [1, 1]
