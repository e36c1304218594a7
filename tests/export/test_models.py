"""Networks exported from PyTorch run node by node here, and give what PyTorch gives."""

from __future__ import annotations

import copy
import io
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

torch = pytest.importorskip(
    "torch", reason="PyTorch, the oracle, is not installed (pip install -e '.[oracle]')"
)

from aten import export  # noqa: E402
from models import MODELS  # noqa: E402

Args = tuple[Any, ...]
READERS = ("exported", "archived")


def exported(model: Any, args: Args, **options: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return torch.export.export(model, args, **options).run_decompositions()


def programs(made: Any) -> Iterator[export.ExportedProgram]:
    """Yields the program, as it is and read back from a file: exporting takes longer than both."""
    for reader in READERS:
        yield program(made, reader)


def program(made: Any, reader: str) -> export.ExportedProgram:
    """Returns the program, as it is or read back from a file."""
    if reader == "exported":
        return export.from_exported_program(made)
    file = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.export.save(made, file)
    return export.load(file)


def assert_agrees(got: Any, expected: Any, tolerance: float = 2e-5) -> None:
    if isinstance(expected, dict):
        assert list(got) == list(expected)
        for key, value in expected.items():
            assert_agrees(got[key], value, tolerance)
        return
    theirs = expected.detach()
    mine = torch.from_dlpack(got.detach())
    assert mine.dtype is theirs.dtype
    steps = zip(theirs.shape, mine.stride(), theirs.stride(), strict=True)
    assert all(size == 1 or a == b for size, a, b in steps)
    torch.testing.assert_close(mine, theirs, rtol=tolerance, atol=tolerance)


def made(name: str, batch: int) -> tuple[Any, Args]:
    torch.manual_seed(0)
    model, inputs = MODELS[name]
    return model().eval(), inputs(batch)


@pytest.mark.parametrize("batch", [1, 3])
@pytest.mark.parametrize("name", MODELS)
def test_a_network_agrees(name: str, batch: int) -> None:
    model, args = made(name, batch)
    given = (args, MODELS[name][1](batch))
    expected = [model(*inputs) for inputs in given]
    for ours in programs(exported(model, args)):
        for inputs, result in zip(given, expected, strict=True):
            assert_agrees(ours(*inputs), result)


@pytest.mark.parametrize("name", ["mlp", "resnet", "gpt", "bert"])
def test_a_batch_of_any_size(name: str) -> None:
    model, args = made(name, 2)
    batch = torch.export.Dim("batch", min=1, max=64)
    given = [MODELS[name][1](size) for size in (2, 5)]
    expected = [model(*inputs) for inputs in given]
    for ours in programs(exported(model, args, dynamic_shapes=tuple({0: batch} for _ in args))):
        for inputs, result in zip(given, expected, strict=True):
            assert_agrees(ours(*inputs), result)


@pytest.mark.parametrize("name", ["mlp", "gpt", "resnet"])
def test_in_bfloat16(name: str) -> None:
    """Results are as close as PyTorch's to those of float32 with the same weights."""
    model, args = made(name, 2)
    model = model.to(torch.bfloat16)
    args = tuple(a.to(torch.bfloat16) if a.is_floating_point() else a for a in args)
    ours = program(exported(model, args), "archived")
    got, expected = torch.from_dlpack(ours(*args).detach()), model(*args).detach()
    assert got.dtype is torch.bfloat16
    exact = copy.deepcopy(model).float()(*(a.float() if a.is_floating_point() else a for a in args)).detach()
    allowed = 1.5 * (expected.float() - exact).abs().max() + 1e-2
    assert (got.float() - exact).abs().max() <= allowed


@pytest.mark.parametrize("reader", READERS)
def test_training_writes_running_statistics(reader: str) -> None:
    """Batch norm in training mode: two calls give the same results and the same buffers."""
    model, args = made("resnet", 4)
    model.train()
    ours = program(exported(copy.deepcopy(model), args), reader)
    for _ in range(2):
        assert_agrees(ours(*args), model(*args), 2e-4)
    buffers = dict(model.named_buffers())
    assert {n for n, _ in ours.named_buffers()} == set(buffers)
    for name, values in buffers.items():
        assert_agrees(ours.state_dict[name], values, 2e-4)


@pytest.mark.parametrize("name", ["mlp", "gpt", "transformer_encoder", "resnet", "unet"])
def test_gradients_of_parameters(name: str) -> None:
    """Parameters of a program get PyTorch's gradients."""
    model, args = made(name, 2)
    ours = program(exported(model, args), "archived")
    for parameter in ours.parameters():
        parameter.requires_grad_()
    ours(*args).square().mean().backward()
    model(*args).square().mean().backward()
    for parameter, theirs in model.named_parameters():
        assert_agrees(ours.state_dict[parameter].grad, theirs.grad.contiguous(), 2e-4)
