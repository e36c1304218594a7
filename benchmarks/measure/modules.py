"""What Python adds in training: calls of modules, the loading of items, and steps of an optimizer."""

from __future__ import annotations

import importlib
import statistics
from collections.abc import Callable
from typing import Any

from .peers import Peer
from .table import Row
from .timing import Statement, compare

ITEMS, BATCH = 100_000, 100
PARAMETERS = 100
# name, budget in ns, call of a module, the same without the module
CALLS: tuple[tuple[str, float | None, str, str], ...] = (
    ("call of Identity", None, "identity(x)", "pass"),
    ("Linear over F.linear, one element", 500, "linear(x)", "F.linear(x, w, b)"),
    ("LayerNorm over F.layer_norm, one element", None, "norm(x)", "F.layer_norm(x, (1,), nw, nb, 1e-5)"),
    ("ReLU over F.relu, one element", None, "relu(x)", "F.relu(x)"),
    ("access to a submodule", None, "outer.inner", "pass"),
    ("access to a parameter", None, "linear.weight", "pass"),
)


def names(peer: Peer) -> dict[str, Any]:
    """What the statements of CALLS use."""
    T, nn = peer.module, peer.module.nn
    # Nothing is recorded: the layers' own work, which varies, is to be small beside their calls.
    linear, norm = (layer.requires_grad_(False) for layer in (nn.Linear(1, 1), nn.LayerNorm(1)))
    outer = nn.Module()
    outer.inner = linear
    return {
        "F": nn.functional,
        "x": T.ones(1, 1),
        "identity": nn.Identity(),
        "relu": nn.ReLU(),
        "outer": outer,
        "linear": linear,
        "w": linear.weight,
        "b": linear.bias,
        "norm": norm,
        "nw": norm.weight,
        "nb": norm.bias,
    }


def calls(peers: list[Peer], rounds: int) -> list[Row]:
    """Measures the median difference between both statements of a round."""
    given = {peer.name: names(peer) for peer in peers if peer.torch_like}
    table = []
    for name, budget, module, functional in CALLS:
        statements = {
            f"{peer}: {code}": Statement(code, known)
            for peer, known in given.items()
            for code in (module, functional)
        }
        samples = compare(statements, rounds=rounds, seconds=1e-3).samples
        found = {}
        for peer in given:
            pairs = zip(samples[f"{peer}: {module}"], samples[f"{peer}: {functional}"], strict=True)
            found[peer] = statistics.median(a - b for a, b in pairs)
        table.append(Row(name, "ns", budget, found["ours"], found.get("torch")))
    return table


def loader(peer: Peer) -> Callable[[], Any]:
    """A pass over tensors of one element in batches, in order."""
    data = importlib.import_module(f"{peer.module.__name__}.utils.data")
    x = peer.module.arange(ITEMS, dtype=peer.module.float32)
    batches = data.DataLoader(data.TensorDataset(x), batch_size=BATCH)

    def run() -> None:
        for _ in batches:
            pass

    return run


def adamw(foreach: bool | None) -> Callable[[Peer], Callable[[], Any]]:
    """A step of AdamW, with the default implementation or that on lists."""

    def make(peer: Peer) -> Callable[[], Any]:
        T = peer.module
        parameters = [T.ones(8, 4, requires_grad=True) for _ in range(PARAMETERS)]
        for p in parameters:
            p.grad = T.full((8, 4), 0.5)
        step: Callable[[], Any] = T.optim.AdamW(parameters, foreach=foreach).step
        return step

    return make


RUNS: tuple[tuple[str, str, Callable[[Peer], Callable[[], Any]], float], ...] = (
    (f"DataLoader, {ITEMS:,} items of one float in batches of {BATCH}, per item", "ns", loader, ITEMS),
    (f"AdamW, {PARAMETERS} parameters of 32 elements, step", "us", adamw(None), 1e3),
    (f"AdamW with foreach, {PARAMETERS} parameters of 32 elements, step", "us", adamw(True), 1e3),
)


def rows(peers: list[Peer], rounds: int) -> list[Row]:
    table = calls(peers, rounds)
    for name, unit, make, per in RUNS:
        statements = {p.name: Statement("f()", {"f": make(p)}) for p in peers if p.torch_like}
        ns = compare(statements, rounds=rounds, seconds=4e-3).ns
        table.append(Row(name, unit, None, ns["ours"] / per, ns["torch"] / per if "torch" in ns else None))
    return table
