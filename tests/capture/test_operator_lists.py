"""The level "operator" has the operators of torch.export's graph."""

from __future__ import annotations

import warnings
from typing import Any

import aten
import both
import pytest
from aten.export import trace

torch = pytest.importorskip(
    "torch", reason="PyTorch, the oracle, is not installed (pip install -e '.[oracle]')"
)
THEIRS = both.networks(torch, "torch_networks")


def operators(module: Any, args: Any) -> list[str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        nodes = torch.export.export(module, args).graph.nodes
    # In theirs, a node selects each of several results, and conversions are preceded by an assertion.
    called = [n.target.name() for n in nodes if n.op == "call_function" and hasattr(n.target, "name")]
    return [name for name in called if name != "aten::_assert_tensor_metadata"]


@pytest.mark.parametrize("name", ["mlp", "gpt", "resnet"])
def test_networks_have_the_operators_of_torch_export(name: str) -> None:
    expected = operators(*both.made(THEIRS, name))
    model, args = both.made(both.OURS, name)
    assert [n.target for n in trace(model, *args).graph().nodes] == expected


def program(torch: Any) -> Any:
    """A module of either library: writes, several results, constants, views and keywords."""

    class Module(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.norm = torch.nn.BatchNorm1d(4)
            self.recurrent = torch.nn.GRUCell(4, 4)

        def forward(self, x: Any) -> Any:
            y = self.norm(x).add_(1)
            values, _ = torch.sort(y, dim=1)
            low, high = values.chunk(2, dim=1)
            joined = torch.cat([high, low], dim=1)[:, None].squeeze(1)
            joined.mul_(2)
            return self.recurrent(joined.to(torch.float32)), torch.nn.functional.dropout(
                y.mean(), training=False
            )

    return Module()


def test_writes_views_and_several_results() -> None:
    expected = operators(program(torch), (torch.randn(3, 4),))
    found = [n.target for n in trace(program(aten), aten.randn(3, 4)).graph().nodes]
    assert found == expected
