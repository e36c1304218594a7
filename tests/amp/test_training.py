"""Twenty steps of training in a region of bfloat16 have PyTorch's losses."""

from __future__ import annotations

from typing import Any

import aten
import numpy as np
import pytest


def perceptron(nn: Any) -> Any:
    return nn.Sequential(nn.Linear(8, 16), nn.LayerNorm(16), nn.ReLU(), nn.Linear(16, 4))


def convolutional(nn: Any) -> Any:
    return nn.Sequential(
        nn.Unflatten(1, (2, 2, 2)),
        *(nn.Conv2d(2, 6, 3, padding=1), nn.BatchNorm2d(6), nn.ReLU(), nn.AvgPool2d(2)),
        *(nn.Flatten(), nn.Linear(6, 4)),
    )


def transformer(nn: Any) -> Any:
    layer = nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0, batch_first=True)
    return nn.Sequential(nn.Unflatten(1, (2, 4)), layer, nn.Flatten(), nn.Linear(8, 4))


MODELS = {"perceptron": perceptron, "convolutional": convolutional, "transformer": transformer}


def parameters(model: Any) -> dict[str, Any]:
    return {name: np.array(t.detach().tolist()) for name, t in model.state_dict().items()}


def start(T: Any, make: Any, values: dict[str, Any]) -> Any:
    model = make(T.nn)
    state = {n: T.tensor(values[n].tolist(), dtype=t.dtype) for n, t in model.state_dict().items()}
    model.load_state_dict(state)
    return model


def losses(T: Any, model: Any, dtype: str, steps: int = 20) -> list[float]:
    random = np.random.default_rng(0)
    inputs, targets = random.standard_normal((12, 8)), random.integers(0, 4, 12)
    x, y = T.tensor(inputs.tolist()), T.tensor(targets.tolist())
    optimizer = T.optim.SGD(model.parameters(), lr=0.1, momentum=0.5)
    found = []
    for _ in range(steps):
        optimizer.zero_grad()
        with T.autocast("cpu", getattr(T, dtype)):
            outputs = model(x)
            loss = T.nn.functional.cross_entropy(outputs, y)
        assert str(outputs.dtype).endswith(dtype) and str(loss.dtype).endswith("float32")
        loss.backward()
        optimizer.step()
        found.append(loss.item())
    return found


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
@pytest.mark.parametrize("name", MODELS)
def test_losses_are_pytorchs(name: str, dtype: str) -> None:
    torch = pytest.importorskip("torch")
    values = parameters(MODELS[name](torch.nn))
    ours, theirs = (losses(T, start(T, MODELS[name], values), dtype) for T in (aten, torch))
    np.testing.assert_allclose(ours, theirs, rtol=2e-2, atol=1e-2)


@pytest.mark.parametrize("name", MODELS)
def test_parameters_stay_float32_and_losses_fall(name: str) -> None:
    aten.manual_seed(0)
    model = MODELS[name](aten.nn)
    found = losses(aten, model, "bfloat16", 30)
    assert found[-1] < 0.8 * found[0]
    assert all(p.dtype is aten.float32 and p.grad.dtype is aten.float32 for p in model.parameters())


@pytest.mark.parametrize("kind", ["LSTM", "GRU", "RNN"])
def test_recurrent_networks(kind: str) -> None:
    torch = pytest.importorskip("torch")
    theirs = getattr(torch.nn, kind)(3, 4)
    values = parameters(theirs)
    ours = start(aten, lambda nn: getattr(nn, kind)(3, 4), values)
    x = np.random.default_rng(1).standard_normal((5, 2, 3)).tolist()
    results = []
    for T, model in ((aten, ours), (torch, theirs)):
        # Without oneDNN, whose LSTM of bfloat16 needs instructions that not all processors have.
        with T.autocast("cpu"), torch.backends.mkldnn.flags(enabled=False):
            output, _ = model(T.tensor(x))
        output.float().sum().backward()
        results.append((str(output.dtype).rpartition(".")[2], output, model.weight_ih_l0.grad))
    assert results[0][0] == results[1][0]
    for a, b in zip(results[0][1:], results[1][1:], strict=True):
        np.testing.assert_allclose(a.float().tolist(), b.float().tolist(), rtol=5e-2, atol=2e-2)
