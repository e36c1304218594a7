"""A plugin of pytest: of the samples in tests/ops, those of the operators that MUTATION_OPERATORS names."""

from __future__ import annotations

import os

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    names = set(os.environ["MUTATION_OPERATORS"].split())
    rows = {i: i.callspec.params.get("row") for i in items if hasattr(i, "callspec")}
    if names:
        items[:] = [i for i in items if rows.get(i) is None or rows[i].name in names]
