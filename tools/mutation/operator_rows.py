"""A pytest plugin that keeps only the samples in tests/ops of the operators listed in MUTATION_OPERATORS."""

from __future__ import annotations

import os

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    names = set(os.environ["MUTATION_OPERATORS"].split())
    rows = {i: i.callspec.params.get("row") for i in items if hasattr(i, "callspec")}
    if names:
        items[:] = [i for i in items if rows.get(i) is None or rows[i].name in names]
