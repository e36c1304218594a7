"""Operators that have kernels for the CPU and none for CUDA: those that docs/cuda.md lists."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "cuda.md"
HEADING = "## Operators without CUDA kernels\n"


def listed() -> set[str]:
    """Returns the names of the page's table."""
    section = PAGE.read_text(encoding="utf-8").partition(HEADING)[2].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    return {name for row in rows for name in re.findall(r"`(\w+)`", row)}


@contextlib.contextmanager
def expected_on_device() -> Iterator[None]:
    """Marks a test as an expected failure if its call ended at one of these operators, on a CUDA device."""
    try:
        yield
    except NotImplementedError as error:
        found = re.search(r"aten::(\w+)(?:\.\w+)?: no kernel for dispatch key CUDA", str(error))
        if not found or base_name(found[1]) not in listed():
            raise
        pytest.xfail(f"{found[1]} has no CUDA kernel (docs/cuda.md)")


def base_name(name: str) -> str:
    """Returns the name without what its out= form appends."""
    return name.removesuffix("_out")
