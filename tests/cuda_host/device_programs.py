"""Programs that use `aten` on the emulated device, and what is asked of all of them."""

from __future__ import annotations

import textwrap
from typing import Any

import host
import pytest

needs_device = pytest.mark.skipif(
    not host.is_built(), reason="build/cuda_host is not built; make test-cuda-host builds it"
)


def check(program: str, **options: Any) -> str:
    """Runs a program whose assertions hold, without a report of the emulator; what it printed."""
    outcome = host.run("import aten\n" + textwrap.dedent(program), **options)
    assert outcome.returncode == 0, outcome.stderr
    assert not host.unreviewed(outcome.reports)
    return outcome.stdout
