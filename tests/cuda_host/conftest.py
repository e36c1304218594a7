"""Lets the tests of this folder import what they share with those of operators and gradients."""

import os
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "autograd"), str(HERE.parent / "ops")]
# What runs only on a device that suite.py names.
ASKED = {"ATEN_KERNELS_ON": "test_kernels.py", "ATEN_GRADIENTS_ON": "test_gradients_on_device.py"}
collect_ignore = [file for variable, file in ASKED.items() if variable not in os.environ]


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: left out of the short run")
