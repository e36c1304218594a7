"""State dicts of PyTorch's models and optimizers, and what of PyTorch's can't be loaded."""

from __future__ import annotations

import pickle
from collections import OrderedDict
from pathlib import Path
from typing import Any

import aten
import pytest
from checkpoint_files import zipped
from pytorch_checkpoints import described, from_pytorch, to_pytorch

torch = pytest.importorskip("torch")

MODELS = {
    "linear": lambda nn: nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2, bias=False)),
    "convolution": lambda nn: nn.Sequential(
        nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ConvTranspose2d(4, 2, 2)
    ),
    "recurrent": lambda nn: nn.LSTM(3, 4, num_layers=2, bidirectional=True),
    "transformer": lambda nn: nn.TransformerEncoderLayer(8, 2, 16),
    "embedding": lambda nn: nn.ModuleDict({"a": nn.Embedding(5, 3), "b": nn.EmbeddingBag(4, 2)}),
    "spectral": lambda nn: nn.utils.parametrizations.weight_norm(nn.Linear(3, 2)),
}


@pytest.mark.parametrize("name", MODELS)
def test_state_dicts_of_models(name: str) -> None:
    model = MODELS[name](torch.nn)
    state = model.state_dict()
    here = from_pytorch(state)
    assert type(here) is OrderedDict and here._metadata == state._metadata
    assert described(here) == described(state)
    there = to_pytorch(here)
    fresh = MODELS[name](torch.nn)
    fresh.load_state_dict(there)
    assert there._metadata == state._metadata and described(fresh.state_dict()) == described(state)


OPTIMIZERS = {
    "SGD": {"lr": 0.1, "momentum": 0.9},
    "Adam": {"amsgrad": True, "betas": (0.8, 0.9)},
    "AdamW": {"weight_decay": 0.1},
    "Adagrad": {},
    "LBFGS": {},
}


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_state_dicts_of_optimizers(name: str) -> None:
    model = torch.nn.Linear(3, 2)

    def loss() -> Any:
        model.zero_grad()
        value = model(torch.ones(4, 3)).square().sum()
        value.backward()
        return value

    optimizer = getattr(torch.optim, name)(model.parameters(), **OPTIMIZERS[name])
    optimizer.step(loss)
    state = {"epoch": 3, "best": 0.25, "model": model.state_dict(), "optimizer": optimizer.state_dict()}
    here = from_pytorch(state)
    assert described(here) == described(state)
    there = to_pytorch(here)
    fresh = getattr(torch.optim, name)(model.parameters(), **OPTIMIZERS[name])
    fresh.load_state_dict(there["optimizer"])
    assert described(fresh.state_dict()) == described(optimizer.state_dict())


@pytest.mark.parametrize(
    "make, says",
    [
        (lambda: torch.ones(2).to_sparse(), "no sparse tensors"),
        (lambda: torch.quantize_per_tensor(torch.ones(2), 1.0, 0, torch.qint8), "no quantized tensors"),
        (lambda: torch.ones(2).to(torch.float8_e5m2), "torch.float8_e5m2.* nothing for it"),
        (lambda: torch.nn.Linear(2, 2), r"Save state_dict\(\)s"),
        (lambda: {"a": torch.optim.SGD([torch.ones(1)])}, "torch.optim.sgd.SGD"),
    ],
)
def test_what_this_library_has_not_is_named(make: Any, says: str) -> None:
    with pytest.raises(pickle.UnpicklingError, match=says):
        from_pytorch(make())


def test_other_formats_are_named(tmp_path: Path) -> None:
    file = tmp_path / "x"
    torch.save(torch.ones(2), file, _use_new_zipfile_serialization=False)
    with pytest.raises(RuntimeError, match=r"before PyTorch 1\.6\. In PyTorch: torch\.save"):
        aten.load(file)
    torch.jit.save(torch.jit.script(torch.nn.Linear(2, 2)), str(file))
    with pytest.raises(RuntimeError, match=r"TorchScript program.*state_dict"):
        aten.load(file)
    file.with_suffix(".pt2").write_bytes(zipped({"models/model.json": b"{}"}))
    with pytest.raises(RuntimeError, match=r"aten\.export\.load"):
        aten.load(file.with_suffix(".pt2"))
    file.write_bytes(pickle.dumps({"a": 1}))
    with pytest.raises(RuntimeError, match="a pickle without an archive"):
        aten.load(file)


def test_scalars_of_numpy_are_allowed_by_the_user() -> None:
    np = pytest.importorskip("numpy")
    value = {"score": np.float64(0.5)}
    with pytest.raises(pickle.UnpicklingError, match="scalar' is not allowed: if you trust it"):
        from_pytorch(value)
    parts = [np._core.multiarray.scalar, np.dtype, np.dtypes.Float64DType]
    with aten.serialization.safe_globals(parts):
        assert from_pytorch(value) == value
