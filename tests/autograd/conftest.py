"""Most tests here run twice: in this library, and, where it is installed, in PyTorch, for which the same
assertions must hold.
"""

from __future__ import annotations

import importlib
import sys
import types
from pathlib import Path
from types import ModuleType

import pytest

HERE = Path(__file__).parent
pytest.register_assert_rewrite("expect")


@pytest.fixture(params=["aten", "torch"])
def T(request: pytest.FixtureRequest) -> ModuleType:
    return pytest.importorskip(request.param)


@pytest.fixture(scope="session")
def over_torch() -> ModuleType:
    """Returns gradcheck() and gradgradcheck() from the same source, run on PyTorch."""
    torch = pytest.importorskip("torch")
    package = types.ModuleType("gradcheck_over_torch")
    package.__path__ = [str(HERE.parents[1] / "python" / "aten" / "autograd")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, package.__name__, package)
        patch.setitem(sys.modules, "aten", torch)
        return importlib.import_module(f"{package.__name__}.gradcheck")
