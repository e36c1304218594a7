"""The training examples: the same programs, from the same weights, with PyTorch in the library's place."""

from __future__ import annotations

import importlib
import sys
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

FOLDER = Path(__file__).parents[2] / "examples" / "digits"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        find_spec("sklearn") is None,
        reason="the digits come with scikit-learn (pip install -e '.[examples]')",
    ),
]


def losses(program: str, library: ModuleType, steps: int) -> np.ndarray:
    """Returns the loss of each step of a program that is given `library` when it imports aten."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(FOLDER))
        patch.setitem(sys.modules, "aten", library)
        names = [file.stem for file in FOLDER.glob("*.py")]
        for name in names:
            sys.modules.pop(name, None)
        try:
            return np.asarray(importlib.import_module(program).train(steps))
        finally:
            for name in names:
                sys.modules.pop(name, None)


@pytest.mark.parametrize("program", ["mlp", "transformer"])
def test_fifty_steps_equal_pytorchs(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    import aten

    torch = pytest.importorskip("torch")
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # one thread is fastest for such small tensors
    try:
        ours, theirs = (losses(program, library, 50) for library in (aten, torch))
    finally:
        torch.set_num_threads(threads)
    np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-4)
    assert "loss" in capsys.readouterr().out


@pytest.mark.parametrize(("program", "right"), [("mlp", 95), ("transformer", 90)])
def test_they_learn(program: str, right: int, capsys: pytest.CaptureFixture[str]) -> None:
    import aten

    curve = losses(program, aten, 200)
    assert curve[-20:].mean() < 0.25 * curve[:5].mean()
    share = float(capsys.readouterr().out.rpartition("right on ")[2].partition("%")[0])
    assert share > right
