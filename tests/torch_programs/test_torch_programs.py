"""Programs that import torch compute the same with this library as with PyTorch, from the same weights."""

from __future__ import annotations

import importlib.util
import math
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from children import printed

pytestmark = pytest.mark.slow
HERE = Path(__file__).parent
PROGRAMS = sorted(p for p in (HERE / "programs").glob("*.py") if p.stem != "starting_point")
NUMBER = re.compile(r"[-+]?\d+\.\d+(?:e[-+]?\d+)?")
has_pytorch = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="PyTorch isn't installed")


@pytest.fixture(scope="module")
def runs(once: Callable[[str, Callable[[Path], None]], Path]) -> Path:
    """A folder with one of each program's: its files, and what it printed with this library."""

    def run(folder: Path) -> None:
        for program in PROGRAMS:
            place = folder / program.stem
            place.mkdir(parents=True)
            text = printed(str(program), str(place), cwd=folder)
            (place / "here.txt").write_text(text, encoding="utf-8")

    return once("torch-programs", run)


@pytest.fixture(scope="module")
def compared(runs: Path, once: Callable[[str, Callable[[Path], None]], Path]) -> Path:
    """The same folder after the programs ran with PyTorch, from the weights that the first runs saved."""

    def run(folder: Path) -> None:
        command = [sys.executable, str(HERE / "with_pytorch.py"), str(runs), *map(str, PROGRAMS)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr

    once("torch-programs-with-pytorch", run)
    return runs


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.stem)
def test_program_runs(program: Path, runs: Path) -> None:
    text = (runs / program.stem / "here.txt").read_text(encoding="utf-8")
    numbers = [float(n) for n in NUMBER.findall(text)]
    assert len(numbers) >= 4
    assert all(math.isfinite(n) for n in numbers), text


@has_pytorch
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.stem)
def test_program_prints_what_it_prints_with_pytorch(program: Path, compared: Path) -> None:
    ours, theirs = (
        (compared / program.stem / name).read_text(encoding="utf-8") for name in ("here.txt", "pytorch.txt")
    )
    assert NUMBER.sub("#", ours) == NUMBER.sub("#", theirs)
    ours, theirs = ([float(n) for n in NUMBER.findall(text)] for text in (ours, theirs))
    assert ours == pytest.approx(theirs, rel=1e-4, abs=1e-4)


LOADING = """
import sys
import torch
from torch import nn
saved = torch.load(sys.argv[1] + "/trained_gpt/ckpt.pt")
print(saved["iter"], saved["model_args"]["n_layer"], saved["optimizer"]["param_groups"][0]["weight_decay"])
print(sum(v.double().abs().sum() for v in saved["model"].values()).item())
print(sum(s["exp_avg"].double().abs().sum() for s in saved["optimizer"]["state"].values()).item())
class RNNModel(nn.Module):
    pass
modules = nn.modules
allowed = [RNNModel, nn.Dropout, nn.Embedding, modules.rnn.LSTM, modules.linear.Linear]
with torch.serialization.safe_globals(allowed):
    whole = torch.load(sys.argv[1] + "/word_model/RNNModel.whole.pt", weights_only=False)
print(type(whole).__name__, whole.rnn, whole.decoder.weight is whole.encoder.weight)
print(sum(p.double().abs().sum() for p in whole.parameters()).item())
"""


@has_pytorch
def test_files_of_pytorch_load(compared: Path, tmp_path: Path) -> None:
    """The checkpoints that the programs wrote with PyTorch: a training state and a whole module."""
    program = tmp_path / "loading.py"
    program.write_text(LOADING, encoding="utf-8")
    ours = printed(str(program), str(compared), cwd=tmp_path)
    command = [sys.executable, str(program), str(compared)]
    theirs = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert NUMBER.sub("#", ours) == NUMBER.sub("#", theirs)
    assert [float(n) for n in NUMBER.findall(ours)] == pytest.approx(
        [float(n) for n in NUMBER.findall(theirs)], rel=1e-12
    )
