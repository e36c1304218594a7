"""Functions for tests: comparison of values with tolerances, and tensors with random values."""

from __future__ import annotations

from ._comparison import assert_close
from ._creation import make_tensor

__all__ = ["assert_close", "make_tensor"]
