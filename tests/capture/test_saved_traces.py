"""What a trace recorded is an archive that this library and PyTorch load, with the results of the model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import aten
import both
import pytest
from aten import nn
from aten.export import load, trace


def leaves(result: Any) -> list[Any]:
    if isinstance(result, (tuple, list)):
        return [leaf for value in result for leaf in leaves(value)]
    return leaves(list(result.values())) if isinstance(result, dict) else [result]


@pytest.mark.parametrize("name", both.NAMES)
def test_networks_give_their_results_here_and_in_pytorch(name: str, tmp_path: Path) -> None:
    model, args = both.made(both.OURS, name)
    expected = leaves(model(*args))
    program = trace(model, *args).program()
    program.save(tmp_path / "network.pt2")
    read = load(tmp_path / "network.pt2")
    assert read.graph_signature == program.graph_signature
    assert all(aten.equal(a, b) for a, b in zip(leaves(read(*args)), expected, strict=True))
    torch = pytest.importorskip("torch")
    theirs = torch.export.load(tmp_path / "network.pt2")
    assert set(theirs.state_dict) == set(dict(model.named_parameters())) | set(
        program.graph_signature.buffers
    )
    found = leaves(theirs.module()(*(torch.from_dlpack(a) for a in args)))
    for a, b in zip(found, expected, strict=True):
        torch.testing.assert_close(a, torch.from_dlpack(b.detach()), rtol=1e-5, atol=1e-5)


def test_statistics_are_updated_by_the_archive(tmp_path: Path) -> None:
    class Network(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.norm = nn.BatchNorm1d(3)
            self.register_buffer("seen", aten.zeros(()), persistent=False)

        def forward(self, x: aten.Tensor) -> aten.Tensor:
            self.seen += 1
            return self.norm(x) * self.seen

    model, x = Network(), aten.randn(4, 3)
    program = trace(model, x).program()
    program.save(tmp_path / "network.pt2")
    read = load(tmp_path / "network.pt2")
    assert read.graph_signature.non_persistent_buffers == ("seen",)
    for _ in range(2):
        assert aten.equal(read(x), model(x))
    assert aten.equal(read.state_dict["norm.running_mean"], model.norm.running_mean)


def test_a_trace_is_printed_and_drawn_as_a_program() -> None:
    program = trace(nn.Sequential(nn.Linear(2, 3), nn.ReLU()), aten.ones(1, 2)).program()
    text = program.print_readable(print_output=False)
    assert 'linear: "f32[1, 3]" = aten.ops.aten.linear.default(input, p_0_weight, p_0_bias)' in text
    assert "[1, 3]" in program.draw().svg
