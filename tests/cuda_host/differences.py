"""Leaves out tests that ask for what only the CPU gives: a plugin of pytest, listed in differences.txt."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

LISTED = Path(__file__).with_suffix(".txt")


@cache
def patterns() -> dict[re.Pattern[str], str]:
    """Returns pattern of tests' names -> reason."""
    lines = (line for line in LISTED.read_text().splitlines() if line and not line.startswith("#"))
    return {re.compile(pattern): reason for pattern, reason in (line.split(" | ") for line in lines)}


def is_left_out(name: str) -> bool:
    return any(pattern.search(name) for pattern in patterns())


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    found = [item for item in items if is_left_out(item.nodeid)]
    config.hook.pytest_deselected(items=found)
    items[:] = [item for item in items if item not in found]
