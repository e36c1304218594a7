"""Modules whose state, arguments and results are unusual, to be written to archives."""

from __future__ import annotations

from collections import OrderedDict, defaultdict, namedtuple
from collections.abc import Callable
from typing import Any

import torch

Pair = namedtuple("Pair", ["first", "second"])
torch.utils._pytree._register_namedtuple(Pair, serialized_type_name="tests.Pair")


class Everything(torch.nn.Module):
    """Writes to buffers and arguments, computes with sizes, takes and returns nested containers."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(4, 3)
        self.register_buffer("count", torch.zeros(3))
        self.register_buffer("step", torch.ones(()), persistent=False)

    def forward(self, x: Any, more: Any, flag: bool = True, mode: str = "a", nothing: Any = None) -> Any:
        self.count.add_(self.step)
        y = self.linear(x) + self.count + torch.tensor([1.0, 2.0, 3.0])
        first, second = torch.split(more["k"], 2)
        more["k"].mul_(2)
        best = torch.max(y, 1)
        rows = x.shape[0]
        flat = y.reshape(-1, rows * 3)
        whole = torch.cat([flat, torch.full((1, rows + 2), float("-inf"))], 1)
        picked = y[:, torch.tensor([0, 2])]
        return {
            "y": flat,
            "list": [first, second, rows * 2, rows // 2 + 1],
            "pair": Pair(picked, best.values),
            "half": y.to(torch.bfloat16),
            "none": nothing,
            "set": OrderedDict(whole=whole, index=best.indices),
            "other": defaultdict(list, {"flag": y > 0}),
            "same": (flag, 1.5 if mode == "b" else 2),
        }


def everything() -> tuple[Any, Any, Any, dict[str, Any]]:
    args = (torch.randn(5, 4), {"k": torch.randn(4)})
    kwargs = {"flag": False, "mode": "b", "nothing": None}
    rows = torch.export.Dim("rows", min=3, max=64)
    shapes = {"x": {0: rows}, "more": {"k": None}, "flag": None, "mode": None, "nothing": None}
    return Everything(), args, kwargs, {"dynamic_shapes": shapes}


class State(torch.nn.Module):
    """Parameters and buffers whose memory is special."""

    def __init__(self, change: Callable[[Any], None]) -> None:
        super().__init__()
        change(self)

    def forward(self, x: Any) -> Any:
        return [x + 1, *(t * 1 for t in (*self.parameters(), *self.buffers()))]


def tied(m: Any) -> None:
    m.a = m.b = torch.nn.Parameter(torch.randn(2, 3))


def views(m: Any) -> None:
    base = torch.arange(24.0)
    m.register_buffer("a", base[4:10].view(2, 3))
    m.register_buffer("b", base[6:12].view(3, 2).t())
    m.register_buffer("c", base[::5])
    m.register_buffer("d", base[3].clone().expand(2, 2))


def dtypes(m: Any) -> None:
    for (
        name
    ) in "bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 complex64 complex128".split():
        m.register_buffer(f"of_{name}", torch.tensor([0, 1, 2]).to(getattr(torch, name)))


def layouts(m: Any) -> None:
    m.a = torch.nn.Parameter(torch.randn(4, 3).t())
    m.b = torch.nn.Parameter(torch.randn(2, 3, 4, 4).to(memory_format=torch.channels_last))
    m.c = torch.nn.Parameter(torch.randn(()), requires_grad=False)
    m.d = torch.nn.Parameter(torch.zeros(0, 3))
    m.register_buffer("e", torch.tensor(7))


class Numbers(torch.nn.Module):
    def forward(self, x: Any, n: int) -> Any:
        rows = x.shape[0]
        scale = rows**0.5 / 2 if rows > 1 else 1.0
        return x.sum() * scale, torch.zeros(n + rows // 3, max(rows, 4) - 1), n
