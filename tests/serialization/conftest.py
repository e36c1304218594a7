"""Each test begins with nothing allowed."""

from collections.abc import Iterator

import aten
import pytest


@pytest.fixture(autouse=True)
def no_safe_globals() -> Iterator[None]:
    aten.serialization.clear_safe_globals()
    yield
    aten.serialization.clear_safe_globals()
