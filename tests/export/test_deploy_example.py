"""examples/deploy: a network is trained and exported with PyTorch, and run without PyTorch."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "examples" / "deploy"
pytestmark = pytest.mark.skipif(
    find_spec("sklearn") is None or find_spec("torch") is None,
    reason="needs scikit-learn's digits, and PyTorch to export (pip install -e '.[examples,oracle]')",
)

WITHOUT_PYTORCH = """
import runpy, sys

class NoPyTorch:
    def find_spec(self, name, path=None, target=None):
        if name == "torch":
            raise ImportError("there is no PyTorch here")

sys.meta_path.insert(0, NoPyTorch())
program = sys.argv.pop(1)
sys.path.insert(0, program.rpartition("/")[0])
runpy.run_path(program, run_name="__main__")
assert "torch" not in sys.modules
"""


def run(folder: Path, *command: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", *command], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def predicted_by_pytorch(folder: Path) -> str:
    """Returns PyTorch's predictions for the first digits, as the example prints them."""
    script = (
        "import torch, sys; from digits import split;"
        "images = torch.from_numpy(split('test')[0]);"
        "found = torch.export.load(sys.argv[1]).module()(images).argmax(1);"
        "print(*found[:20].tolist())"
    )
    patched = f"import sys; sys.path.insert(0, {str(FOLDER)!r}); {script}"
    return run(folder, "-c", patched, "digits.pt2").strip()


def test_what_was_trained_in_pytorch_runs_without_it(tmp_path: Path) -> None:
    assert run(tmp_path, str(FOLDER / "train.py")) == "trained for 300 steps, exported to digits.pt2\n"
    said = run(tmp_path, "-c", WITHOUT_PYTORCH, str(FOLDER / "classify.py"))
    assert f"digits read: {predicted_by_pytorch(tmp_path)} ...\n" in said
    assert float(said.rpartition("right on ")[2].partition(" %")[0]) >= 90
