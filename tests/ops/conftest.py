"""Makes the helper modules of these folders importable by their tests."""

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE / "pytorch"), str(HERE / "wrong_arguments")]


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: left out of the short run")
