"""Makes the helper modules of this folder importable by its tests; each begins with nothing allowed."""

import sys
from collections.abc import Iterator
from pathlib import Path

import aten
import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(autouse=True)
def no_safe_globals() -> Iterator[None]:
    aten.serialization.clear_safe_globals()
    yield
    aten.serialization.clear_safe_globals()
