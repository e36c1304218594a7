"""Lets the tests of this folder import what they share with those of operators and gradients."""

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "autograd"), str(HERE.parent / "ops")]


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: left out of the short run")
