"""Commands killed at random moments: the short form of `make kill`."""

from __future__ import annotations

import kill
import pytest


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "moments"), [("generate", 16), ("build", 5)])
def test_moments(kind: str, moments: int) -> None:
    assert kill.batch(kind, 20, 0, moments) == []
