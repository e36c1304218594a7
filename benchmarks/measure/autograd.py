"""Cost of autograd: a node in a chain, from Python and from C++, and training steps."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from . import cpp, training
from .peers import Peer
from .table import Row
from .timing import Statement, compare

LENGTH = 100  # nodes in the chain
# Cases with and without autograd's layers.
LAYERED = {
    "at::add": ("at::add [1]", "at::add [1], under AutoDispatchBelowAutograd"),
    "add_": ("at::add_ [1]", "at::add_ [1], under AutoDispatchBelowADInplaceOrView"),
    "view": ("view(16)", "view(16), under AutoDispatchBelowADInplaceOrView"),
    "transpose": ("transpose(0,1)", "transpose(0,1), under AutoDispatchBelowADInplaceOrView"),
}


def chain(peer: Peer, kind: str) -> Callable[[], Any]:
    """Returns a function of a hundred additions to one element: not recorded, recorded, or with backward."""
    T = peer.module
    x, b = T.ones(1), T.ones(1)
    if kind != "unrecorded":
        x.requires_grad_()

    def forward() -> Any:
        y = x
        for _ in range(LENGTH):
            y = T.add(y, b)
        return y

    def both() -> None:
        forward().backward()
        x.grad = None

    kept = forward()

    def backward() -> None:
        kept.backward(retain_graph=True)
        x.grad = None

    return {"unrecorded": forward, "recorded": forward, "both": both, "backward": backward}[kind]


@dataclasses.dataclass(frozen=True, slots=True)
class Case:
    """`make(peer)` returns the function to time; times are divided by `per`, and by 1000 for microseconds."""

    name: str
    unit: str
    make: Callable[[Peer], Callable[[], Any] | None]
    budget: float | None = None
    per: float = 1


def chain_case(name: str, kind: str, budget: float | None = None) -> Case:
    def make(peer: Peer) -> Callable[[], Any] | None:
        return chain(peer, kind) if peer.torch_like else None

    return Case(f"add of one element, {name}, per node", "ns", make, budget, LENGTH)


CASES = (
    chain_case("not recorded", "unrecorded"),
    chain_case("recorded", "recorded"),
    chain_case("forward and backward", "both", 500),
    chain_case("backward alone", "backward"),
    Case("MLP 784-256-10, batch 64, step", "us", training.mlp((784, 256, 10), 64)),
    Case("MLP 8-16-4, batch 4, step", "us", training.mlp((8, 16, 4), 4)),
    Case("MLP of 10 layers of 32, batch 8, step", "us", training.mlp((32,) * 11, 8)),
    Case("transformer block 4 x 128 x 256, 8 heads, forward", "us", training.block(4, 128, 256, 8, False)),
    Case("transformer block 4 x 128 x 256, 8 heads, step", "us", training.block(4, 128, 256, 8)),
    Case("transformer block 1 x 8 x 32, 2 heads, step", "us", training.block(1, 8, 32, 2)),
    Case("softmax 4096 x 1024, forward and backward", "us", training.softmax(4096, 1024)),
    Case("layer_norm 4096 x 1024, forward and backward", "us", training.layer_norm(4096, 1024)),
    Case("gelu of 1e6, forward and backward", "us", training.gelu(10**6)),
    Case("add of a row, 4096 x 1024, forward and backward", "us", training.add_row(4096, 1024)),
    Case("embedding 4096 of 32000 x 128, forward and backward", "us", training.embedding(4096, 32000, 128)),
)
AHEAD = "MLP 784-256-10, batch 64, step"  # its budget is PyTorch's time


def python_rows(peers: list[Peer], rounds: int) -> list[Row]:
    table = []
    for case in CASES:
        made = {peer.name: case.make(peer) for peer in peers}
        statements = {name: Statement("f()", {"f": f}) for name, f in made.items() if f is not None}
        ns = compare(statements, rounds=rounds, seconds=4e-3).ns
        scale = case.per * (1e3 if case.unit == "us" else 1)
        ours, torch, numpy = (ns[n] / scale if n in ns else None for n in ("ours", "torch", "numpy"))
        table.append(
            Row(case.name, case.unit, torch if case.name == AHEAD else case.budget, ours, torch, numpy)
        )
    return table


def cpp_rows(figures: cpp.Figures) -> list[Row]:
    """Returns times per node of the chain, and the overhead for inputs that don't require grad: the
    difference of the minimum times with and without autograd's layer, since medians vary by more than that.
    """
    table = []
    for name, case, budget in (
        ("not recorded", "chain 100 adds, no grad", None),
        ("recorded", "chain 100 adds forward recording", None),
        ("forward and backward", "chain 100 adds forward+backward", 250),
        ("backward alone", "chain 100 adds backward", None),
    ):
        ours, torch = (ns[case] / LENGTH if case in ns else None for ns in (figures.ns, figures.torch_ns))
        table.append(Row(f"at::add of one element, {name}, per node", "ns", budget, ours, torch))
    for unit, budget, ours, torch in (
        ("ns", 2, figures.least_ns, figures.torch_least_ns),
        ("instr.", None, figures.instructions, figures.torch_instructions),
    ):
        for name, (whole, below) in LAYERED.items():
            if ours:
                layers = (f[whole] - f[below] if below in f else None for f in (ours, torch))
                table.append(Row(f"autograd's layer of {name}, nothing requires grad", unit, budget, *layers))
    return table
